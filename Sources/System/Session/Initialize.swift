import Contract
import Display
import Kit
import Wire

/// LSP's `initialize`: the client's name and its user's locale.
enum Initialize: ControlMethod {
  static let name = "initialize"
  static let summary = "Identifies the client and returns what this daemon supports. Optional, at most once."
  static let effects: Effects = []
  static let isLanguageServer = true

  struct Params: Payload {
    var clientInfo: ClientInfo?
    var locale: String?
    var timeZone: String?
    var capabilities: ClientCapabilities?
    var initializationOptions: JSONValue?
    var trace: String?

    static let example = Params(
      clientInfo: ClientInfo(name: "nvim", version: "0.7"), locale: "ko-KR", timeZone: "Asia/Seoul",
      capabilities: ClientCapabilities(general: .init(positionEncodings: ["utf-8", "utf-16"])),
      initializationOptions: nil, trace: nil)
    static let fields = [
      "clientInfo": "The client's name and version. `changes/undo` falls back to the name.",
      "locale": "The language of sentences and dates, as a BCP 47 tag. Default: the daemon's.",
      "timeZone": "An IANA time zone, for dates. Default: the daemon's.",
      "capabilities":
        "LSP's client capabilities. A client without `textDocument` and `workspace` is served no texts.",
      "initializationOptions":
        "Its member `commonplace` may have `documents`: `files` (default) or `virtual`, and `unknownTitles`: `library` "
        + "(default), `everywhere` or `never`: where a title without an item is a diagnostic; `inlayHints`, "
        + "`codeLenses`, `liveEdits` (open texts get the changes of others as edits) and `changes`: booleans. With "
        + "`changes: false`, `changes/didCommit` begins with `changes/subscribe`.",
      "trace": "`off`, `messages` or `verbose`.",
    ]
  }

  /// The name is stored in each commit. A longer name is cut: no client is refused because of its name.
  private static let longestName = 200

  struct ClientInfo: Payload {
    var name: String
    var version: String?
    static let example = ClientInfo(name: "nvim", version: "0.7")
    static let fields = ["name": "The client's name.", "version": "Its version."]
  }

  struct ClientCapabilities: Payload {
    var general: General?
    var textDocument: JSONValue?
    var workspace: JSONValue?
    var window: JSONValue?
    struct General: Payload {
      var positionEncodings: [String]?
      static let example = General(positionEncodings: ["utf-8"])
      static let fields = [
        "positionEncodings": "Supported position encodings, best first: `utf-8`, `utf-16`, `utf-32`."
      ]
    }
    static let example = ClientCapabilities(general: .example)
    static let fields = [
      "general": "LSP's general capabilities.", "textDocument": "What the editor can do with texts.",
      "workspace": "What it can do with all of them.", "window": "What it can show.",
    ]

    /// The same as JSON, without `general`.
    var json: JSONObject {
      var json: JSONObject = [:]
      json["textDocument"] = textDocument
      json["workspace"] = workspace
      json["window"] = window
      return json
    }
  }

  struct Result: Payload {
    var capabilities: ServerCapabilities
    var serverInfo: ServerInfo
    var protocolLevel: Int
    var library: LibraryInfo
    var warnings: [String]
    static let example = Result(
      capabilities: .example, serverInfo: .example, protocolLevel: 1, library: .example, warnings: [])
    static let fields = [
      "capabilities": "The capabilities that LSP requires, and the selected position encoding.",
      "serverInfo": "This daemon.",
      "protocolLevel": "The daemon's protocol level; a level never removes anything.",
      "library": "The library and its clock; notifications begin after it.",
      "warnings":
        "Sentences for the user: unknown parts of `locale` and `timeZone`, a client version known to be too old, an "
        + "error in config.toml.",
    ]
  }

  struct ServerCapabilities: Payload {
    var positionEncoding: String
    var textDocumentSync: JSONValue
    var completionProvider: JSONValue?
    var hoverProvider: JSONValue?
    var definitionProvider: JSONValue?
    var referencesProvider: JSONValue?
    var documentLinkProvider: JSONValue?
    var documentSymbolProvider: JSONValue?
    var workspaceSymbolProvider: JSONValue?
    var codeActionProvider: JSONValue?
    var renameProvider: JSONValue?
    var foldingRangeProvider: JSONValue?
    var documentFormattingProvider: JSONValue?
    var inlayHintProvider: JSONValue?
    var codeLensProvider: JSONValue?
    var semanticTokensProvider: JSONValue?
    var executeCommandProvider: JSONValue?
    var workspace: JSONValue?
    static let example = ServerCapabilities(positionEncoding: "utf-16", textDocumentSync: 0)
    static let fields = [
      "positionEncoding": "What offsets and lengths in texts count.",
      "textDocumentSync": "How texts are synchronized: LSP's options; 0 for a client that is served no texts.",
      "completionProvider": "Titles, links, tags and days are completed.",
      "hoverProvider": "Links are explained.", "definitionProvider": "Links lead to texts of the library.",
      "referencesProvider": "The links to an item are listed.",
      "documentLinkProvider": "The links of a text are listed.",
      "documentSymbolProvider": "The outline of a text.", "workspaceSymbolProvider": "Items are found by words.",
      "codeActionProvider": "What can be done with a line.", "renameProvider": "Items are renamed by their links.",
      "foldingRangeProvider": "The parts of a text are folded.",
      "documentFormattingProvider": "Texts of the library are written in their canonical form.",
      "inlayHintProvider": "Days are explained; for a client that declares hints.",
      "codeLensProvider": "Links to a text are counted; for a client that declares lenses.",
      "semanticTokensProvider": "The parts of lines are colored; for a client that declares tokens.",
      "executeCommandProvider": "The commands of the actions.",
      "workspace": "Virtual texts are served to a client that declares them.",
    ]

