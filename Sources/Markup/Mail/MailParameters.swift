/// A value with parameters (RFC 2045), whose texts may be in parts and encoded (RFC 2231):
/// `attachment; filename*0*=utf-8''%EC%A3%BC; filename*1=".pdf"`.
struct MailParameters: Sendable {
  /// The value, in lower case.
  let value: String
  private var texts: [String: [UInt8]] = [:]

  /// The most parameters that are read.
  private static let most = 200

  init(_ bytes: [UInt8]) {
    let parts = Self.parts(bytes)
    value = parts.first.map { String(decoding: Self.trimmed($0), as: UTF8.self).lowercased() } ?? ""
    for part in parts.dropFirst().prefix(Self.most) {
      guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: Self.trimmed(part[..<equals]), as: UTF8.self).lowercased()
      if !name.isEmpty, texts[name] == nil { texts[name] = Self.unquoted(Self.trimmed(part[(equals + 1)...])) }
    }
  }

  subscript(name: String) -> String? {
    if let whole = texts[name + "*"] { return Self.extended([(whole, true)]) }
    if let plain = texts[name] { return MailWords.decoded(plain) }
    var parts: [(bytes: [UInt8], isEncoded: Bool)] = []
    while parts.count < Self.most {
      let key = "\(name)*\(parts.count)"
      if let part = texts[key + "*"] {
        parts.append((part, true))
      } else if let part = texts[key] {
        parts.append((part, false))
      } else {
        break
      }
    }
    return parts.isEmpty ? nil : Self.extended(parts)
  }

  /// `charset'language'text`, the text percent-encoded.
  private static func extended(_ parts: [(bytes: [UInt8], isEncoded: Bool)]) -> String {
    var (charset, bytes) = (String?.none, [UInt8]())
    for (place, part) in parts.enumerated() {
      guard part.isEncoded else {
        bytes += part.bytes
        continue
      }
      var rest = part.bytes[...]
      if place == 0 {
        let pieces = rest.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        if pieces.count == 3 { (charset, rest) = (String(decoding: pieces[0], as: UTF8.self), pieces[2]) }
      }
      while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "%"), rest.count >= 2, let high = MailCoding.hexadecimal(rest[rest.startIndex]),
          let low = MailCoding.hexadecimal(rest[rest.startIndex + 1])
        {
          bytes.append(high << 4 | low)
          rest = rest.dropFirst(2)
        } else {
          bytes.append(byte)
        }
      }
    }
    return MailWords.text(bytes, charset: charset)
  }

  /// The parts between semicolons outside quotes.
  private static func parts(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var (parts, start, isQuoted, isEscaped) = ([ArraySlice<UInt8>](), 0, false, false)
    for (index, byte) in bytes.enumerated() {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\"), isQuoted {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == UInt8(ascii: ";"), !isQuoted {
        parts.append(bytes[start..<index])
        start = index + 1
      }
    }
    return parts + [bytes[start...]]
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop { $0 <= 0x20 }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return bytes
  }

  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
      return Array(bytes)
    }
    var (result, isEscaped) = ([UInt8](), false)
    for byte in bytes.dropFirst().dropLast() {
      if byte == UInt8(ascii: "\\"), !isEscaped {
        isEscaped = true
      } else {
        isEscaped = false
        result.append(byte)
      }
    }
    return result
  }
}
