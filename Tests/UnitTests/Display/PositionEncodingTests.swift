import Testing
import Wire

@testable import Display

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

  @Test("M25 ranges around emoji, NFD Hangul and combining marks translate between all encodings")
  func pieces() throws {
    let text = Self.pieces.map(\.text).joined()
    func ranges(_ encoding: PositionEncoding) -> [Range<Int>] {
      var start = 0
      return Self.pieces.map { piece in
        defer { start += piece.lengths[encoding]! }
        return start..<start + piece.lengths[encoding]!
      }
    }
    for from in PositionEncoding.allCases {
      #expect(ranges(from).last?.upperBound == from.length(of: text))
      for to in PositionEncoding.allCases {
        #expect(try from.convert(ranges(from), in: text, to: to) == ranges(to), "\(from) to \(to)")
      }
    }
  }

  @Test("ranges keep their order, may overlap and may be empty")
  func order() throws {
    let ranges = [4..<5, 0..<5, 1..<1, 5..<5, 0..<1]
    #expect(
      try PositionEncoding.utf32.convert(ranges, in: "a한😀é.", to: .utf8) == [10..<11, 0..<11, 1..<1, 11..<11, 0..<1])
    #expect(try PositionEncoding.utf8.convert([], in: "", to: .utf16) == [])
    #expect(try PositionEncoding.utf8.convert([0..<0], in: "", to: .utf16) == [0..<0])
  }

  @Test("an offset inside a scalar is refused, also when nothing is translated")
  func insideScalar() {
    #expect(throws: PositionError.insideScalar(offset: 2, encoding: .utf16)) {
      try PositionEncoding.utf16.convert([0..<2], in: "a😀", to: .utf8)
    }
    #expect(throws: PositionError.insideScalar(offset: 1, encoding: .utf8)) {
      try PositionEncoding.utf8.convert([1..<3], in: "한", to: .utf8)
    }
  }

  @Test("an offset behind the end or before the beginning is refused with the text's length")
  func outside() {
    #expect(throws: PositionError.outside(offset: 4, length: 3)) {
      try PositionEncoding.utf16.convert([0..<4], in: "a😀", to: .utf8)
    }
    #expect(throws: PositionError.outside(offset: -1, length: 2)) {
      try PositionEncoding.utf32.convert(offsets: [1, -1], in: "a😀", to: .utf8)
    }
    #expect(throws: PositionError.outside(offset: .max, length: 3)) {
      try PositionEncoding.utf16.convert(offsets: [.max], in: "a😀", to: .utf8)
    }
  }

  @Test("the refusals name the field")
  func replies() {
    let reply = PositionError.outside(offset: 4, length: 3).reply(field: "ranges[0]")
    #expect(reply.code == RPCError.Code.invalidParams)
    #expect(
      Catalogue().render(reply, language: .english).message
        == "“ranges[0]” is after the end of the text: 4 of 3.")
    let inside = PositionError.insideScalar(offset: 4, encoding: .utf8).reply(field: "from")
    #expect(Catalogue().render(inside, language: .english).message.hasSuffix("Offsets are counted in utf-8 units."))
  }

  @Test("the first encoding of a client's list that is known is taken, else UTF-16")
  func negotiation() {
    #expect(PositionEncoding(offered: ["utf-7", "utf-32", "utf-8"]) == .utf32)
    #expect(PositionEncoding(offered: []) == .utf16)
    #expect(PositionEncoding(offered: ["latin1"]) == .utf16)
  }
}
