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
  /// Whether the `#words` of a typed text are its tags too.
  var readsTags = false

  /// Whether its words name items.
  var takesItem: Bool { text.flatMap { MethodNames.describe(method)?.params.field(at: [$0])?.isIDField } ?? false }

  static let search = ShortForm(method: KnownMethod.search, text: "text")
  static let today = ShortForm(method: "diary/day", text: "day")
  static let agenda = ShortForm(method: "projects/agenda", text: "from")
  static let jot = ShortForm(method: "notes/add", text: "text", readsTags: true)
  static let note = ShortForm(method: "diary/add", text: "text", readsTags: true)
  static let task = ShortForm(method: "projects/add", text: "line")
  static let done = ShortForm(method: "projects/move", text: "id", usual: ["state=done"])
  static let undo = ShortForm(method: "changes/undo", text: nil)

  /// The methods whose reply is the added item, which the user has just written.
  private static let adding = Set([note, jot, task].map(\.method))

  /// By the command.
  static let all = [
    "search": search, "today": today, "agenda": agenda, "note": note, "jot": jot, "do": task, "done": done,
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
      guard let field = description.params.field(at: [String(key)]),
        !sameBytes(field.name, text ?? "") || field.isLine
      else {
        try refuseLikeParam(word, key, description, voice)
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
    let named = Set(pairs.map { String($0.prefix { !"=.:".contains($0) }) })
    pairs += usual.filter { !named.contains(String($0.prefix { $0 != "=" })) }
    guard let text else {
      if let word = rest.first { throw voice.failure(.usage, Text("command.takesNoWords", ["word": word])) }
      return pairs
    }
    if rest.isEmpty {
      // A template stands for the text.
      guard case .object(let shape) = description.params,
        !shape.needs(text) || named.contains(text)
          || shape.exactlyOne.contains(where: { $0.contains(text) && !named.isDisjoint(with: $0) }),
        !pairs.isEmpty || method != KnownMethod.search
      else {
        throw voice.failure(.usage, Text("command.needsWords"))
      }
      return pairs
    }
    if rest.count > 1, takesItem, rest.allSatisfy({ Handle($0).isNumber }) {
      return rest.map { "ids=\($0)" } + pairs
    }
    // As JSON, so that neither `@` nor other syntax applies to it.
    return ["\(text):=\(JSONValue.string(rest.joined(separator: " ")))"] + pairs
  }

  /// The tags that a text states with a sign, `Water the figs #garden`, as parameters; the text keeps them. `#12` is an
  /// issue or a page.
  static func tags(in words: [String]) -> [String] {
    var tags: [String] = []
    for word in words.flatMap({ $0.split(whereSeparator: \.isWhitespace) }) where word.first == "#" {
      var tag = word.dropFirst()
      while let last = tag.last, ".,;:!?)".contains(last) { tag.removeLast() }
      if !tag.contains("#"), !tag.allSatisfy({ $0.isNumber || $0.isPunctuation }), !tags.contains(String(tag)) {
        tags.append(String(tag))
      }
    }
    return tags.isEmpty ? [] : ["tags:=" + JSONValue.array(tags.map { .string($0) }).description]
  }

  /// A word such as `due=friday`, where the parameter is `deadline`, is no part of a title or a query. In a text of
  /// several lines it may be anything.
  private func refuseLikeParam(
    _ word: String, _ key: Substring, _ description: MethodDescription, _ voice: Voice
  ) throws(Failure) {
    guard let text, case .object(let shape) = description.params, shape[field: text]?.isLine == true,
      key.allSatisfy({ $0.isASCII && $0.isLetter })
    else { return }
    let names = shape.fields.map(\.name).filter { !sameBytes($0, text) }
    let meant =
      FieldSynonyms.field(meantBy: String(key), among: names)
      ?? (key.count > 3 ? likelyName(for: String(key), among: names) : nil)
    guard let meant else { return }
    let instead = meant + word[key.endIndex...]
    throw voice.failure(.usage, Text("command.wordLikeParam", ["word": word, "instead": instead]))
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
    let tags = readsTags ? Self.tags(in: words) : []
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
    var params = try params(of: words, description, place.voice)
    if !params.contains(where: { $0.hasPrefix("tags=") || $0.hasPrefix("tags:=") }) { params += tags }
    var output = output
    output.brief =
      Self.adding.contains(method) ? Text("table.added") : method == Self.done.method ? Text("table.finished") : nil
    let call = MethodCall(method: method, params: params, output: output, locale: locale, library: library)
    do {
      try await call.run()
    } catch let failure as Failure {
      throw file?.named(in: failure) ?? failure
    }
    file?.remove()
  }
}
