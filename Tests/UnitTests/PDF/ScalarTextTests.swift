import PDF
import Testing

@Suite("Text from characters")
struct ScalarTextTests {
  @Test("Characters of every length become the text they are, from any part of an array")
  func lengths() {
    let text = "a\u{7f}\u{80}é\u{7ff}\u{800}한\u{fffd}\u{ffff}\u{10000}😀\u{10ffff}\n"
    let scalars = Array(text.unicodeScalars)
    #expect(Array(String(scalars: scalars[...]).utf8) == Array(text.utf8))
    #expect(String(scalars: scalars[6..<7]) == "한")
    #expect(String(scalars: scalars[3..<3]).isEmpty)
  }
}
