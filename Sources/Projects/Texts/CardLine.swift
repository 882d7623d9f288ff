import Kit
import Store
import Wire

/// A card as one line of a text:
///
///     - [ ] Return the book due:2026-11-24T17:30 start:2026-11-20 !1 #errands after:^p9qx rec:FREQ=DAILY
///
/// `start:someday` is a card for later without a day. It has a name since many titles end in "someday".
///
/// The fields are read from the end backwards while they are fields. What precedes them is the title, in which a word
/// that would read as a field has one `\` more.
struct CardLine: Equatable {
  var isDone = false
  var title = ""
  /// `2026-11-24`, or a day in words.
  var due: String?
  var time: String?
  /// `2026-11-20`, a day in words, or its distance from the deadline, `-3d`.
  var start: String?
  var isSomeday = false
  /// The fields that have a sign (``CardSign``), by their names.
  var signed: [String: JSONValue] = [:]
  var tags: [String] = []
  /// The anchors of its blockers.
  var after: [String] = []
  var rule: String?

  init() {}

  // MARK: - Writing

  var text: String {
    var text = isDone ? "- [x] " : "- [ ] "
    text += title.utf8.contains(where: Self.isOfFields) ? Self.escaped(title: title) : title
    if let due { text += " due:" + Self.quoted(due) + (time.map { "T" + $0 } ?? "") }
    if let start { text += " start:" + Self.quoted(start) }
    if isSomeday { text += " start:" + Self.someday }
    for sign in CardSign.all { if let value = signed[sign.name] { text += " " + sign.word(value) } }
    for tag in tags { text += " #" + Self.quoted(tag) }
    for anchor in after { text += " after:^" + anchor }
    if let rule { text += " rec:" + rule.filter { !$0.isWhitespace } }
    return text
  }

  /// The line from which this was read, with other days; all else stays as it is written.
  func replacingDays(in line: String, with dated: CardLine) -> String {
    var line = line
    for (name, old, new) in [(" due:", due, dated.due), (" start:", start, dated.start)] {
      guard let old, let new, old != new else { continue }
      // The last one is the field: what precedes it is the title.
      let places = ["\(name)\(old)", "\(name)\"\(old)\""].compactMap { line.lastRange(of: $0) }
      guard let place = places.max(by: { $0.lowerBound < $1.lowerBound }) else { continue }
      line.replaceSubrange(place, with: name + new)
    }
    return line
  }

