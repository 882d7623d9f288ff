/// A Korean particle that has one form after a final consonant and another after a vowel.
///
/// Templates contain both forms (`을(를)`); the pronunciation of the preceding word decides.
enum Particle: CaseIterable {
  case object, subject, topic, and, means

  /// The form after a final consonant, and the one after a vowel.
  private var forms: (closed: String, open: String) {
    switch self {
    case .object: ("을", "를")
    case .subject: ("이", "가")
    case .topic: ("은", "는")
    case .and: ("과", "와")
    case .means: ("으로", "로")
    }
  }

  /// The notations with both forms, the usual one first.
  private var notations: [String] {
    switch self {
    case .object: ["을(를)", "를(을)"]
    case .subject: ["이(가)", "가(이)"]
    case .topic: ["은(는)", "는(은)"]
    case .and: ["와(과)", "과(와)"]
    case .means: ["(으)로", "으로(로)"]
    }
  }

  /// The particle after a word; both forms if the spelling does not show the pronunciation.
  func form(after word: String) -> String {
    switch FinalSound(of: word) {
    case .vowel: forms.open
    case .rieul: self == .means ? forms.open : forms.closed
    case .consonant: forms.closed
    case .unknown: notations[0]
    }
  }

  /// Appends a template's text, with each particle chosen by the end of `text` at that point.
  static func append(_ words: String, to text: inout String) {
    guard words.utf8.contains(UInt8(ascii: "(")) else {
      text += words
      return
    }
    var rest = words[...]
    while let character = rest.first {
      if let (particle, length) = particle(at: rest) {
        text += particle.form(after: text)
        rest = rest.dropFirst(length)
      } else {
        text.append(character)
        rest.removeFirst()
      }
    }
  }

  private static func particle(at text: Substring) -> (Particle, length: Int)? {
    for particle in allCases {
      for notation in particle.notations where text.hasPrefix(notation) { return (particle, notation.count) }
    }
    return nil
  }
}

/// The final sound of a word in Korean pronunciation.
enum FinalSound {
  case vowel, consonant, unknown
  /// ㄹ, which is followed by 로, not 으로.
  case rieul

  /// Marks after the last letter (quotes, brackets, a full stop) are not pronounced.
  init(of word: String) {
    let scalars = word.unicodeScalars
    guard let last = scalars.lastIndex(where: { Self.isRead($0) }) else {
      self = .unknown
      return
    }
    let scalar = scalars[last]
    switch scalar.value {
    case 0xAC00...0xD7A3: self.init(final: (scalar.value - 0xAC00) % 28)
    // A decomposed Hangul syllable (NFD), as in file names from macOS.
    case 0x1161...0x1175: self = .vowel
    case 0x11A8...0x11C2: self.init(final: scalar.value - 0x11A7)
    case 0x30...0x39: self.init(number: scalars[...last])
    case 0x25: self = .vowel  // 퍼센트
    case 0x3093, 0x30F3: self = .consonant  // ん
    case 0x3041...0x30FE: self = .vowel
    default: self.init(latin: scalar, before: last > scalars.startIndex ? scalars[scalars.index(before: last)] : nil)
    }
  }

  private static func isRead(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "%" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// `final` is the position among the 27 final consonants, 0 for none; ㄹ is the eighth.
  private init(final: UInt32) {
    self = final == 0 ? .vowel : final == 8 ? .rieul : .consonant
  }

  /// 영 일 이 삼 사 오 육 칠 팔 구; a number with trailing zeros ends in 십, 백, 천, 만, 억 – or 조, which has no final.
  private init(number: Substring.UnicodeScalarView) {
    let digits = number.reversed().prefix { ("0"..."9").contains($0) || $0 == "," }.filter { $0 != "," }
    let zeros = digits.prefix { $0 == "0" }.count
    if zeros > 0 {
      self = (12...15).contains(zeros) && zeros < digits.count ? .vowel : .consonant
      return
    }
    switch digits.first {
    case "1", "7", "8": self = .rieul
    case "3", "6": self = .consonant
    default: self = .vowel
    }
  }

  /// Latin words as Korean adopts them: "scan" is 스캔, "path" 패스. If the spelling is ambiguous ("file" 파일, "note" 노트),
  /// it is unknown.
  private init(latin scalar: Unicode.Scalar, before: Unicode.Scalar?) {
    switch scalar {
    case "l", "L": self = .rieul
    case "m", "n", "M", "N": self = .consonant
    case "g" where before == "n": self = .consonant
    case "a", "d", "f", "h", "i", "j", "o", "q", "r", "s", "u", "v", "w", "x", "y", "z": self = .vowel
    case "A", "D", "F", "H", "I", "J", "O", "Q", "S", "U", "V", "W", "X", "Y", "Z":
      self = .vowel  // The same as words and when spelled out.
    default: self = .unknown
    }
  }
}
