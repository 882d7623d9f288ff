import Contract
import Kit
import Wire

/// The abilities for texts that the daemon offers a client in `initialize`.
enum Negotiation {
  /// - Parameter client: the params of `initialize`.
  /// - Returns: members of LSP's server capabilities; none for a client without capabilities for texts.
  static func capabilities(for client: JSONValue, in session: any Session) -> JSONObject {
    let abilities = LanguageAbilities(client)
    guard abilities.servesTexts else { return [:] }
    session.services.languageClients.add(LanguageClient(abilities, caller: session.caller))
    let commands = Command.Name.allCases.map { JSONValue.string($0.rawValue) }
    var offered: JSONObject = [
      "textDocumentSync": [
        "openClose": true, "change": 2, "willSave": false, "willSaveWaitUntil": true, "save": ["includeText": true],
      ],
      "completionProvider": ["triggerCharacters": ["[", "#", ":", "^"], "resolveProvider": true],
      "hoverProvider": true, "definitionProvider": true, "referencesProvider": true,
      "documentLinkProvider": ["resolveProvider": true], "documentSymbolProvider": true,
      "workspaceSymbolProvider": ["resolveProvider": true],
      "codeActionProvider": abilities.actionLiterals
        ? [
          "codeActionKinds": ["quickfix", "refactor.extract", "refactor.rewrite"],
          "resolveProvider": true,
        ] : true,
      "renameProvider": abilities.prepareRename ? ["prepareProvider": true] : true,
      "foldingRangeProvider": true, "documentFormattingProvider": true,
      "executeCommandProvider": ["commands": .array(commands)],
    ]
    if abilities.inlayHints { offered["inlayHintProvider"] = ["resolveProvider": false] }
    if abilities.codeLenses { offered["codeLensProvider"] = ["resolveProvider": false] }
    if abilities.semanticTokens {
      offered["semanticTokensProvider"] = [
        "legend": [
          "tokenTypes": .array(ColorText.types.map { .string($0) }),
          "tokenModifiers": .array(ColorText.modifiers.map { .string($0) }),
        ], "full": true,
      ]
    }
    if abilities.textContent { offered["workspace"] = ["textDocumentContent": ["schemes": ["commonplace"]]] }
    return offered
  }
}
