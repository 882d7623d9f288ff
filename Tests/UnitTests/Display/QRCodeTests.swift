import Testing

@testable import Display

@Suite("QR codes") struct QRCodeTests {
  private static let code = "CP-00041-06105-0R3GG-28A1C-60T3G-FG24N"

  private static func rows(_ code: QRCode) -> [UInt32] {
    code.modules.map { $0.reduce(0) { $0 << 1 | ($1 ? 1 : 0) } }
  }

  private static func numbers(_ text: String) -> [UInt32] {
    text.split(whereSeparator: \.isWhitespace).compactMap { UInt32($0, radix: 16) }
  }

  @Test("a code has the modules that another program draws, also where the text fills it")
  func modules() throws {
    // By segno 1.6 for Python: make_qr(text, version=3, error="m", mode="alphanumeric", boost_error=False).
    #expect(
      Self.rows(try #require(QRCode(Self.code)))
        == Self.numbers(
          """
          1fc0427f 10508d41 1744275d 174f9c5d 1759945d 10477e41 1fd5557f 000e2700 15411c12 0ab2b9ea 106c71d5 1eb7da1b
          0fd26d94 130a6d93 13c58c4f 0db0213f 054611b2 0527b9b4 12d776ab 0d21da09 17d467f9 001b6113 1fc68b5d 10462319
          175211f1 17473a48 1758b55d 104b9ce7 1fd06491
          """))
    #expect(
      Self.rows(try #require(QRCode(String(repeating: "Z", count: 61))))
        == Self.numbers(
          """
          1fcc677f 10469141 1752bd5d 1758bc5d 17516e5d 10598141 1fd5557f 001b3e00 17cc467c 09a542c0 10c2c157 0f0c38b4
          0ae767cc 09ac9130 00c8bd37 1492bc3a 14f66ec9 1823811b 12d13ea7 110746ca 117d43f0 001b4117 1fc53955 105ae71f
          175211f1 1753bdc4 17553e5a 1040aebb 1fdec2ca
          """))
  }

  @Test("what a code cannot have has none", arguments: [String(repeating: "Z", count: 62), "cp", "CP_1", "CP–1", "é"])
  func refused(text: String) { #expect(QRCode(text) == nil) }

  @Test("it is drawn with a margin of four light modules, two rows a line")
  func lines() throws {
    let lines = try #require(QRCode(Self.code)).lines
    #expect(lines.count == 19 && lines.allSatisfy { $0.count == 37 })
    for line in [lines[0], lines[1], lines[17], lines[18]] { #expect(line == String(repeating: "█", count: 37)) }
    #expect(lines[2].hasPrefix("████ ▄▄▄▄▄ █") && lines[2].hasSuffix("█ ▄▄▄▄▄ ████"))
    #expect(lines.allSatisfy { $0.hasPrefix("████") && $0.hasSuffix("████") })
  }
}
