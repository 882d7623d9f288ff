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

  static let search = ShortForm(method: KnownMethod.search, text: "text")
  static let today = ShortForm(method: "diary/day", text: "day")
  static let agenda = ShortForm(method: "projects/agenda", text: "from")
  static let jot = ShortForm(method: "notes/add", text: "text")
  static let note = ShortForm(method: "diary/add", text: "text")
  static let task = ShortForm(method: "projects/add", text: "line")
  static let keep = ShortForm(method: "boards/keep", text: "url")
  static let undo = ShortForm(method: "changes/undo", text: nil)

  /// The methods whose reply is the added item, which the user has just written.
  private static let adding = Set([note, jot, task].map(\.method))

  /// By the command.
  static let all = [
    "search": search, "today": today, "agenda": agenda, "note": note, "jot": jot, "do": task, "keep": keep,
    "undo": undo,
  ]
}

extension ShortForm {
  /// The equivalent arguments of `call`. Pages are counted from 1 here and from 0 there.
  ///
  /// - Throws: `Failure` if words are missing, or if the method takes none.
  func params(of words: [String], _ description: MethodDescription, _ voice: Voice) throws(Failure) -> [String] {
    var pairs: [String] = []
    var rest: [String] = []
    for word in words {
      guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
        rest.append(word)
        continue
      }
      let key = word[..<equals].prefix { $0 != "." && $0 != ":" }
      guard let field = description.params.field(at: [String(key)]), !sameBytes(field.name, text ?? "") else {
        rest.append(word)
        continue
      }
      let value = word[word.index(after: equals)...]
      if field.isPageFromZero, let page = Int64(value) {
        guard page > 0 else { throw voice.failure(.usage, Text("command.pagesFromOne")) }
        pairs.append("\(key)=\(page - 1)")
      } else {
        pairs.append(word)
      }
    }
    guard let text else {
      if let word = rest.first { throw voice.failure(.usage, Text("command.takesNoWords", ["word": word])) }
      return pairs
    }
    if rest.isEmpty {
      // A template stands for the text.
      let given = Set(pairs.map { String($0.prefix { !"=.:".contains($0) }) })
      guard case .object(let shape) = description.params,
        !shape.needs(text) || shape.exactlyOne.contains(where: { $0.contains(text) && !given.isDisjoint(with: $0) }),
        !pairs.isEmpty || method != KnownMethod.search
      else {
        throw voice.failure(.usage, Text("command.needsWords"))
      }
      return pairs
    }
    // As JSON, so that neither `@` nor other syntax applies to it.
    return ["\(text):=\(JSONValue.string(rest.joined(separator: " ")))"] + pairs
  }

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
    guard let description = MethodNames.describe(method) else { throw place.voice.failure(.unknownMethod(method)) }
    var words = words
    if text != nil, words == ["-"] {
      guard let input = String(validating: Input.all(), as: UTF8.self) else {
        throw place.voice.failure(.usage, Text("command.notUTF8", ["name": "-"]))
      }
      words = [input]
    }
    var file: TemporaryText?
    if words.isEmpty, Self.adding.contains(method), isatty(STDIN_FILENO) == 1, let text,
      description.params.field(at: [text])?.isLine == false
    {
      // A text of several lines is written in the editor.
      let beginning = method == Self.note.method ? try await Self.beginningOfDay(place) : ""
      let written = try TemporaryText(beginning, place)
      let content = try written.edited()
      guard !content.isBlank, beginning.isEmpty || !sameBytes(content, beginning) else {
        written.remove()
        throw place.voice.failure(.usage, Text("command.notSaved"))
      }
      (file, words) = (written, [content])
    }
    let params = try params(of: words, description, place.voice)
    var output = output
    output.isBrief = Self.adding.contains(method) || method == Self.keep.method
    let call = MethodCall(method: method, params: params, output: output, locale: locale, library: library)
    do {
      try await call.run()
    } catch let failure as Failure {
      throw file?.named(in: failure) ?? failure
    }
    file?.remove()
  }
}
