import Exchange
import Kit
import Wire

/// A content line of iCalendar (RFC 5545, 3.1): `NAME;PARAMETER=value;…:value`.
///
/// It keeps its text with all folds. A line that cannot be parsed has an empty name, and is written back unchanged.
struct ICalendarLine: Sendable, Equatable {
  struct Parameter: Sendable, Equatable {
    var name: String
    var value: String
  }

  /// The text in the file, without its last line end; folds are CRLF and a space.
  var text: String
  /// In capitals: names are case-insensitive.
  var name = ""
  var parameters: [Parameter] = []
  /// The raw value, with its escapes.
  var value = ""
  /// The number of its first line in the file, from 1.
  var number = 0

  subscript(parameter: String) -> String? { parameters.first { $0.name == parameter }?.value }

  init(_ name: String, _ parameters: [(String, String)] = [], _ value: String) {
    self.name = name
    self.parameters = parameters.map { Parameter(name: $0.0, value: $0.1) }
    self.value = value
    let words = self.parameters.map { ";\($0.name)=\(Self.quoted($0.value))" }.joined()
    text = Self.folded("\(name)\(words):\(value)")
  }

  /// Quotes a value only if it needs quotes; a quote itself cannot be in one (3.2).
  private static func quoted(_ value: String) -> String {
    let plain = value.filter { $0 != "\"" }
    return plain.contains { ":;,".contains($0) } ? "\"\(plain)\"" : plain
  }

  /// Reads an unfolded line.
  init(unfolded line: String, text: String, number: Int) {
    self.text = text
    self.number = number
    let bytes = Array(Array(line.utf8).withoutByteOrderMark)
    guard let nameEnd = bytes.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }), nameEnd > 0
    else { return }
    var place = nameEnd
    var parameters: [Parameter] = []
    while place < bytes.count, bytes[place] == UInt8(ascii: ";") {
      guard let end = Self.parameterEnd(in: bytes, from: place + 1) else { return }
      let parts = bytes[(place + 1)..<end].split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return }
      parameters.append(
        Parameter(
          name: String(decoding: parts[0], as: UTF8.self).uppercased(),
          value: String(decoding: parts[1].filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)))
      place = end
    }
    guard place < bytes.count else { return }
    name = String(decoding: bytes[..<nameEnd], as: UTF8.self).uppercased()
    self.parameters = parameters
    value = String(decoding: bytes[(place + 1)...], as: UTF8.self)
  }

  /// The `;` or `:` after a parameter; in quotes both stand for themselves.
  private static func parameterEnd(in bytes: [UInt8], from start: Int) -> Int? {
    var isQuoted = false
    for place in start..<bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ";"), UInt8(ascii: ":"): if !isQuoted { return place }
      default: break
      }
    }
    return nil
  }
}

extension ICalendarLine {
  /// Folds a line: no line is longer than 75 octets without its end, and none ends within a character (3.1).
  static func folded(_ line: String) -> String {
    guard line.utf8.count > 75 else { return line }
    var folded = ""
    var width = 0
    for scalar in line.unicodeScalars {
      let size = String(scalar).utf8.count
      if width + size > 75 {
        folded += "\r\n "
        width = 1
      }
      folded.unicodeScalars.append(scalar)
      width += size
    }
    return folded
  }

  /// The content lines of a file. Some programs fold within a character, so lines are joined before they are decoded;
  /// such a line is folded anew.
  ///
  /// - Throws: `WrongFormat` for a line that is not UTF-8.
  static func lines(of bytes: [UInt8]) throws(WrongFormat) -> [ICalendarLine] {
    var lines: [ICalendarLine] = []
    var parts: [ArraySlice<UInt8>] = []
    var first = 1
    func join() throws(WrongFormat) {
      guard let head = parts.first else { return }
      let unfolded = head + parts.dropFirst().flatMap { $0.dropFirst() }
      guard let line = String(validating: unfolded, as: UTF8.self) else {
        throw WrongFormat(reason: "notUTF8", line: first)
      }
      let text = String(validating: parts.joined(separator: [0x0D, 0x0A]), as: UTF8.self)
      lines.append(ICalendarLine(unfolded: line, text: text ?? folded(line), number: first))
    }
    var number = 0
    var content = bytes[...]
    if content.starts(with: [0xEF, 0xBB, 0xBF]) { content = content.dropFirst(3) }
    for line in content.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      let line = line.last == 0x0D ? line.dropLast() : line
      if let blank = line.first, blank == 0x20 || blank == 0x09, !parts.isEmpty {
        parts.append(line)
        continue
      }
      try join()
      parts = line.isEmpty ? [] : [line]
      first = number
    }
    try join()
    return lines
  }
}

/// Values of the type TEXT (3.3.11).
enum ICalendarText {
  static func escaped(_ text: String) -> String {
    var escaped = ""
    var wasReturn = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case ";": escaped += "\\;"
      case ",": escaped += "\\,"
      case "\n": if !wasReturn { escaped += "\\n" }
      case "\r": escaped += "\\n"
      default: escaped.unicodeScalars.append(scalar)
      }
      wasReturn = scalar == "\r"
    }
    return escaped
  }

  /// A backslash before a character that needs no escape stays.
  static func unescaped(_ value: some StringProtocol) -> String {
    var text = ""
    var isEscaped = false
    for scalar in value.unicodeScalars {
      guard isEscaped else {
        if scalar == "\\" { isEscaped = true } else { text.unicodeScalars.append(scalar) }
        continue
      }
      isEscaped = false
      switch scalar {
      case "n", "N": text += "\n"
      case "\\", ";", ",": text.unicodeScalars.append(scalar)
      default:
        text += "\\"
        text.unicodeScalars.append(scalar)
      }
    }
    return isEscaped ? text + "\\" : text
  }

  /// The elements of a list of texts.
  static func list(_ value: String) -> [String] {
    var parts: [String] = [""]
    var isEscaped = false
    for scalar in value.unicodeScalars {
      if scalar == ",", !isEscaped {
        parts.append("")
        continue
      }
      isEscaped = scalar == "\\" && !isEscaped
      parts[parts.count - 1].unicodeScalars.append(scalar)
    }
    return parts.map { ProjectText.trimmed(unescaped($0)) }.filter { !$0.isEmpty }
  }
}
