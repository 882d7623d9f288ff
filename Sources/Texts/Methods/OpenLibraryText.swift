import Contract
import Kit
import Store
import Wire

enum OpenLibraryText: ReadMethod {
  static let name = "text/open"
  static let summary = "A text that is made from the library, for an editor: a day of the diary, a board, a card."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.ambiguous, .notFound, .passwordRequired, .tooLarge]

  struct Params: Payload {
    var uri: String
    static let example = Params(uri: "commonplace:///text/diary/today.md")
    static let fields = ["uri": "The text: `commonplace:///text/` and its path, or the `file:` URI of its file."]
    static let limits: [String: FieldLimits] = ["uri": .length(1...8_192)]
  }

  struct Result: Payload {
    var uri: String
    var text: String
    var languageId: String
    var readOnly: Bool
    var base: String
    static let example = Result(
      uri: "commonplace:///text/diary/2026-11-26.md", text: "--- 09:12 ^k3f2\nA walk\n", languageId: "markdown",
      readOnly: false, base: "3f9a02c1")
    static let fields = [
      "uri": "Its URI, which is another one for an alias such as `diary/today.md`.", "text": "The text.",
      "languageId": "`markdown`.", "readOnly": "Whether `text/save` refuses it.",
      "base": "Names this version, for `text/save`.",
    ]
    static let limits: [String: FieldLimits] = ["uri": .form(.namingFiles)]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let places = TextPlaces(snapshot)
    let path = places.canonical(try snapshot.textPath(params.uri, field: "uri"))
    guard let form = places.form(of: path), let rendered = try form.render(path, in: snapshot) else {
      throw RPCError.noText(at: path)
    }
    let base = try NamedBase(TextBase(path, rendered, in: snapshot))
    let services = snapshot.services
    // Queued before a save that the client sends next.
    services.library.post(as: FeatureCaller.daemon(services), label: Self.name) { transaction in
      try AnsweredSave.give(base, in: transaction)
    } then: { failure in
      if let failure { services.log("the base of \(path.text) could not be stored: \(failure)") }
    }
    return Result(
      uri: path.uri, text: rendered.text, languageId: RenderedText.languageID,
      readOnly: rendered.isReadOnly || form.editing == nil, base: base.name)
  }
}

extension Snapshot {
  /// - Throws: `invalidParams` for a URI of no text.
  func textPath(_ uri: String, field: String) throws(RPCError) -> TextPath {
    guard let path = services.desk.path(of: uri) else {
      throw .invalidParams(field: field, reason: Text("text.noText", ["uri": uri]))
    }
    return path
  }
}
