import Testing
import Wire

@Suite struct TextBytesTests {
  @Test("U+0000 is found at every place of a text of any length, and nowhere where there is none")
  func nul() {
    for length in 0...25 {
      // Bytes around the one that is looked for: 01 borrows from its neighbour, C4 80 has the highest bits.
      for letter in ["\u{1}", "a", "\u{100}", "\u{7F}"] {
        let text = String(repeating: letter, count: length)
        #expect(!text.hasNUL)
        for place in 0...length {
          var with = Array(text.unicodeScalars)
          with.insert("\0", at: place)
          var found = ""
          found.unicodeScalars.append(contentsOf: with)
          #expect(found.hasNUL, "\(length) × \(letter) with U+0000 at \(place)")
        }
      }
    }
  }

  @Test("texts of any length are the same exactly if each of their bytes is, however they are composed")
  func same() {
    for length in 0...25 {
      let text = String(repeating: "a", count: length)
      #expect(sameBytes(text, String(repeating: "a", count: length)) && !sameBytes(text, text + "a"))
      for place in 0..<length {
        var other = Array(text)
        other[place] = "b"
        #expect(!sameBytes(text, String(other)), "\(length): \(place)")
      }
    }
    #expect(!sameBytes("\u{E9}", "e\u{301}") && sameBytes("\u{E9}", "\u{E9}"))
  }
}
