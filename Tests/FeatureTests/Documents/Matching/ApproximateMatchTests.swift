import Documents
import TestSupport
import Testing

@Suite("Documents: approximate matches") struct ApproximateMatchTests {
  private static func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  /// The distance by the textbook's table, to compare with.
  private static func distances(_ pattern: [UInt32], _ text: [UInt32], isAnchored: Bool) -> [Int] {
    var column = Array(0...pattern.count)
    var last = [pattern.count]
    for (index, character) in text.enumerated() {
      var next = [isAnchored ? index + 1 : 0]
      for (row, other) in pattern.enumerated() {
        next.append(min(column[row] + (character == other ? 0 : 1), column[row + 1] + 1, next[row] + 1))
      }
      column = next
      last.append(next[pattern.count])
    }
    return last
  }

  @Test("distances are those of the textbook, for patterns of any length")
  func textbook() {
    var random = SeededGenerator()
    for length in [1, 2, 5, 63, 64, 65, 127, 128, 129, 200] {
      for alphabet in [2, 6] {
        let letters = (0..<alphabet).map { UInt32($0 == 1 ? 0xAC00 : 97 + $0) }
        func word(_ count: Int) -> [UInt32] { (0..<count).map { _ in letters.randomElement(using: &random) ?? 97 } }
        let (pattern, text) = (word(length), word(150))
        for isAnchored in [false, true] {
          var columns = EditColumns(pattern)
          let known = Self.distances(pattern, text, isAnchored: isAnchored)
          for (index, character) in text.enumerated() {
            columns.advance(character, isAnchored: isAnchored)
            #expect(columns.score == known[index + 1])
          }
        }
        let best = ApproximateMatch.best(pattern[...], in: text[...], limit: length)
        let least = Self.distances(pattern, text, isAnchored: false).min() ?? 0
        #expect(best?.distance ?? length == min(least, length))
        if let best {
          let found = Array(text[best.range])
          #expect(Self.distances(pattern, found, isAnchored: true).last == best.distance)
        }
      }
    }
  }

  @Test("the best occurrence is found with where it begins and ends, and nothing beyond the limit")
  func best() throws {
    let text = Self.scalars("It was the bes of times, it was the worst of times")
    let found = try #require(ApproximateMatch.best(Self.scalars("the best of times")[...], in: text[...], limit: 3))
    #expect(found.range == 7..<23 && found.distance == 1)
    #expect(ApproximateMatch.best(Self.scalars("the age of wisdom")[...], in: text[...], limit: 3) == nil)
    // A slice of a text answers places of the whole.
    let slice = try #require(ApproximateMatch.best(Self.scalars("times")[...], in: text[24...], limit: 0))
    #expect(slice.range == 45..<50)
    let first = try #require(ApproximateMatch.best(Self.scalars("times")[...], in: text[...], limit: 2))
    #expect(first.range == 18..<23 && first.distance == 0)
    #expect(ApproximateMatch.best([], in: text[...], limit: 3) == nil)
    #expect(ApproximateMatch.best(Self.scalars("a")[...], in: [], limit: 3) == nil)
    #expect(ApproximateMatch.best(Self.scalars("zz")[...], in: text[...], limit: 9) == nil)
  }

  @Test("exact places overlap, stop where enough were found, and never lie between two characters")
  func exact() {
    let text = Self.scalars("aaaa")
    #expect(ApproximateMatch.exact(Self.scalars("aa"), in: text, most: 10) == [0, 1, 2])
    #expect(ApproximateMatch.exact(Self.scalars("aa"), in: text, most: 2) == [0, 1])
    #expect(ApproximateMatch.exact([], in: text, most: 2) == [])
    #expect(ApproximateMatch.exact(Self.scalars("aaaaa"), in: text, most: 2) == [])
    #expect(ApproximateMatch.exact(Self.scalars("a"), in: [], most: 2) == [])
    // The bytes 61 00 00 00 stand at the second byte of what is no “a”.
    #expect(ApproximateMatch.exact([0x61], in: [0x6100, 0, 0x61], most: 9) == [2])
  }

  @Test("likeness is one for equal texts, none for strange ones, and the same both ways")
  func similarity() {
    func likeness(_ a: String, _ b: String) -> Double {
      ApproximateMatch.similarity(Self.scalars(a)[...], Self.scalars(b)[...])
    }
    #expect(likeness("", "") == 1 && likeness("abc", "abc") == 1)
    #expect(likeness("", "abc") == 0 && likeness("abc", "") == 0 && likeness("abc", "xyz") == 0)
    #expect(abs(likeness("kitten", "sitting") - (1 - 3.0 / 7)) < 1e-9)
    #expect(likeness("kitten", "sitting") == likeness("sitting", "kitten"))
  }
}
