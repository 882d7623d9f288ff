import SearchEngine
import Store

/// Finding a passage in a text that may have changed a little. An edit is one character added, removed or replaced.
package enum ApproximateMatch {
  /// The best occurrence of a pattern in a text with at most `limit` edits, the first of several; nil if there is
  /// none, and for an empty pattern.
  ///
  /// Some 64 characters of the pattern cost as much as one: 1 ms for a sentence in 100,000 characters.
  package static func best(
    _ pattern: ArraySlice<UInt32>, in text: ArraySlice<UInt32>, limit: Int
  ) -> (range: Range<Int>, distance: Int)? {
    guard !pattern.isEmpty, limit >= 0 else { return nil }
    // With as many edits as the pattern is long anything would do.
    let limit = min(limit, pattern.count - 1)
    var columns = EditColumns(pattern)
    var (distance, end) = (limit + 1, 0)
    for index in text.indices {
      columns.advance(text[index], isAnchored: false)
      if columns.score < distance {
        (distance, end) = (columns.score, index + 1)
        if distance == 0 { break }
      }
    }
    guard distance <= limit else { return nil }
    return (start(of: pattern, endingAt: end, distance: distance, in: text)..<end, distance)
  }

  /// The start of the occurrence whose end and distance are known: searched backwards from the end, the distance is
  /// the same at its start. Of several starts, the one whose length is closest to the pattern's.
  private static func start(
    of pattern: ArraySlice<UInt32>, endingAt end: Int, distance: Int, in text: ArraySlice<UInt32>
  ) -> Int {
    var columns = EditColumns(pattern.reversed())
    var best = (start: end, difference: Int.max)
    var index = end
    while index > text.startIndex, end - index <= pattern.count + distance {
      index -= 1
      columns.advance(text[index], isAnchored: true)
      let difference = abs(end - index - pattern.count)
      if columns.score <= distance, difference < best.difference { best = (index, difference) }
    }
    return best.start
  }

  /// Where a pattern occurs in a text exactly, at most `most` places, including overlapping ones.
  package static func exact(_ pattern: [UInt32], in text: [UInt32], most: Int) -> [Int] {
    guard !pattern.isEmpty, pattern.count <= text.count, most > 0 else { return [] }
    return pattern.withUnsafeBytes { pattern in
      text.withUnsafeBytes { text in
        var places: [Int] = []
        var offset = 0
        while places.count < most,
          let found = firstPlace(of: pattern, in: UnsafeRawBufferPointer(rebasing: text[offset...]))
        {
          let place = offset + found
          // A match across two characters is none.
          if place % 4 == 0 { places.append(place / 4) }
          offset = place + 1
        }
        return places
      }
    }
  }

  /// 1 − edits / length of the longer text: 1 for equal texts, 0 for texts with nothing in common. Two empty texts
  /// are equal.
  package static func similarity(_ a: ArraySlice<UInt32>, _ b: ArraySlice<UInt32>) -> Double {
    let longer = max(a.count, b.count)
    guard longer > 0 else { return 1 }
    guard !a.isEmpty, !b.isEmpty else { return 0 }
    var columns = EditColumns(a)
    for character in b { columns.advance(character, isAnchored: true) }
    return 1 - Double(columns.score) / Double(longer)
  }
}
