import Contract
import Display
import Kit
import Store
import Synchronization
import Wire

/// The abilities that a client declared in `initialize`, as far as replies depend on them.
struct LanguageAbilities: Sendable {
  /// Whether it declared any capability for texts: otherwise it is none of an editor, and texts are not served.
  var servesTexts = false
  var linkSupport = false
  var documentChanges = false
  var appliesEdits = false
  /// Whether edits may be sent that nobody has asked for.
  var liveEdits = false
  /// Whether they may be sent for texts that are no files, too: the client has said that it follows their versions.
  var followsVersions = false
  var markdownHover = false
  var hierarchicalSymbols = false
  var actionLiterals = false
  var resolvesActionEdits = false
  var versionedDiagnostics = false
  var relatedInformation = false
  var prepareRename = false
  var showsDocuments = false
  var resolvesSymbols = false
  var codeLenses = false
  var inlayHints = false
  var semanticTokens = false
  var textContent = false
  /// Neovim 0.11 cuts a completion's text at its first blank, and Neovim before 0.10 drops a text that does not begin
  /// with the typed word; both insert `insertText` whole.
  var titlesAsTails = false
  var documents = Documents.files
  var unknownTitles = UnknownTitles.library

  enum Documents: String, Sendable { case files, virtual }
  enum UnknownTitles: String, Sendable { case library, everywhere, never }

  /// - Parameter client: the params of `initialize`.
  init(_ client: JSONValue) {
    let capabilities = client["capabilities"]
    let (text, workspace) = (capabilities?["textDocument"], capabilities?["workspace"])
    func flag(_ value: JSONValue?) -> Bool { value?.boolValue ?? false }
    servesTexts = text?.objectValue != nil || workspace?.objectValue != nil
    linkSupport = flag(text?["definition"]?["linkSupport"])
    documentChanges = flag(workspace?["workspaceEdit"]?["documentChanges"])
    appliesEdits = flag(workspace?["applyEdit"])
    markdownHover =
      text?["hover"]?["contentFormat"]?.arrayValue?.contains("markdown") ?? false
    hierarchicalSymbols = flag(text?["documentSymbol"]?["hierarchicalDocumentSymbolSupport"])
    actionLiterals = text?["codeAction"]?["codeActionLiteralSupport"]?.objectValue != nil
    resolvesActionEdits =
      text?["codeAction"]?["resolveSupport"]?["properties"]?.arrayValue?.contains("edit") ?? false
    versionedDiagnostics = flag(text?["publishDiagnostics"]?["versionSupport"])
    relatedInformation = flag(text?["publishDiagnostics"]?["relatedInformation"])
    prepareRename = flag(text?["rename"]?["prepareSupport"])
    showsDocuments = flag(capabilities?["window"]?["showDocument"]?["support"])
    resolvesSymbols =
      workspace?["symbol"]?["resolveSupport"]?["properties"]?.arrayValue?.contains("location.range") ?? false
    let options = client["initializationOptions"]?["commonplace"]
    codeLenses = text?["codeLens"]?.objectValue != nil && options?["codeLenses"] != false
    inlayHints = text?["inlayHint"]?.objectValue != nil && options?["inlayHints"] != false
    semanticTokens = text?["semanticTokens"]?.objectValue != nil
    textContent = workspace?["textDocumentContent"]?.objectValue != nil
    // An editor without a name may ask its user about each edit.
    liveEdits =
      appliesEdits && documentChanges
      && options?["liveEdits"]?.boolValue ?? (client["clientInfo"]?.objectValue != nil)
    followsVersions = liveEdits && options?["liveEdits"] == true
    let name = client["clientInfo"]?["name"]?.stringValue
    let version = (client["clientInfo"]?["version"]?.stringValue ?? "").drop { $0 == "v" }
    titlesAsTails =
      name?.lowercased() == "neovim" && ["0.7.", "0.8.", "0.9.", "0.11."].contains { version.hasPrefix($0) }
    documents = (options?["documents"]?.stringValue).flatMap(Documents.init) ?? .files
    unknownTitles = (options?["unknownTitles"]?.stringValue).flatMap(UnknownTitles.init) ?? .library
  }
}

/// The open texts of one client.
final class LanguageClient: Sendable {
  /// The most open texts of a client, and their bytes; more are refused.
  static let mostTexts = 256
  static let mostBytes = 64 << 20

  let connectionID: String
  let abilities: LanguageAbilities
  private let state: Mutex<State>

  private struct State {
    /// The client with its present locale and zone.
    var caller: FeatureCaller
    var texts: [String: OpenText] = [:]
    var bytes = 0
    var refusalReported = false
    /// The diagnostics of each text that were published last, if there were any.
    var published: [String: [JSONValue]] = [:]
    /// The parts of a text that its latest save could not save.
    var problems: [String: SaveProblems] = [:]
    /// The texts whose diagnostics are being awaited.
    var scheduled: Set<String> = []
  }

  init(_ abilities: LanguageAbilities, caller: FeatureCaller) {
    (connectionID, self.abilities) = (caller.connectionID, abilities)
    state = Mutex(State(caller: caller))
  }

