import Wire

/// Replaces scalars that a person would not see in a text of the library, but that a model reads or a terminal obeys:
/// control characters, those that change the direction of the text, invisible operators, and tags and rows of variation
/// selectors, which can hide a whole message. Each becomes U+FFFD, so that offsets in the text stay what they are. Tabs
/// and ends of lines remain, a carriage return becomes a space.
enum HiddenScalars {
  static func replaced(in value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): .string(replaced(in: text))
    case .array(let elements): .array(elements.map(replaced))
    case .object(let object):
      // Names of members may be anybody's too, such as those of extension properties.
      .object(
        JSONObject(
          object.members.map { JSONObject.Member(key: replaced(in: $0.key), value: replaced(in: $0.value)) }))
    default: value
    }
  }

  static func replaced(in text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 && $0 != 0x0A || $0 >= 0x7F }) else { return text }
    var scalars = String.UnicodeScalarView()
    var followsSelector = false
    for scalar in text.unicodeScalars {
      let isSelector = isSelector(scalar)
      // One selects the form of a character. A row of them is a message, a byte each.
      let isHidden = isHidden(scalar) || isSelector && followsSelector
      scalars.append(scalar == "\r" ? " " : isHidden ? "\u{FFFD}" : scalar)
      followsSelector = isSelector
    }
    return String(scalars)
  }

  private static func isSelector(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x180B...0x180D, 0xFE00...0xFE0F, 0xE0100...0xE01EF: true
    default: false
    }
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2061...0x2064, 0x2066...0x206F, 0xFFF9...0xFFFB,
      0xE0000...0xE007F:
      true
    default: false
    }
  }
}
