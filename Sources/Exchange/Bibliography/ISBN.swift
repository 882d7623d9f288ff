/// An International Standard Book Number (ISO 2108), checked and stored as thirteen digits, so that its two forms are
/// equal.
package struct ISBN: Hashable, Sendable {
  /// Thirteen ASCII digits.
  package let digits: String

  /// Parses ten or thirteen digits with separators and text around them: hyphens of any kind, spaces, `ISBN-13:`, the
  /// `="…"` by which some programs keep a spreadsheet from converting it to a number. `nil` if the check digit is
  /// wrong: a mistyped number names another book, or none.
  package init?(_ text: String) {
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

  /// A number that was stored: thirteen digits.
  package init?(stored digits: String) {
    guard digits.utf8.count == 13, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.digits = digits
  }

  /// The old form; numbers that begin with 979 have none.
  package var ten: String? {
    guard digits.utf8.starts(with: "978".utf8) else { return nil }
    let nine = Array(digits.utf8.dropFirst(3).prefix(9))
    let rest = (11 - Self.sum10(nine.map { Int($0) - 0x30 }) % 11) % 11
    return String(decoding: nine, as: UTF8.self) + (rest == 10 ? "X" : String(rest))
  }

  /// Every valid number, in their order, without duplicates.
  package static func all(in texts: [String]) -> [ISBN] {
    if texts.count < 2 { return texts.compactMap { ISBN($0) } }
    var seen: Set<ISBN> = []
    return texts.compactMap { ISBN($0) }.filter { seen.insert($0).inserted }
  }

  /// The fast path for thirteen digits without separators, the most frequent form.
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

  /// The digits of a number in the usual form of catalogues, with hyphens or nothing between them. A work in a
  /// catalogue has hundreds of numbers.
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

  /// The digits of a text that contains nothing else; a final X is ten.
  private static func digits(in text: String) -> [Int]? {
    // A longer text is not a single number.
    guard text.utf8.count <= 64 else { return nil }
    var scalars = Substring(text).unicodeScalars[...]
    while let first = scalars.first, first.properties.numericType == nil {
      // Text before the number: a word such as ISBN, an equals sign, a quotation mark.
      guard isSeparator(first) || "ISBNisbn:=".unicodeScalars.contains(first) else { return nil }
      scalars.removeFirst()
    }
    // The 10 or 13 of `ISBN-13:` is not part of the number.
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

  /// The sum with weights 1 and 3 in turn; a multiple of ten for a valid number.
  private static func sum13(_ digits: [Int]) -> Int {
    var sum = 0
    for (place, digit) in digits.enumerated() { sum += place.isMultiple(of: 2) ? digit : 3 * digit }
    return sum
  }

  /// The sum with weights from ten down; a multiple of eleven for a valid number.
  private static func sum10(_ digits: [Int]) -> Int {
    var sum = 0
    for (place, digit) in digits.enumerated() { sum += digit * (10 - place) }
    return sum
  }

  private static func text(of digits: [Int]) -> String {
    String(decoding: digits.map { UInt8($0) + UInt8(ascii: "0") }, as: UTF8.self)
  }
}
