import Foundation
import SearchEngine
import Store
import TestSupport
import Testing

/// No word has borders in a run of Han, kana or Hangul, so every part of one must be found: neither FTS5's `unicode61` nor
/// its `trigram` does.
@Suite struct SubstringTests {
  private static let lines = 10_000
  private static let samples = 5_000

  @Test("The words of a text are what blanks and letters of Han, kana and Hangul bound, and no such letters")
  func words() {
    #expect(SearchIndex.words(ofFolded: "the river2, 강가 k팝 東京abc") == ["the", "river2", "k", "abc"])
  }

  @Test(
    "Every substring of one to eight letters of Korean, Japanese and Chinese finds just the lines a plain scan finds")
  func substrings() throws {
    let seed: UInt64 = 20_261_121
    var random = SeededGenerator(seed: seed)
    let lines = Self.text(&random)
    // Half of the lines lie in the library decomposed, as macOS writes them.
    let library = try SearchLibrary(
      texts: lines.enumerated().map { $0.isMultiple(of: 2) ? $1 : $1.decomposedStringWithCanonicalMapping })
    let scan = PlainScan(lines)
    let letters = lines.map { Array($0.unicodeScalars) }
    var (wrong, sample, longest) = (0, 0, 0)
    try library.db.read { db in
      while sample < Self.samples, wrong < 10 {
        let line = letters.randomElement(using: &random)!
        let length = Int.random(in: 1...min(8, line.count), using: &random)
        let start = Int.random(in: 0...(line.count - length), using: &random)
        // Blanks and punctuation are borders, not letters.
        guard line[start..<start + length].allSatisfy({ $0.value >= 0x3005 }) else { continue }
        sample += 1
        let wanted = String(String.UnicodeScalarView(line[start..<start + length]))
        let asked = sample.isMultiple(of: 3) ? wanted.decomposedStringWithCanonicalMapping : wanted
        let expected = scan.lines(with: wanted)
        let query = try MatchQuery(userText: asked)
        let found = try SearchIndex.postings(of: query, in: "diary", most: Self.lines, db: db).rows.map { Int($0) - 1 }
        if found != expected {
          wrong += 1
          Issue.record("seed \(seed), sample \(sample), \(wanted): \(found.count) lines and not \(expected.count)")
        }
        // What is ranked is the same, as far as it goes.
        if expected.count <= SearchIndex.mostHits, sample.isMultiple(of: 20) {
          let ranked = try SearchIndex.candidates(matching: query, limit: SearchIndex.mostHits, now: 0, in: db)
          #expect(ranked.map { Int($0.item)! }.sorted() == expected, "seed \(seed), sample \(sample): \(wanted)")
        }
        if length == 8, expected.count > 1 { longest += 1 }
      }
    }
    #expect(sample == Self.samples && longest > 20, "the text has too few repetitions to say anything")
    #expect(try library.problems() == [])
  }

  /// Words of three scripts, with and without something between them, of which a fifth stood before: so that long
  /// substrings occur in several lines.
  private static func text(_ random: inout SeededGenerator) -> [String] {
    let alphabets = [
      "독서모임가나읽는책을도관에한강이흐르밤바람길위의사들과하늘별시꽃물왜뷁", "本を読むカーど々図書館で静かな夜に川が流れるハガキギタポケッ語学",
      "读书笔记一二三天气很好我们去图馆看河水慢流过城市的夜晚龍𠮷",
    ].map { Array($0.unicodeScalars) }
    let borders = [" ", ", ", "abc", "。", ""]
    var words: [String] = []
    return (0..<lines).map { _ in
      var line = ""
      for _ in 0..<Int.random(in: 2...8, using: &random) {
        line += borders.randomElement(using: &random)!
        if !words.isEmpty, Int.random(in: 0..<5, using: &random) == 0 {
          line += words.randomElement(using: &random)!
          continue
        }
        let alphabet = alphabets.randomElement(using: &random)!
        var word = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...9, using: &random) { word.append(alphabet.randomElement(using: &random)!) }
        words.append(String(word))
        line += String(word)
      }
      return line
    }
  }
}

/// Lines as one run of folded bytes, looked through from its beginning to its end.
private struct PlainScan {
  private var bytes: [UInt8] = []
  /// Where each line begins, and where the last one ends.
  private var starts: [Int] = [0]

  init(_ lines: [String]) {
    for line in lines {
      bytes += Self.letters(of: line)
      // In no text that is looked for.
      bytes.append(0x0A)
      starts.append(bytes.count)
    }
  }

  /// As search takes them: katakana for hiragana, and of the traditional letters of the text the simplified ones.
  private static func letters(of text: String) -> [UInt8] {
    let simplified: [Unicode.Scalar: Unicode.Scalar] = ["書": "书", "館": "馆", "語": "语", "龍": "龙"]
    let scalars = foldedText(text).unicodeScalars.map { scalar in
      (0x30A1...0x30F6).contains(scalar.value)
        ? Unicode.Scalar(scalar.value - 0x60) ?? scalar : simplified[scalar] ?? scalar
    }
    return Array(String(String.UnicodeScalarView(scalars)).utf8)
  }

  /// The numbers of the lines that have these letters, ascending.
  func lines(with text: String) -> [Int] {
    let wanted = Self.letters(of: text)
    var found: [Int] = []
    bytes.withUnsafeBytes { bytes in
      wanted.withUnsafeBytes { wanted in
        var start = 0
        while start < bytes.count,
          let place = firstPlace(of: wanted, in: UnsafeRawBufferPointer(rebasing: bytes[start...]))
        {
          let line = self.line(at: start + place)
          found.append(line)
          start = starts[line + 1]
        }
      }
    }
    return found
  }

  private func line(at place: Int) -> Int {
    var (low, high) = (0, starts.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= place { low = middle } else { high = middle }
    }
    return low
  }
}
