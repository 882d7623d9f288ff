import Contract
import Display
import Wire

/// A member of an object of a reply, as it is shown to people. Its meaning is derived from the shape of the method's
/// result and from `display` alone: if that has a string of the same name, the string is shown.
struct ShownMember {
  var name: String
  var value: JSONValue
  /// Nil for a member of a newer daemon, which this version does not know.
  var shape: Shape?
  /// The name under which the catalogue has its label.
  private(set) var term: String

  init(name: String, value: JSONValue, shape: Shape? = nil) {
    (self.name, self.value, self.shape, term) = (name, value, shape, name)
  }

  private init(_ field: ObjectShape.Field, _ value: JSONValue) {
    (name, self.value, shape, term) = (field.name, value, field.shape, field.label)
  }

  /// Members that only programs use: they read JSON.
  private static let forPrograms: Set<String> = [
    "actions", "display", "epoch", "html", "modules", "placed", "prefix", "rank", "raw", "revision", "suffix", "untold",
  ]
  /// Members that calls accept only in this form, whatever their label.
  private static let forCalls: Set<String> = ["clock", "confirm", "cursor", "id", "ids", "next"]
  /// Members that calls also accept by their label.
  private static let alsoByWord: Set<String> = ["state"]
  /// Members that one of these repeats or exceeds.
  private static let shorter = ["preview": ["contents", "body", "text"], "body": ["text"]]

  /// Whether a member of another of these names contains everything that this one does.
  static func isPart(_ name: String, of names: [String]) -> Bool {
    shorter[name]?.contains(where: names.contains) == true
  }

  /// In bytes; longer values are shown one below the other.
  private static let longest = 40
  private static let ofEveryItem: Set<String> = ["createdAt", "updatedAt"]

  /// The members worth showing, in the order of the shape. `outer` is the `display` of the object around this one,
  /// for names that it has no member of its own for.
  static func members(
    of given: JSONObject, shape: ObjectShape?, outer: JSONValue? = nil, isInList: Bool = false, isInner: Bool = false
  ) -> [ShownMember] {
    let object = StoredValue.version(given)
    let display = object["display"]
    let isItem = object["id"] != nil
    // False values of an item are not worth showing; in a reply that only names an item, they may be the only
    // content.
    let isThing = isItem && (object["createdAt"] != nil || object["title"] != nil)
    // If `display` is a sentence, it replaces a choice's word; but at the top level of a reply the word is shown too.
    let sentence = display?.stringValue.map { ShownMember(name: "message", value: .string($0)) }
    let known = shape?.fields.map(\.name) ?? []
    let others = object.members.map(\.key).filter { key in !known.contains { sameBytes($0, key) } }
    let members = (known + others).compactMap { name -> ShownMember? in
      guard let value = object[name], !forPrograms.contains(name) || (!isItem && sameBytes(name, "actions")),
        !(isInList && ofEveryItem.contains(name)),
        // Beside the page, its label would only repeat it: `3 / 12`.
        !(isInList && object["page"] != nil && shape?[field: name]?.label == "pageLabel"),
        // The end of a list needs no word.
        !(sameBytes(name, "hasMore") && value == false), !(sameBytes(name, "unlisted") && value == 0),
        // Beside a sentence about a state, such as that sync is off or done, zeros only repeat it.
        !(value == 0 && !isInList && !isInner && !isItem && display?["message"] != nil && object["state"] != nil),
        // Every reply has it.
        !(sameBytes(name, "clock") && shape?[field: name] == nil && !isInList),
        !isPart(name, of: object.keys.filter { object[$0]?.stringValue?.isEmpty == false })
      else { return nil }
      let field = shape?[field: name]
      if isThing || isInner || (isItem && isInList), value.boolValue == false { return nil }
      if sentence != nil, isInList || isInner, case .choice? = field?.shape { return nil }
      var member = field.map { ShownMember($0, value) } ?? StoredValue.member(name, value)
      if let words = member.words(in: display) ?? (member.isWord ? member.words(in: outer) : nil) {
        (member.value, member.shape) = (words, nil)
      }
      // A member without a kind may be shown by its collection's name.
      if sameBytes(name, "collection"), object["kind"] == nil, let kind = display?["kind"]?.stringValue {
        (member.value, member.shape) = (.string(kind), nil)
      }
      if let page = member.value.integerValue, field?.isPageFromZero == true { member.value = ShownPage.counted(page) }
      return member.isEmpty || member.isPlace ? nil : member
    }
    return members + (sentence.map { [$0] } ?? [])
  }

