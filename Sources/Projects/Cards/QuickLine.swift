import Contract
import Display
import Kit
import Store
import Wire

/// A card written as one line: `Pay rent tomorrow 9am #home !1`.
///
/// Tags and a priority may stand anywhere. A day and a time stand together at the end, or at the beginning, where
/// Korean, Japanese and Chinese have them: the longest phrase that is a day, with a time or without one, or the time of
/// today. A word after a backslash is part of the title.
struct QuickLine {
  /// The fields that were read, as params of `projects/add`.
  private(set) var values: JSONObject = [:]
  /// The parts of the line that they were read from.
  private(set) var parts: [UnderstoodPart] = []

  /// The most words of a day with a time.
  private static let longestPhrase = 7

  /// - Parameter given: the names of the params that are given apart from the line, which are not read from it.
  init(_ line: String, given: Set<String>, in snapshot: Snapshot) {
    var words: [Substring] = []
    var tags: [String] = []
    for word in line.split(whereSeparator: \.isWhitespace) {
      if !given.contains("tags"), let tag = Self.tag(word) {
        tags.append(tag)
        parts.append(UnderstoodPart(field: "tags", text: String(word)))
      } else if !given.contains("priority"), values["priority"] == nil, let priority = Self.priority(word) {
        values["priority"] = .integer(priority)
        parts.append(UnderstoodPart(field: "priority", text: String(word)))
      } else {
        words.append(word)
      }
    }
    if !tags.isEmpty { values["tags"] = .array(tags.map { .string($0) }) }
    // A line of nothing but fields is a title.
    if words.isEmpty {
      (words, values, parts) = (line.split(whereSeparator: \.isWhitespace), [:], [])
    } else if given.isDisjoint(with: ["deadline", "time"]) {
      readDay(in: &words, snapshot)
    }
    let title = words.map { $0.first == "\\" && $0.utf8.count > 1 ? $0.dropFirst() : $0 }.joined(separator: " ")
    values["title"] = .string(title)
  }

  private static func tag(_ word: Substring) -> String? {
    let tag = word.dropFirst()
    return word.first == "#" && !tag.isEmpty && !tag.contains("#") ? String(tag) : nil
  }

  private static func priority(_ word: Substring) -> Int64? {
    word.wholeMatch(of: /!([1-9])/).flatMap { Int64($0.output.1) }
  }

  /// Reads the longest phrase at the end, else at the beginning, and removes it. The title keeps at least one word.
  private mutating func readDay(in words: inout [Substring], _ snapshot: Snapshot) {
    let sizes = (1...Self.longestPhrase).reversed().filter { $0 < words.count }
    let ends = sizes.map { words.count - $0..<words.count } + sizes.map { 0..<$0 }
    for range in ends {
      let phrase = words[range]
      if phrase.contains(where: { $0.first == "\\" }) { continue }
      guard let (day, time) = Self.dayAndTime(Array(phrase), snapshot) else { continue }
      values["deadline"] = .string(day.description)
      if let time { values["time"] = .string(time) }
      parts.append(UnderstoodPart(field: "deadline", text: phrase.joined(separator: " ")))
      words.removeSubrange(range)
      return
    }
  }

  /// The meaning of words: a day, a day and a time in either order, or a time of today; nil for other words.
  private static func dayAndTime(_ words: [Substring], _ snapshot: Snapshot) -> (day: CalendarDay, time: String?)? {
    if let day = day(words[...], snapshot) { return (day, nil) }
    for cut in words.indices.dropFirst() {
      // "at" belongs to the time.
      let front = words[..<cut].last?.lowercased() == "at" ? words[..<cut].dropLast() : words[..<cut]
      if let time = time(words[cut...]), let day = day(front, snapshot) { return (day, time) }
      if let time = time(words[..<cut]), let day = day(words[cut...], snapshot) { return (day, time) }
    }
    let bare = words.first?.lowercased() == "at" ? words.dropFirst() : words[...]
    return time(bare).map { (snapshot.services.today(for: snapshot.reader), $0) }
  }

  private static func day(_ words: ArraySlice<Substring>, _ snapshot: Snapshot) -> CalendarDay? {
    let text = words.joined(separator: " ")
    guard TextForm.givenDay.accepts(text) else { return nil }
    if let day = CalendarDay(text) { return day }
    let today = snapshot.services.today(for: snapshot.reader).yearMonthDay
    let read = NaturalDate.read(text, today: today, leaning: .ahead, locale: snapshot.reader.locale)
    return read == nil ? nil : try? GivenDay(stringLiteral: text).deadline(in: snapshot)
  }

  private static func time(_ words: ArraySlice<Substring>) -> String? {
    let text = words.joined(separator: " ")
    return text.isEmpty || text.unicodeScalars.count > TimeOfDay.longestText ? nil : try? TimeOfDay.stored(text)
  }
}

/// A part of a line that was read as a field.
struct UnderstoodPart: Payload, Equatable {
  var field: String
  var text: String
  static let example = UnderstoodPart(field: "deadline", text: "tomorrow 9am")
  static let fields = [
    "field": "The field: `deadline`, with its time if it has one, `tags` or `priority`.",
    "text": "The words of the line.",
  ]
}

/// The params of `projects/add`: a title and further fields, or a line that has them all.
struct NewProject: ItemParams {
  typealias Shown = ShownProject
  let given: JSONObject
  init(given: JSONObject) { self.given = given }

  static let typeName = NewItem<ShownProject>.typeName
  static var members: [ObjectShape.Field] {
    NewItem<ShownProject>.members.map { member in
      var member = member
      if sameBytes(member.name, "title") { member.presence = .optional }
      return member
    } + [
      .param(
        "line", String.self, .optional, limits: .length(1...ProjectRecord.longestTitle, notBlank: true),
        "The card as one line: `Pay rent tomorrow 9am #home !1`. Tags and the priority may stand anywhere, the deadline "
          + "with its time at the end or the beginning, in any language that dates have here; the rest is the title. A "
          + "word after a backslash is part of the title. A field that is given apart is not read from the line.")
    ]
  }
  static let exactlyOne = [["title", "line"]]

  var values: JSONObject { NewItem<ShownProject>(given: given).values }
}
