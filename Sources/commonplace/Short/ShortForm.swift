import Contract
import Daemon
import Glibc
import Wire

/// A command that calls one method with the words that follow it: `commonplace search slow river`. Words such as
/// `limit=5`, which name a parameter of the method, are parameters; all others together are the text.
struct ShortForm {
  let method: String
  /// The parameter for the words, which need not be there if the method can do without; nil if it takes none.
  let text: String?
  /// Arguments of `call`, unless others are given for the same parameters.
  var usual: [String] = []

  /// Whether its words name items.
  var takesItem: Bool { text.flatMap { MethodNames.describe(method)?.params.field(at: [$0])?.isIDField } ?? false }

  static let search = ShortForm(method: KnownMethod.search, text: "text")
  static let today = ShortForm(method: "diary/day", text: "day")
  static let agenda = ShortForm(method: "projects/agenda", text: "from")
  static let next = ShortForm(
    method: "projects/list", text: "query", usual: ["sort=urgency", "ready=true", "allBoards=true", "limit=10"])
  static let jot = ShortForm(method: "notes/add", text: "text")
  static let note = ShortForm(method: "diary/add", text: "text")
  static let task = ShortForm(method: "projects/add", text: "line")
  static let done = ShortForm(method: "projects/move", text: "id", usual: ["state=done"])
  static let keep = ShortForm(method: "boards/keep", text: "url")
  static let undo = ShortForm(method: "changes/undo", text: nil)

  /// The methods whose reply is the added item, which the user has just written.
  private static let adding = Set([note, jot, task].map(\.method))

  /// By the command.
  static let all = [
    "search": search, "today": today, "agenda": agenda, "next": next, "note": note, "jot": jot, "do": task,
    "done": done, "keep": keep, "undo": undo,
  ]
}

extension ShortForm {
  /// The text of the configured template if today has no entry yet; empty otherwise.
  ///
  /// - Throws: `Failure` if the daemon cannot be reached, or if the template cannot be read.
  private static func beginningOfDay(_ place: Place) async throws(Failure) -> String {
    let conversation = try await Conversation.open(place, from: .shared)
    do throws(Failure) {
      let listed = try await conversation.ask("diary/list", ["from": "today", "to": "today", "limit": 1])
      var text = ""
      if listed["total"] == 0 {
        let entry = try await conversation.ask(note.method, ["template": "", "dryRun": true])
        text = entry["text"]?.stringValue ?? ""
      }
      await conversation.end()
      return text
    } catch {
      await conversation.end()
      // Most users have no template.
      if error.data?["key"] == "diary.noUsualTemplate" { return "" }
      throw error
    }
  }

  func run(_ words: [String], _ output: Output, locale: String?, _ library: Paths.Options) async throws {
    let place = try Place(library, locale: locale)
    let description = try place.method(method)
    let (pairs, rest) = try split(words, description, place.voice)
    var content: String?
    var file: TemporaryText?
    if text != nil, rest == ["-"] {
      guard let input = String(validating: Input.all(), as: UTF8.self) else {
        throw place.voice.failure(.usage, Text("command.notUTF8", ["name": "-"]))
      }
      content = input
    } else if rest.isEmpty, Self.adding.contains(method), words.isEmpty || !isComplete(pairs, description),
      isatty(STDIN_FILENO) == 1, let text, description.params.field(at: [text])?.isLine == false
    {
      // A text of several lines is written in the editor.
      let isOfToday = method == Self.note.method && !Self.names(of: pairs).contains("day")
      let beginning = isOfToday ? try await Self.beginningOfDay(place) : ""
      let written = try TemporaryText(beginning, place)
      let edited = try written.edited()
      guard !edited.isBlank, beginning.isEmpty || !sameBytes(edited, beginning) else {
        written.remove()
        throw place.voice.failure(.usage, Text("command.notSaved"))
      }
      (file, content) = (written, edited)
    }
    let params =
      if let content, let text { [param(for: content, text)] + pairs } else {
        try params(of: words, description, place.voice)
      }
    var output = output
    let isAdded = Self.adding.contains(method) || method == Self.keep.method
    output.brief = isAdded ? Text("table.added") : method == Self.done.method ? Text("table.finished") : nil
    let call = MethodCall(method: description, params: params, output: output, locale: locale, library: library)
    do {
      try await call.run()
    } catch let failure as Failure {
      throw file?.named(in: failure) ?? failure
    }
    file?.remove()
  }
}
