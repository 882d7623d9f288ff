/// An International Standard Book Number (ISO 2108), checked and kept as its thirteen digits, so that the two forms of
/// one number are equal.
struct ISBN: Hashable, Sendable {
  /// Thirteen ASCII digits.
  let digits: String

  /// Reads ten or thirteen digits with whatever stands between and around them: hyphens of any kind, blanks, `ISBN-13:`,
  /// the `="…"` by which some programs keep a spreadsheet from making a number of it. `nil` where the check digit does
  /// not fit: a number with a mistake in it names another book, or none.
  init?(_ text: String) {
    if let digits = Self.plainThirteen(text) {
      self.digits = digits
      return
    }
    guard let digits = Self.plain(text) ?? Self.digits(in: text) else { return nil }
    switch digits.count {
    case 13:
      guard digits.starts(with: [9, 7, 8]) || digits.starts(with: [9, 7, 9]), !digits.contains(10),
        Self.sum13(digits).isMultiple(of: 10)
      else { return nil }
      self.digits = Self.text(of: digits)
    case 10:
      guard Self.sum10(digits).isMultiple(of: 11) else { return nil }
      let first = [9, 7, 8] + digits.dropLast()
      self.digits = Self.text(of: first + [(10 - Self.sum13(first) % 10) % 10])
    default: return nil
    }
  }

  /// What was read once and kept: thirteen digits.
  init?(kept digits: String) {
    guard digits.utf8.count == 13, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.digits = digits
  }

  /// The old form; numbers that begin with 979 have none.
  var ten: String? {
    guard digits.utf8.starts(with: "978".utf8) else { return nil }
    let nine = Array(digits.utf8.dropFirst(3).prefix(9))
    let rest = (11 - Self.sum10(nine.map { Int($0) - 0x30 }) % 11) % 11
    return String(decoding: nine, as: UTF8.self) + (rest == 10 ? "X" : String(rest))
  }

  /// Every number that can be read, in their order, none twice.
  static func all(in texts: [String]) -> [ISBN] {
    if texts.count < 2 { return texts.compactMap { ISBN($0) } }
    var seen: Set<ISBN> = []
    return texts.compactMap { ISBN($0) }.filter { seen.insert($0).inserted }
  }

  /// A number that is written as it is kept here, as most are.
  private static func plainThirteen(_ text: String) -> String? {
    guard text.utf8.count == 13, text.utf8.starts(with: "978".utf8) || text.utf8.starts(with: "979".utf8) else {
      return nil
    }
    var sum: Int = 0
    var weight = 1
    for byte in text.utf8 {
      guard (0x30...0x39).contains(byte) else { return nil }
      sum += weight * Int(byte - 0x30)
      weight = 4 - weight
    }
    return sum.isMultiple(of: 10) ? text : nil
  }

  /// The digits of a number as catalogues write it, with nothing or hyphens between them. A work of a catalogue has
  /// hundreds of them.
  private static func plain(_ text: String) -> [Int]? {
    guard text.utf8.count <= 17 else { return nil }
    var digits: [Int] = []
    digits.reserveCapacity(13)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(Int(byte) - 0x30)
      case UInt8(ascii: "X") where digits.count == 9: digits.append(10)
      case UInt8(ascii: "-") where !digits.isEmpty: continue
      default: return nil
      }
    }
    return digits.count == 10 || digits.count == 13 ? digits : nil
  }

  /// The digits of a text that holds nothing else; a last X stands for ten.
  private static func digits(in text: String) -> [Int]? {
    // Nothing longer is one number with its ornaments.
    guard text.utf8.count <= 64 else { return nil }
    var scalars = Substring(text).unicodeScalars[...]
    while let first = scalars.first, first.properties.numericType == nil {
      // What stands before it: a word such as ISBN, an equals sign, a quotation mark.
      guard isSeparator(first) || "ISBNisbn:=".unicodeScalars.contains(first) else { return nil }
      scalars.removeFirst()
    }
    // The 10 or 13 of `ISBN-13:` is no part of the number.
    for prefix in ["13:", "10:", "13 ", "10 "] where String(scalars).hasPrefix(prefix) && scalars.count > 12 {
      scalars = scalars.dropFirst(prefix.unicodeScalars.count)
    }
    var digits: [Int] = []
    for scalar in scalars {
      if let digit = scalar.properties.numericType == .decimal ? scalar.properties.numericValue : nil {
        guard digits.count < 13 else { return nil }
        digits.append(Int(digit))
      } else if "Xx".unicodeScalars.contains(scalar), digits.count == 9 {
        digits.append(10)
      } else if !isSeparator(scalar) {
        return nil
      }
    }
    return digits
  }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .dashPunctuation || scalar.properties.isWhitespace || scalar == "\""
      || scalar == "\u{2212}" || scalar == "\u{AD}"
  }

  /// The sum with weights 1 and 3 in turn; of a whole number a multiple of ten.
  private static func sum13(_ digits: [Int]) -> Int {
    var sum = 0
    for (place, digit) in digits.enumerated() { sum += place.isMultiple(of: 2) ? digit : 3 * digit }
    return sum
  }

  /// The sum with weights from ten down; of a whole number a multiple of eleven.
  private static func sum10(_ digits: [Int]) -> Int {
    var sum = 0
    for (place, digit) in digits.enumerated() { sum += digit * (10 - place) }
    return sum
  }

  private static func text(of digits: [Int]) -> String {
    String(decoding: digits.map { UInt8($0) + UInt8(ascii: "0") }, as: UTF8.self)
  }
}