  /// The display strings of this name. Ids are needed by commands, and days and moments have one form on a page.
  private func words(in display: JSONValue?) -> JSONValue? {
    guard !Self.forCalls.contains(name), shape != .text(.id) || Self.alsoByWord.contains(name),
      shape != .text(.instant), shape != .text(.day),
      let words = display?[name],
      words.isWords
    else { return nil }
    return words
  }

  /// Whether it is a word or an object, for which an object around it may have a display string; a text or a number
  /// of the same name is a different value there.
  private var isWord: Bool {
    switch shape {
    case .choice, .object: true
    default: false
    }
  }

  /// The id for other calls: it is copied and not read, so it is last.
  var isID: Bool {
    switch shape {
    case .text(.id), .array(.text(.id)): true
    default: sameBytes(name, "id")
    }
  }

  private var isEmpty: Bool {
    switch value {
    case .null: true
    case .string(let text): text.isEmpty
    case .array(let elements): elements.isEmpty
    case .object(let object): object.isEmpty
    default: false
    }
  }

  /// The place of something on a page or in a text, which is not shown.
  private var isPlace: Bool {
    switch shape {
    case .array(.number), .array(.array(.number)): true
    case .array(.object(let element)):
      !sameBytes(name, "items")
        && (element.fields.contains { $0.shape == .array(.number) || $0.shape == .array(.array(.number)) }
          || Set(element.fields.map(\.name)) == ["offset", "length"])
    default: false
    }
  }

  // MARK: - Words

  /// On one line, or unchanged if it is a text of several; nil for a value that has parts of its own.
  func words(on screen: Screen) -> String? {
    if sameBytes(name, "fields"), let names = value.arrayValue?.compactMap(\.stringValue), !names.isEmpty {
      return names.map(screen.label).joined(separator: ", ")
    }
    if ["bytes", "size"].contains(where: { sameBytes($0, name) }), let bytes = value.integerValue, bytes >= 1_000 {
      return ByteCount(bytes).string(in: .english, catalogue: Self.catalogue)
    }
    return Self.words(value, shape, on: screen)
  }

  private static let catalogue = Catalogue()

  /// Without binary rounding errors: `595.28`.
  private static func rounded(_ number: Double) -> String {
    let hundredths = (number * 100).rounded()
    guard abs(hundredths) < 1e15 else { return JSONValue.number(number).description }
    let value = JSONValue.number(hundredths / 100).description
    return value.hasSuffix(".0") ? String(value.dropLast(2)) : value
  }

  private static func words(_ value: JSONValue, _ shape: Shape?, on screen: Screen) -> String? {
    switch value {
    case .string(let text):
      if case .choice? = shape { return screen.word(text) }
      return shape == .text(.instant) ? Instant(text).map(screen.moment) ?? text : text
    case .bool(let isSo): return screen.say(Text(isSo ? "value.yes" : "value.no"))
    case .null: return nil
    case .array(let elements):
      guard elements.allSatisfy({ $0.objectValue == nil && $0.arrayValue == nil }) else { return nil }
      var element: Shape?
      if case .array(let inner) = shape { element = inner }
      let all = elements.compactMap { words($0, element, on: screen) }
      // Sentences and paths have a line each.
      return all.joined(separator: all.contains { $0.utf8.count > longest } ? "\n" : ", ")
    case .object(let object):
      if let problem = ShownItem.sentences(value) { return problem }
      return few(object, shape, on: screen)
    case .number(let number): return rounded(number)
    default: return value.description
    }
  }

  /// A few numbers: “page 120, percent 50”.
  private static func few(_ object: JSONObject, _ shape: Shape?, on screen: Screen) -> String? {
    var inner: ObjectShape?
    if case .object(let known) = shape { inner = known }
    let members = members(of: object, shape: inner, isInner: true)
    guard members.count <= 4 else { return nil }
    var words: [String] = []
    for member in members {
      guard member.value.objectValue == nil, let text = member.words(on: screen), text.utf8.count <= longest,
        !text.contains(where: \.isNewline)
      else { return nil }
      words.append(screen.label(member.term) + " " + text)
    }
    let few = words.joined(separator: ", ")
    return few.utf8.count <= longest ? few : nil
  }
}

extension JSONValue {
  /// A text or several, and no object.
  fileprivate var isWords: Bool {
    stringValue?.isEmpty == false || arrayValue?.allSatisfy { $0.stringValue != nil } == true
  }
}