    init(positionEncoding: String, textDocumentSync: JSONValue, adding members: JSONObject = [:]) {
      self.positionEncoding = positionEncoding
      self.textDocumentSync = members["textDocumentSync"] ?? textDocumentSync
      completionProvider = members["completionProvider"]
      hoverProvider = members["hoverProvider"]
      definitionProvider = members["definitionProvider"]
      referencesProvider = members["referencesProvider"]
      documentLinkProvider = members["documentLinkProvider"]
      documentSymbolProvider = members["documentSymbolProvider"]
      workspaceSymbolProvider = members["workspaceSymbolProvider"]
      codeActionProvider = members["codeActionProvider"]
      renameProvider = members["renameProvider"]
      foldingRangeProvider = members["foldingRangeProvider"]
      documentFormattingProvider = members["documentFormattingProvider"]
      inlayHintProvider = members["inlayHintProvider"]
      codeLensProvider = members["codeLensProvider"]
      semanticTokensProvider = members["semanticTokensProvider"]
      executeCommandProvider = members["executeCommandProvider"]
      workspace = members["workspace"]
    }
  }

  struct ServerInfo: Payload {
    var name: String
    var version: String
    static let example = ServerInfo(name: "commonplace", version: "0.1.0")
    static let fields = ["name": "`commonplace`.", "version": "Its version."]
  }

  struct LibraryInfo: Payload {
    var id: String
    var epoch: String
    var clock: Int64
    static let example = LibraryInfo(id: "0190…", epoch: "0190…", clock: 42)
    static let fields = [
      "id": "The same for all copies of a library.", "epoch": "New for each copy; a clock is valid within an epoch.",
      "clock": "The library's current state.",
    ]
  }

  static func run(_ params: Params, in session: any Session) throws -> Result {
    guard !session.isInitialized else { throw RPCError.invalidRequest("alreadyInitialized") }
    var reader = session.reader
    var warnings: [Text] = []
    // An unknown locale or zone must not prevent an editor from starting: LSP's own fields are hints.
    do { try reader.configure(locale: params.locale) } catch { warnings.append(error.reply.text) }
    do { try reader.configure(timeZone: params.timeZone) } catch { warnings.append(error.reply.text) }
    let offered = params.capabilities?.general?.positionEncodings ?? []
    if let encoding = offered.lazy.compactMap(PositionEncoding.init(rawValue:)).first {
      reader.positionEncoding = encoding
    }
    warnings += KnownClients.warnings(about: params.clientInfo?.name, params.clientInfo?.version)
    if let mistake = session.services.configuration()?.mistake {
      warnings.append(Text("session.brokenConfiguration").saying(mistake.text, at: "mistake"))
    }
    session.reader = reader
    session.clientName = String((params.clientInfo?.name ?? "").unicodeScalars.prefix(longestName))
    session.trace = TraceValue(params.trace)
    session.isInitialized = true
    let clock = session.follow(.everything)
    if params.initializationOptions?["commonplace"]?["changes"] == false { session.unfollow() }
    let identity = session.services.library.identity
    let catalogue = session.services.catalogue
    var client: JSONObject = ["capabilities": .object(params.capabilities?.json ?? [:])]
    if let info = params.clientInfo {
      client["clientInfo"] = ["name": .string(info.name), "version": .string(info.version ?? "")]
    }
    client["initializationOptions"] = params.initializationOptions
    return Result(
      capabilities: ServerCapabilities(
        positionEncoding: reader.positionEncoding.rawValue, textDocumentSync: 0,
        adding: session.services.library.capabilities(for: .object(client), in: session)),
      serverInfo: ServerInfo(name: "commonplace", version: Version.current), protocolLevel: Version.protocolLevel,
      library: LibraryInfo(id: identity.id, epoch: identity.epoch, clock: clock),
      warnings: warnings.map { catalogue.string(for: $0, language: reader.language) })
  }
}
