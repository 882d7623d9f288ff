/// The header of a message or of a part (RFC 5322), with its folded lines joined.
struct MailHeader: Sendable {
  /// Of equal names the first counts.
  private var fields: [String: [UInt8]] = [:]

  /// The most lines that are read of one header.
  private static let mostLines = 10_000

  /// Reads the header at the beginning of the bytes, and returns also what follows its blank line.
  static func read(_ bytes: ArraySlice<UInt8>) -> (header: MailHeader, body: ArraySlice<UInt8>) {
    var header = MailHeader()
    var (rest, name, value, count) = (bytes, "", [UInt8](), 0)
    func stored(_ header: inout MailHeader) {
      if !name.isEmpty, header.fields[name] == nil { header.fields[name] = value }
    }
    while !rest.isEmpty, count < mostLines {
      let (line, following) = MailLines.first(of: rest)
      if line.isEmpty {
        stored(&header)
        return (header, following)
      }
      if line.first == 0x20 || line.first == 0x09 {
        value += line
      } else if let colon = line.firstIndex(of: UInt8(ascii: ":")),
        line[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7f })
      {
        stored(&header)
        name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        value = Array(line[(colon + 1)...])
      } else if count > 0 {
        // A line that is no field: the body begins without a blank line.
        break
      }
      // The first line of a message in a mailbox is `From ann@example.org Sat Nov 28 …`.
      (rest, count) = (following, count + 1)
    }
    stored(&header)
    return (header, rest)
  }

  var isEmpty: Bool { fields.isEmpty }

  func bytes(_ name: String) -> [UInt8]? { fields[name] }

  /// A field as text, with its encoded words decoded and its blanks collapsed; nil for a blank one.
  func text(_ name: String) -> String? {
    guard let value = fields[name] else { return nil }
    let text = MailWords.decoded(value).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return text.isEmpty ? nil : text
  }

  /// A field such as `text/plain; charset="utf-8"`.
  func parameters(_ name: String) -> MailParameters? { fields[name].map { MailParameters($0) } }
}

enum MailLines {
  /// The first line without its end, and what follows it.
  static func first(of bytes: ArraySlice<UInt8>) -> (line: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) {
    guard let end = bytes.firstIndex(of: 0x0a) else { return (trimmed(bytes), []) }
    return (trimmed(bytes[..<end]), bytes[(end + 1)...])
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == 0x0d ? line.dropLast() : line
  }
}
