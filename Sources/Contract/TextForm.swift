/// A named text format, which is checked and shown as a pattern in the schema.
public enum TextForm: String, CaseIterable, Sendable {
  case id, day, instant
  /// A day as a date or in natural language; the form does not check which texts are valid days.
  case givenDay
  /// `#rrggbb`.
  case color
  /// `2026-11`.
  case month
  /// `04:00`.
  case timeOfDay
  /// A BCP 47 tag, `ko-KR`; the form does not check whether the language is supported.
  case language
  /// A path from the root.
  case absolutePath
  /// RFC 4648 with its padding.
  case base64
  /// Any text of a result that may be or contain the path of a file: an origin, a URI, a sentence for people.
  case namingFiles

  /// A pattern for JSON Schema (ECMA 262). It describes the form, not which days exist.
  package var pattern: String {
    switch self {
    case .id: "^[A-Za-z0-9._-]{1,64}$"
    case .day: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
    case .givenDay: #"^[^\u0000-\u001F\u007F]{1,64}$"#
    case .instant: #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"#
    case .color: "^#[0-9A-Fa-f]{6}$"
    case .month: "^[0-9]{4}-(0[1-9]|1[0-2])$"
    case .timeOfDay: "^([01][0-9]|2[0-3]):[0-5][0-9]$"
    case .language: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"
    case .absolutePath: "^/"
    case .namingFiles: "^"
    case .base64: "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
    }
  }

  /// A text of this form.
  package var sample: String {
    switch self {
    case .id: "0192f0c1-7b1e-7000-8000-000000000000"
    case .day, .givenDay: "2026-11-21"
    case .instant: "2026-11-21T03:04:05.678Z"
    case .color: "#ffd60a"
    case .month: "2026-11"
    case .timeOfDay: "04:00"
    case .language: "ko-KR"
    case .absolutePath, .namingFiles: "/tmp/file"
    case .base64: "JVBERi0="
    }
  }

  /// Whether a text of this form may be or contain the path of a file.
  package var namesFiles: Bool { self == .absolutePath || self == .namingFiles }

  /// The catalogue's key of the sentence that says what the form is.
  package var textKey: String { "param.\(rawValue)" }

  package func accepts(_ text: String) -> Bool {
    switch self {
    case .id: return isIdentifier(text)
    case .day: return CalendarDay(text) != nil
    case .givenDay:
      let scalars = text.unicodeScalars.prefix(65)
      return (1...64).contains(scalars.count) && scalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    case .instant: return Instant(text) != nil
    case .color:
      return text.utf8.first == UInt8(ascii: "#") && text.utf8.count == 7 && text.utf8.dropFirst().allSatisfy(isHex)
    case .month: return CalendarDay(text + "-01") != nil
    case .timeOfDay: return TimeOfDay(text) != nil
    case .language: return isLanguageTag(text)
    case .absolutePath: return text.utf8.first == UInt8(ascii: "/")
    case .namingFiles: return true
    case .base64: return isBase64(text)
    }
  }
}

/// Whether a text may be an id: 1 to 64 characters of `A–Z a–z 0–9 . _ -`.
private func isIdentifier(_ text: String) -> Bool {
  var text = text
  return text.withUTF8 { bytes in
    guard (1...64).contains(bytes.count) else { return false }
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
        continue
      default: return false
      }
    }
    return true
  }
}

private func isHex(_ byte: UInt8) -> Bool {
  byte < 0x80 && Character(Unicode.Scalar(byte)).isHexDigit
}

private func isLetter(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
}

private func isDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

private func isLanguageTag(_ text: String) -> Bool {
  let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
  guard let first = parts.first, (2...8).contains(first.count), first.allSatisfy(isLetter) else { return false }
  return parts.dropFirst().allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } }
}

private func isBase64(_ text: String) -> Bool {
  let bytes = text.utf8
  guard bytes.count % 4 == 0 else { return false }
  let padding = bytes.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
  return bytes.dropLast(padding).allSatisfy {
    isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/")
  }
}
