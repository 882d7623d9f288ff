/// The intermediate states of a Korean word while it is typed.
///
///     독서   ㄷ  도  독  독ㅅ  독서        initials and open syllables: the index has titles by these, too
///     도서   ㄷ  도  돗  도서             돗 holds what will be the next letter's initial: 도ㅅ
package enum HangulTyping {
  /// Whether a text has an initial without a following vowel, as no complete word has.
  package static func hasInitial(_ text: String) -> Bool {
    var isInitial = false
    for scalar in text.unicodeScalars {
      let isVowel = (0x1161...0x1175).contains(scalar.value) || (0x314F...0x3163).contains(scalar.value)
      if isInitial, !isVowel { return true }
      isInitial = Self.isInitial(scalar) || (0x3131...0x314E).contains(scalar.value)
    }
    return isInitial
  }

  /// The text with the final of its last syllable moved to the next one's initial; nil if that is not possible.
  static func movingFinal(of text: String) -> String? {
    guard let last = text.precomposedLast, let (open, initial) = split(last) else { return nil }
    return String(String.UnicodeScalarView(text.unicodeScalars.dropLast(last.count))) + open + initial
  }

  /// The ranges of folded titles that begin with a folded text whose last characters may be incomplete; both bounds are
  /// exclusive.
  ///
  ///     swi   swi … swi􏿿          ㄷㅅ   다 … 딯􏿿         도   도 … 돟􏿿         돗   돗 … 돗􏿿, 도사 … 도싷􏿿
  package static func beginnings(of text: String) -> [(start: String, end: String)] {
    guard !text.isEmpty else { return [] }
    let scalars = Array(text.unicodeScalars)
    func bounds(_ head: ArraySlice<Unicode.Scalar>, _ first: UInt32, _ count: UInt32) -> (start: String, end: String) {
      func text(_ last: [UInt32]) -> String {
        String(String.UnicodeScalarView(head + last.compactMap { Unicode.Scalar($0) }))
      }
      return (text([first]), text([first + count - 1, 0x10FFFF]))
    }
    // Characters after an initial are compared by the caller, which reads the titles.
    if let place = scalars.firstIndex(where: isInitial) {
      let letters = medials * finals
      return [bounds(scalars[..<place], 0xAC00 + (scalars[place].value - 0x1100) * letters, letters)]
    }
    var found = [bounds(scalars.dropLast(), scalars[scalars.count - 1].value, 1)]
    if let number = number(of: scalars[scalars.count - 1]), number % finals == 0 {
      found = [bounds(scalars.dropLast(), 0xAC00 + number, finals)]
    } else if let moved = movingFinal(of: text) {
      found += beginnings(of: moved)
    }
    return found
  }

  static func isInitial(_ scalar: Unicode.Scalar) -> Bool { (0x1100...0x1112).contains(scalar.value) }

  /// Whether a title's syllable completes a typed one: 독 completes ㄷ and 도.
  static func completes(_ letter: Unicode.Scalar, _ typed: Unicode.Scalar) -> Bool {
    guard let number = number(of: letter) else { return false }
    if isInitial(typed) { return typed.value == 0x1100 + number / (medials * finals) }
    return typed.value == 0xAC00 + number - number % finals
  }

  private static let medials: UInt32 = 21
  private static let finals: UInt32 = 28

  fileprivate static func number(of scalar: Unicode.Scalar) -> UInt32? {
    (0xAC00...0xD7A3).contains(scalar.value) ? scalar.value - 0xAC00 : nil
  }

  private static func split(_ last: LastSyllable) -> (open: String, initial: String)? {
    let final = Int(last.number % finals)
    guard let (rest, initial) = moves[final] else { return nil }
    guard let open = Unicode.Scalar(0xAC00 + last.number - UInt32(final) + rest),
      let next = Unicode.Scalar(0x1100 + initial)
    else { return nil }
    return (String(Character(open)), String(Character(next)))
  }

  /// For each final: the final that stays, and the initial that moves.
  private static let moves: [Int: (UInt32, UInt32)] = [
    1: (0, 0), 2: (0, 1), 3: (1, 9), 4: (0, 2), 5: (4, 12), 6: (4, 18), 7: (0, 3), 8: (0, 5), 9: (8, 0), 10: (8, 6),
    11: (8, 7), 12: (8, 9), 13: (8, 16), 14: (8, 17), 15: (8, 18), 16: (0, 6), 17: (0, 7), 18: (17, 9), 19: (0, 9),
    20: (0, 10), 21: (0, 11), 22: (0, 12), 23: (0, 14), 24: (0, 15), 25: (0, 16), 26: (0, 17), 27: (0, 18),
  ]

  fileprivate struct LastSyllable {
    var number: UInt32
    /// The number of scalars in the original.
    var count: Int
  }
}

extension String {
  /// The last syllable, also in decomposed form, as some systems write it.
  fileprivate var precomposedLast: HangulTyping.LastSyllable? {
    guard let last = last else { return nil }
    // A syllable is one character in either form; folding composes it.
    let scalars = foldedText(String(last)).unicodeScalars
    guard scalars.count == 1, let number = HangulTyping.number(of: scalars.first!) else { return nil }
    return HangulTyping.LastSyllable(number: number, count: last.unicodeScalars.count)
  }
}
