import Contract
import Kit
import Store
import Wire

/// LSP's `textDocument/willSaveWaitUntil`.
enum PrepareSave: LanguageMethod {
  static let name = "textDocument/willSaveWaitUntil"
  static let summary =
    "The edits with which a text of the library is saved: anchors for new lines, and days in words written out. None for "
    + "other texts."

  struct Params: Payload {
    var textDocument: TextName
    var reason: Int?
    static let example = Params(textDocument: .example, reason: 1)
    static let fields = ["textDocument": "The text.", "reason": "LSP's number of the reason; not looked at."]
  }
  typealias Result = JSONValue

  /// An editor waits with its save for the answer.
  private static let patience = Duration.milliseconds(200)

  static func prepare(_ params: Params, in snapshot: Snapshot) -> TextRequest?? {
    .some(TextRequest(params.textDocument.uri, in: snapshot))
  }

  static func answer(_ request: TextRequest?, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    guard let request, let path = caller.services.openedPath(request.text.uri), path.isFile else { return [] }
    let (answers, answer) = AsyncStream<JSONValue>.makeStream()
    let pause = caller.services.pause
    Task { answer.yield((try? await request.written(at: path, isWhole: false, for: caller)) ?? []) }
    Task {
      await pause(patience)
      answer.yield([])
    }
    for await first in answers { return first }
    return []
  }
}

/// LSP's `textDocument/formatting`.
enum WriteCanonically: LanguageMethod {
  static let name = "textDocument/formatting"
  static let summary =
    "The edits that write each card of a text of the library in its canonical form, with its fields in order. None for "
    + "other texts."

  struct Params: Payload {
    var textDocument: TextName
    var options: JSONValue?
    static let example = Params(textDocument: .example, options: ["tabSize": 2, "insertSpaces": true])
    static let fields = ["textDocument": "The text.", "options": "LSP's options; not looked at."]
  }
  typealias Result = JSONValue

  static func prepare(_ params: Params, in snapshot: Snapshot) -> TextRequest?? {
    .some(TextRequest(params.textDocument.uri, in: snapshot))
  }

  static func answer(_ request: TextRequest?, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    guard let request, let path = caller.services.openedPath(request.text.uri) else { return [] }
    let edits = try await request.written(at: path, isWhole: true, for: caller)
    try request.requireCurrent()
    return edits
  }
}

extension TextRequest {
  /// The edits that write the lines of a library text as they should be.
  fileprivate func written(at path: OpenedPath, isWhole: Bool, for caller: FeatureCaller) async throws -> JSONValue {
    let text = text
    func replaced() async throws -> [WrittenLines.Replaced]? {
      try await caller.services.library.read(as: caller) { snapshot in
        try WrittenLines.replaced(in: text.text, at: path, isWhole: isWhole, in: snapshot)
      }
    }
    // A base that was stored while the first read began is in the second.
    var lines = try await replaced()
    if lines == nil { lines = try await replaced() }
    return .array(
      (lines ?? []).map { line, new in
        ["range": range(line, 0..<text.line(line).contentCount), "newText": .string(new)]
      })
  }
}
