import Testing
import Wire

@Suite("Position encodings")
struct PositionEncodingTests {
  /// Each piece with its length in UTF-8, UTF-16 and scalars.
  private static let pieces: [(text: String, lengths: [PositionEncoding: Int])] = [
    ("a", [.utf8: 1, .utf16: 1, .utf32: 1]),
    ("é", [.utf8: 2, .utf16: 1, .utf32: 1]),
    ("e\u{301}", [.utf8: 3, .utf16: 2, .utf32: 2]),
    ("한", [.utf8: 3, .utf16: 1, .utf32: 1]),
    ("\u{1112}\u{1161}\u{11AB}", [.utf8: 9, .utf16: 3, .utf32: 3]),
    ("😀", [.utf8: 4, .utf16: 2, .utf32: 1]),
    ("👩‍👩‍👧", [.utf8: 18, .utf16: 8, .utf32: 5]),
    ("\r\n", [.utf8: 2, .utf16: 2, .utf32: 2]),
    ("🇰🇷", [.utf8: 8, .utf16: 4, .utf32: 2]),
  ]

  @Test("M25 ranges around emoji, NFD Hangul and combining marks translate to all encodings")
  func pieces() {
    let text = Self.pieces.map(\.text).joined()
    func ranges(_ encoding: PositionEncoding) -> [Range<Int>] {
      var start = 0
      return Self.pieces.map { piece in
        defer { start += piece.lengths[encoding]! }
        return start..<start + piece.lengths[encoding]!
      }
    }
    for encoding in PositionEncoding.allCases {
      #expect(encoding.ranges(ranges(.utf8), in: text) == ranges(encoding), "\(encoding)")
    }
    #expect(PositionEncoding.utf16.ranges([0..<0], in: "") == [0..<0])
  }
}