  var caller: FeatureCaller {
    get { state.withLock { $0.caller } }
    set { state.withLock { $0.caller = newValue } }
  }

  subscript(uri: String) -> OpenText? { state.withLock { $0.texts[uri] } }

  var texts: [OpenText] { state.withLock { Array($0.texts.values) } }

  /// Whether a text is open that is no file. Changes of others reach it if the client follows versions.
  func shows(_ path: TextPath) -> Bool {
    texts.contains { caller.services.openedPath($0.uri) == OpenedPath(path: path, isFile: false) }
  }

  enum StoreOutcome {
    case stored
    case refused(isFirst: Bool)
  }

  /// Stores a text, if it fits.
  func store(_ text: OpenText) -> StoreOutcome {
    state.withLock { state in
      let known = state.texts[text.uri]
      let bytes = state.bytes - (known?.byteCount ?? 0) + text.byteCount
      guard bytes <= Self.mostBytes, known != nil || state.texts.count < Self.mostTexts else {
        if let known {
          // Its later changes could not be applied any more.
          state.bytes -= known.byteCount
          state.texts[text.uri] = nil
        }
        defer { state.refusalReported = true }
        return .refused(isFirst: !state.refusalReported)
      }
      state.bytes = bytes
      state.texts[text.uri] = text
      return .stored
    }
  }

  func close(_ uri: String) {
    state.withLock { state in
      state.problems[uri] = nil
      guard let known = state.texts.removeValue(forKey: uri) else { return }
      state.bytes -= known.byteCount
    }
  }

  func problems(of uri: String) -> SaveProblems? { state.withLock { $0.problems[uri] } }

  func problems(of uri: String, are problems: SaveProblems) {
    state.withLock { state in
      guard state.texts[uri] != nil else { return }
      state.problems[uri] = problems.problems.isEmpty ? nil : problems
    }
  }

  /// Others have changed the same lines of an open text.
  ///
  /// - Parameter lines: of the text.
  func noteConflicts(_ conflicts: [(item: ItemKey, line: Int, message: String)], in lines: [String], of uri: String) {
    if conflicts.isEmpty { return }
    state.withLock { state in
      guard state.texts[uri] != nil else { return }
      var problems = state.problems[uri] ?? SaveProblems(problems: [])
      problems.problems.removeAll { problem in
        // What an earlier save has replaced is of no account any more: others have changed the item again.
        [.conflict, .replaced].contains(problem.code)
          && conflicts.contains { $0.item.id == problem.data["id"]?.stringValue }
      }
      problems.problems += conflicts.map { item, line, message in
        SaveProblems.Problem(
          code: .conflict, severity: .error, line: line, content: lines.indices.contains(line) ? lines[line] : "",
          message: message, data: ["collection": .string(item.collection), "id": .string(item.id)])
      }
      state.problems[uri] = problems
    }
  }

  /// A conflict of a text was settled.
  func settleConflict(of id: String, in uri: String) {
    state.withLock { state in
      state.problems[uri]?.problems.removeAll { $0.code == .conflict && $0.data["id"]?.stringValue == id }
    }
  }

  /// The values of others that a save has replaced were restored, or have been shown long enough.
  func settleReplaced(_ id: String, with former: JSONValue, in uri: String) {
    state.withLock { state in
      state.problems[uri]?.problems.removeAll { problem in
        problem.code == .replaced && problem.data["id"]?.stringValue == id && problem.data["former"] == former
      }
    }
  }

  /// The held items of a text were removed, or are in it again.
  func settleHeld(of uri: String) { state.withLock { $0.problems[uri]?.problems.removeAll { $0.code == .held } } }

  /// Notes that diagnostics of a text are awaited. Returns false if they were already.
  func schedule(_ uri: String) -> Bool { state.withLock { $0.scheduled.insert(uri).inserted } }

  func unschedule(_ uri: String) { state.withLock { _ = $0.scheduled.remove(uri) } }

  /// Notes the diagnostics that a text has now. Returns false if they were published already, and for none if none
  /// were.
  func publishes(_ diagnostics: [JSONValue], of uri: String) -> Bool {
    state.withLock { state in
      guard state.published[uri] ?? [] != diagnostics else { return false }
      state.published[uri] = diagnostics.isEmpty ? nil : diagnostics
      return true
    }
  }
}

/// All clients with open texts, by connection.
final class LanguageClients: Sendable {
  private let clients = Mutex<[String: LanguageClient]>([:])

  func add(_ client: LanguageClient) { clients.withLock { $0[client.connectionID] = client } }
  /// Returns false if there was none of this connection.
  func remove(_ connectionID: String) -> Bool { clients.withLock { $0.removeValue(forKey: connectionID) != nil } }
  subscript(connectionID: String) -> LanguageClient? { clients.withLock { $0[connectionID] } }
  var all: [LanguageClient] { clients.withLock { Array($0.values) } }
}

extension Services {
  var languageClients: LanguageClients { memory.object(LanguageClients.self) { LanguageClients() } }
}

extension FeatureCaller {
  /// The client with its open texts; nil unless it sent `initialize` with capabilities for texts.
  var language: LanguageClient? { services.languageClients[connectionID] }
}
