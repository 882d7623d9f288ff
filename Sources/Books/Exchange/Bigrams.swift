/// The pairs of neighbouring letters of a text, by which two texts are compared. Only the first 300 characters count.
///
/// Made once for each text: a row of a file is compared with hundreds of books.
struct Bigrams: Sendable {
  /// A number for each letter, the same for equal ones.
  private let letters: [UInt32]
  /// Sorted.
  private let pairs: [UInt64]

  init(_ text: String) {
    let letters = BookLikeness.letters(text).prefix(300).map { letter in
      // FNV-1a, since a letter may be of several scalars.
      String(letter).utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
    pairs = zip(letters, letters.dropFirst()).map { UInt64($0) << 32 | UInt64($1) }.sorted()
    self.letters = letters
  }

  /// The share of common pairs (Dice coefficient).
  func likeness(to other: Bigrams) -> Double {
    if letters.isEmpty || other.letters.isEmpty { return 0 }
    if letters == other.letters { return 1 }
    guard !pairs.isEmpty, !other.pairs.isEmpty else { return 0 }
    var (common, place, otherPlace) = (0, 0, 0)
    while place < pairs.count, otherPlace < other.pairs.count {
      let (pair, otherPair) = (pairs[place], other.pairs[otherPlace])
      if pair == otherPair { common += 1 }
      if pair <= otherPair { place += 1 }
      if otherPair <= pair { otherPlace += 1 }
    }
    return 2 * Double(common) / Double(pairs.count + other.pairs.count)
  }
}
