/// Edit distances of a pattern to a text, a column at a time for each character of the text: Myers' bit-parallel
/// algorithm in Hyyrö's form for patterns longer than a word of 64 bits (H. Hyyrö, “A bit-vector algorithm for computing
/// Levenshtein and Damerau edit distances”, 2003).
package struct EditColumns {
  /// For each character of the pattern a row of as many words as there are blocks: its places.
  private var places: [UInt64] = []
  /// Where a row begins in `places`; row 0 is for characters that the pattern does not have.
  private var latin = [Int32](repeating: 0, count: 256)
  private var others: [UInt32: Int32] = [:]
  private var up: [UInt64]
  private var down: [UInt64]
  private let blocks: Int
  private let lastBit: UInt64

  /// The distance between the whole pattern and the text up to here.
  package private(set) var score: Int

  package init(_ pattern: some Collection<UInt32>) {
    score = pattern.count
    blocks = max(1, (pattern.count + 63) / 64)
    lastBit = 1 << UInt64((pattern.count + 63) % 64)
    up = [UInt64](repeating: ~0, count: blocks)
    down = [UInt64](repeating: 0, count: blocks)
    places = [UInt64](repeating: 0, count: blocks)
    for (index, character) in pattern.enumerated() {
      var row = Int(row(of: character))
      if row == 0 {
        row = places.count
        places.append(contentsOf: repeatElement(0, count: blocks))
        if character < 256 { latin[Int(character)] = Int32(row) } else { others[character] = Int32(row) }
      }
      places[row + index / 64] |= 1 << UInt64(index % 64)
    }
  }

  private func row(of character: UInt32) -> Int32 {
    character < 256 ? latin[Int(character)] : others[character] ?? 0
  }

  /// Advances by one character of the text. With `isAnchored` the text's beginning counts: each skipped character is
  /// an edit. Otherwise the pattern may begin anywhere.
  package mutating func advance(_ character: UInt32, isAnchored: Bool) {
    let row = Int(row(of: character))
    var carry = isAnchored ? 1 : 0
    for block in 0..<blocks {
      let (positive, negative) = (up[block], down[block])
      var equal = places[row + block]
      let vertical = equal | negative
      if carry < 0 { equal |= 1 }
      let horizontal = (((equal & positive) &+ positive) ^ positive) | equal
      var increase = negative | ~(horizontal | positive)
      var decrease = positive & horizontal
      let top = block == blocks - 1 ? lastBit : 1 << 63
      let next = increase & top != 0 ? 1 : decrease & top != 0 ? -1 : 0
      increase <<= 1
      decrease <<= 1
      if carry < 0 { decrease |= 1 } else if carry > 0 { increase |= 1 }
      up[block] = decrease | ~(vertical | increase)
      down[block] = increase & vertical
      carry = next
    }
    score += carry
  }
}
