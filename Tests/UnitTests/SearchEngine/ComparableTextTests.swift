import SearchEngine
import Store
import Testing

@Suite("The comparable form of a text, and the way back") struct ComparableTextTests {
  /// The scalars: `e` and its accent are 3 and 4, the ligature is 6, the two blanks are 8 and 9.
  private let text = ComparableText("Cafe\u{301} \u{FB01}n  end")

  @Test("composed letters are one letter, a ligature is its letters, and blanks are one blank")
  func form() {
    #expect(String(decoding: text.bytes, as: UTF8.self) == "caf\u{E9} fin end")
  }

  @Test(
    "a range leads back to all scalars from which its bytes came",
    arguments: [
      (0..<3, 0..<3), (3..<5, 3..<5), (0..<5, 0..<5), (5..<6, 5..<6), (6..<7, 6..<7), (6..<8, 6..<7), (8..<9, 7..<8),
      (8..<10, 7..<10), (10..<13, 10..<13), (0..<13, 0..<13),
    ])
  func origins(range: Range<Int>, scalars: Range<Int>) {
    #expect(text.origin(of: range) == scalars)
  }

  @Test("an empty range leads back to its place, and the end to the end")
  func places() {
    for (place, scalar) in [(0, 0), (3, 3), (5, 5), (8, 7), (10, 10), (13, 13)] {
      #expect(text.origin(of: place..<place) == scalar..<scalar, "\(place)")
    }
  }
}