  /// Whether a byte is one of those of which every word that `isField` accepts has one. Most titles have none.
  private static func isOfFields(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ":") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "^") || CardSign.begins(with: byte)
  }

  private static func escaped(title: String) -> String {
    // By bytes: a blank before a combining mark is no character of its own.
    let words = title.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    return words.map { escaped(Substring($0)) }.joined(separator: " ")
  }

  private static func escaped(_ word: Substring) -> Substring { isField(word) ? "\\" + word : word }

  /// Whether a word reads as a field or an anchor, after any number of `\`.
  private static func isField(_ word: Substring) -> Bool {
    let rest = word.utf8.drop { $0 == backslash }
    func begins(_ prefix: String) -> Bool { rest.starts(with: prefix.utf8) && rest.count > prefix.utf8.count }
    if begins("due:") || begins("start:") || begins("#") || begins("rec:") || begins("after:^") { return true }
    if rest.first == UInt8(ascii: "^") { return TextAnchor.isAnchor(Substring(rest.dropFirst()).utf8) }
    return CardSign.read(Substring(rest)) != nil
  }

  /// `errands`, `"two words"`.
  private static func quoted(_ value: String) -> String {
    let isPlain = !value.utf8.contains { $0 == UInt8(ascii: " ") || $0 == quote || $0 == backslash }
    if isPlain { return value }
    var quoted: [UInt8] = []
    for byte in value.utf8 {
      if byte == quote || byte == backslash { quoted.append(backslash) }
      quoted.append(byte)
    }
    return "\"" + String(decoding: quoted, as: UTF8.self) + "\""
  }

  private static let someday = "someday"
  private static let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))

  // MARK: - Reading

  /// Parses a line without its anchor; nil for a line that is no item of a list.
  init?(_ line: Substring) {
    guard let (isDone, words) = Self.body(of: line) else { return nil }
    self.isDone = isDone ?? false
    var rest = Array(words.utf8)
    while let (start, field) = Self.lastField(of: rest), take(field) { rest.removeLast(rest.count - start) }
    let title = rest.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map { bytes -> String in
      let word = String(decoding: bytes, as: UTF8.self)
      return bytes.first == Self.backslash && Self.isField(Substring(word))
        ? String(word.unicodeScalars.dropFirst()) : word
    }
    self.title = title.joined(separator: " ")
    (tags, after) = (tags.reversed(), after.reversed())
  }

  /// A line as somebody writes it, without its anchor. Tabs, which no title has, are blanks, and those at the end nothing.
  ///
  /// - Parameter isKnown: whether an anchor is that of a card of the text.
  static func written(
    _ line: Substring, isKnown: (_ anchor: String) -> Bool
  ) -> (rest: Substring, anchor: String?) {
    var line = line.utf8.contains(UInt8(ascii: "\t")) ? line.replacing("\t", with: " ") : line
    while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
    return split(line, isKnown: isKnown)
  }

  /// As `TextAnchor.split`. A line that goes on after the anchor of a known item is that item's, with the words after it.
  static func split(
    _ line: Substring, isKnown: (_ anchor: String) -> Bool
  ) -> (rest: Substring, anchor: String?) {
    let found = TextAnchor.split(line)
    guard found.anchor == nil, line.utf8.contains(UInt8(ascii: "^")) else { return found }
    var words = line.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map { Substring($0) }
    let place = words.lastIndex { word in
      let name = word.dropFirst()
      return word.utf8.first == UInt8(ascii: "^") && TextAnchor.isAnchor(name.utf8) && isKnown(String(name))
    }
    guard let place, place > 0 else { return found }
    let anchor = String(words.remove(at: place).dropFirst())
    return (Substring(words.joined(separator: " ")), anchor)
  }

  /// The text after the mark of a list and the box, which may be missing.
  private static func body(of line: Substring) -> (isDone: Bool?, words: Substring)? {
    var rest = line.utf8
    if let mark = rest.first, [UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+")].contains(mark) {
      rest = rest.dropFirst()
    } else {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      guard (1...9).contains(digits.count), rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ")") else {
        return nil
      }
      rest = rest.dropFirst()
    }
    guard rest.first == UInt8(ascii: " ") else { return nil }
    rest = rest.dropFirst()
    let box = Array(rest.prefix(4))
    guard box.count >= 3, box[0] == UInt8(ascii: "["), box[2] == UInt8(ascii: "]"),
      box.count == 3 || box[3] == UInt8(ascii: " "),
      [UInt8(ascii: " "), UInt8(ascii: "x"), UInt8(ascii: "X")].contains(box[1])
    else { return (nil, Substring(rest)) }
    return (box[1] != UInt8(ascii: " "), Substring(rest.dropFirst(box.count)))
  }

  private enum FieldText {
    case due(String)
    case start(String)
    case signed(String, JSONValue)
    case tag(String)
    case after(String)
    case rule(String)
  }

  /// Stores a field; false for a second one of those that a card has once.
  private mutating func take(_ field: FieldText) -> Bool {
    switch field {
    case .due(let text):
      guard due == nil else { return false }
      (due, time) = Self.dayAndTime(text)
    case .start(Self.someday):
      guard !isSomeday else { return false }
      isSomeday = true
    case .start(let text):
      guard start == nil else { return false }
      start = text
    case .signed(let name, let value):
      guard signed[name] == nil else { return false }
      signed[name] = value
    case .tag(let tag): tags.append(tag)
    case .after(let anchor): after.append(anchor)
    case .rule(let text):
      guard rule == nil else { return false }
      rule = text
    }
    return true
  }

  /// `2026-11-24T17:30`; a day in words has no time.
  private static func dayAndTime(_ text: String) -> (day: String, time: String?) {
    let bytes = Array(text.utf8)
    guard bytes.count == 16, bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":") else { return (text, nil) }
    return (String(decoding: bytes[..<10], as: UTF8.self), String(decoding: bytes[11...], as: UTF8.self))
  }

  /// The field at the end of a line, and where the blank before it is.
  private static func lastField(of bytes: [UInt8]) -> (start: Int, field: FieldText)? {
    if bytes.last == quote, let quoted = quotedField(of: bytes) { return quoted }
    guard let blank = bytes.lastIndex(of: UInt8(ascii: " ")) else { return nil }
    let word = bytes[(blank + 1)...]
    func rest(after prefix: String) -> String? {
      guard word.starts(with: prefix.utf8), word.count > prefix.utf8.count else { return nil }
      return String(decoding: word.dropFirst(prefix.utf8.count), as: UTF8.self)
    }
    if let (field, value) = CardSign.read(Substring(decoding: word, as: UTF8.self)) {
      return (blank, .signed(field.name, value))
    }
    if let day = rest(after: "due:") { return (blank, .due(day)) }
    if let day = rest(after: "start:") { return (blank, .start(day)) }
    if let tag = rest(after: "#") { return (blank, .tag(tag)) }
    if let anchor = rest(after: "after:^") { return (blank, .after(anchor)) }
    if let rule = rest(after: "rec:") { return (blank, .rule(rule)) }
    return nil
  }

  /// `#"two words"`, `due:"next friday"` or `start:"next friday"` at the end of a line.
  private static func quotedField(of bytes: [UInt8]) -> (start: Int, field: FieldText)? {
    // The opening quote is the last one before which a blank and the name of a field stand.
    var place = bytes.count - 2
    let most = 2_000  // bytes of a tag or of days in words, with what escapes them
    while place > max(0, bytes.count - most) {
      defer { place -= 1 }
      guard bytes[place] == quote, let text = unquoted(bytes[(place + 1)..<(bytes.count - 1)]) else { continue }
      for (prefix, make) in [(" #", FieldText.tag), (" due:", FieldText.due), (" start:", FieldText.start)] {
        let start = place - prefix.utf8.count
        if start >= 0, bytes[start..<place].elementsEqual(prefix.utf8), !text.isEmpty { return (start, make(text)) }
      }
    }
    return nil
  }

  /// The text between two quotes; nil if there is another quote in it.
  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> String? {
    var text: [UInt8] = []
    var isEscaped = false
    for byte in bytes {
      if !isEscaped, byte == quote { return nil }
      if !isEscaped, byte == backslash {
        isEscaped = true
        continue
      }
      text.append(byte)
      isEscaped = false
    }
    return isEscaped ? nil : String(decoding: text, as: UTF8.self)
  }
}

extension String {
  /// The last place of a text in this one.
  fileprivate func lastRange(of text: String) -> Range<Index>? {
    ranges(of: text).last
  }
}
