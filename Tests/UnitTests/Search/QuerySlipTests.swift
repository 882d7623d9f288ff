import Foundation
import Testing

@testable import Search

@Suite("Search: fields that are misspelled") struct QuerySlipTests {
  @Test(
    "a letter too much, too few, another or swapped before a colon is told with the field that may be meant",
    arguments: [
      ("tilte:river", "tilte", "title"), ("titel: river", "titel", "title"), ("slow befor:2026", "befor", "before"),
      ("Tags:a", "Tags", "tag"), ("b (tga:a OR tilte:a)", "tga", "tag"), ("afetr:2026", "afetr", "after"),
      ("tagg:a", "tagg", "tag"), ("atg:a", "atg", "tag"), ("duee:today", "duee", "due"),
      ("NOT deu:today", "deu", "due"), ("tile:\"slow river\"", "tile", "title"), ("titl:riv*", "titl", "title"),
      ("재목:강", "재목", "제목"), ("테그:책", "테그", "태그"), ("마겜:오늘", "마겜", "마감"), ("기헌:오늘", "기헌", "기한"),
      ("\u{110C}\u{1162}\u{1106}\u{1169}\u{11A8}:강", "재목", "제목"), ("ｔｉｔｌｅ:a", "ｔｉｔｌｅ", "title"),
    ])
  func slips(_ text: String, _ written: String, _ nearest: String) {
    let slip = QuerySlip.first(in: text)
    #expect(slip == QuerySlip(written: written, nearest: nearest))
    // In whole syllables, as it is declared.
    #expect(slip.map { Array($0.nearest.utf8) } == Array(nearest.utf8))
  }

  @Test(
    "what is a field, is quoted, or differs in more than a letter is no slip",
    arguments: [
      "title:river", "제목:강", "tilte river", "\"tilte:river\"", "title:\"befor:2026\"", "http://a.example", "12:30",
      "at:noon", "note:slow", "bevor:2026", "inn:diary", "ist:open", "-tilte:a", "목:회의", "마감일:오늘", "t:a", ":a",
      "a:tilte:b", "", String(repeating: "tilte", count: 1_000) + ":",
    ])
  func text(_ text: String) {
    #expect(QuerySlip.first(in: text) == nil)
  }

  @Test(
    "of a field of three letters only two swapped or one too much are a slip: what else is near to it is a word",
    arguments: [
      "tax", "tab", "bag", "tug", "ta", "ag", "duo", "cue", "hue", "die", "de", "du", "gat", "duke", "duet", "stag",
    ])
  func short(_ word: String) {
    #expect(QuerySlip.first(in: word + ":a") == nil)
  }

  @Test(
    "an ordinary word of two syllables is no slip of a field that it shares one with",
    arguments: [
      "기타", "기록", "기관", "기준", "권한", "기간", "기반", "시한", "항목", "과목", "품목", "종목", "제한", "제안", "제출", "제복",
      "주목", "마음", "마을", "공감", "차감", "태도", "버그", "로그", "태극", "개그",
    ])
  func ordinary(_ word: String) {
    #expect(QuerySlip.first(in: word + ":강") == nil)
    #expect(QuerySlip.first(in: word.decomposedStringWithCanonicalMapping + ":강") == nil)
  }
}
