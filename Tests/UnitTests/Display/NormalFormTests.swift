import Display
import Foundation
import Testing

@Suite("Normal forms")
struct NormalFormTests {
  @Test(
    "texts are the bytes that Foundation makes of them",
    arguments: ["", "abc", "한국어", "e\u{301}é", "ﬁ①㎏ＡＢＣ", "か\u{3099}", "\u{0}x\u{0}é", "Å\u{212B}", "🏳️‍🌈"])
  func forms(text: String) {
    #expect(Array(text.normalized(.nfc).utf8) == Array(text.precomposedStringWithCanonicalMapping.utf8))
    #expect(Array(text.normalized(.nfd).utf8) == Array(text.decomposedStringWithCanonicalMapping.utf8))
    #expect(Array(text.normalized(.nfkc).utf8) == Array(text.precomposedStringWithCompatibilityMapping.utf8))
  }

  /// Foundation leaves it in two pieces.
  @Test("a half-wide letter and its mark become one letter")
  func halfWidth() {
    #expect(Array("ﾊﾟ".normalized(.nfkc).utf8) == Array("パ".utf8))
  }
}
