import SearchEngine
import Testing

@Suite("Search engine: counted words") struct WordCountsTests {
  private func counts(_ texts: String...) -> [String: Int] {
    var counts = WordCounts()
    for text in texts { counts.add(text) }
    return counts.counts
  }

  @Test("words are counted in the form in which they are found, without short ones and numbers")
  func words() {
    #expect(
      counts("Rivers, and the RIVERS' Ébène.", "rivers 1984 a3 of") == ["rivers": 3, "and": 1, "the": 1, "ebene": 1])
    #expect(counts("the exam-\nple").contains { $0 == ("example", 1) })
  }

  @Test("letters of scripts without spaces, and of Hangul, are counted by pairs within a run")
  func letters() {
    #expect(counts("한강변 한강") == ["한강": 2, "강변": 1])
    #expect(counts("量子の 子") == ["量子": 1, "子の": 1])
  }

  @Test("each counted word is a term that a query finds as one")
  func terms() throws {
    for text in counts("Ébène 量子の 한강변 Straße ﬁsh").keys {
      let term = try #require(MatchQuery.Term(text, endsRun: true), "\(text)")
      #expect(term.units == (text.unicodeScalars.count == 2 ? 2 : 1), "\(text)")
    }
  }

  @Test("a text that is not UTF-8, or empty, is no error")
  func anyBytes() {
    var counts = WordCounts()
    let bytes: [UInt8] = [0xFF, 0x72, 0x69, 0x76, 0x65, 0x72, 0xC3]
    bytes.withUnsafeBufferPointer { counts.add(bytes: $0) }
    counts.add("")
    #expect(counts.counts == ["river": 1])
  }
}
