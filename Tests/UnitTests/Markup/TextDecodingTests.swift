import Foundation
import Markup
import Testing

@Suite("encodings of documents") struct TextDecodingTests {
  /// "한글 제목" in EUC-KR.
  private static let korean: [UInt8] = [0xC7, 0xD1, 0xB1, 0xDB, 0x20, 0xC1, 0xA6, 0xB8, 0xF1]

  private func document(_ body: [UInt8], declared: String? = nil) -> [UInt8] {
    let declaration = declared.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? ""
    return Array(declaration.utf8) + Array("<title>".utf8) + body + Array("</title>".utf8)
  }

  private func title(_ bytes: [UInt8], contentType: String? = nil) -> String {
    let text = TextDecoding(bytes, contentType: contentType).text
    return String(text.split(separator: "<title>").last?.split(separator: "</title>").first ?? "")
  }

  @Test(
    "EUC-KR is read where the document declares it, where the header does, where both contradict it, and undeclared",
    arguments: [
      ("euc-kr", nil), (nil, "text/xml; charset=EUC-KR"), ("utf-8", nil), (nil, "text/xml;charset=\"utf-8\""),
      ("euc-kr", "application/xml; charset=utf-8"), ("utf-8", "text/xml; charset='ks_c_5601-1987'"), (nil, nil),
      ("no-such-encoding", "text/xml; charset=neither/this"),
    ] as [(String?, String?)])
  func koreanDocument(declared: String?, contentType: String?) {
    #expect(title(document(Self.korean, declared: declared), contentType: contentType) == "한글 제목")
  }

  @Test("text whose bytes are four letters each is whole")
  func longLetters() {
    // 82 is க்ஷ with the vowel of ஸ்ரீ in TSCII: four code points of three bytes.
    let body = [UInt8](repeating: 0x82, count: 1_000)
    let text = title(document(body, declared: "tscii"))
    #expect(text.unicodeScalars.count == 4_000 && !text.contains("\u{FFFD}"))
  }

  @Test("a letter that the encoding still owes at the end is there, also where there was room for just the others")
  func owedLetter() {
    // Three times as many bytes and sixteen more hold all but the last letter, for which another might have come.
    let text = TextDecoding([0x61, 0x82, 0x82, 0x8A], contentType: "text/plain; charset=tscii").text
    let letter = "\u{BB8}\u{BCD}\u{BB0}\u{BC0}"
    #expect(text.unicodeScalars.elementsEqual("a\(letter)\(letter)\u{BB8}\u{BCD}".unicodeScalars))
  }

  @Test("syllables that only CP949 has are read as the rest of EUC-KR is")
  func extendedKorean() {
    // 똠 is 8C 63.
    #expect(title(document([0x8C, 0x63], declared: "euc-kr")) == "똠")
  }

  @Test(
    "UTF-8 that is called something else is UTF-8 all the same", arguments: ["iso-8859-1", "us-ascii", "windows-1252"])
  func misnamed(declared: String) {
    #expect(title(document(Array("한글 é".utf8), declared: declared)) == "한글 é")
  }

  @Test("a byte order mark is stronger than every claim, and is no part of the text")
  func marks() {
    let text = "<title>한글</title>"
    #expect(TextDecoding([0xEF, 0xBB, 0xBF] + Array(text.utf8), contentType: "text/xml; charset=euc-kr").text == text)
    let wide = Data([0xFF, 0xFE]) + text.data(using: .utf16LittleEndian)!
    #expect(TextDecoding(wide, contentType: "text/xml; charset=utf-8").text == text)
    let bigEndian = Data([0xFE, 0xFF]) + text.data(using: .utf16BigEndian)!
    #expect(TextDecoding(bigEndian).text == text)
  }

  @Test("two bytes a letter are seen without a mark")
  func wide() {
    let text = "<title>한글</title>"
    #expect(TextDecoding(text.data(using: .utf16LittleEndian)!).text == text)
    #expect(TextDecoding(text.data(using: .utf16BigEndian)!).text == text)
  }

  @Test("undeclared Japanese and western letters are told from Korean ones")
  func detection() {
    // "日本語のフィード" in Shift_JIS.
    let japanese: [UInt8] = [
      0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x82, 0xCC, 0x83, 0x74, 0x83, 0x42, 0x81, 0x5B, 0x83, 0x68,
    ]
    #expect(title(document(japanese)) == "日本語のフィード")
    #expect(title(document(Array("caf".utf8) + [0xE9] + Array(" na".utf8) + [0xEF] + Array("ve".utf8))) == "café naïve")
    // Smart quotes, which ISO 8859-1 does not have.
    #expect(title(document([0x93, 0x61, 0x94], declared: "iso-8859-1")) == "“a”")
  }

  /// Sentences in the encodings that feeds have and do not name, in base64.
  static let undeclared: [(encoding: String, bytes: String, text: String)] = [
    (
      "euc_jp", "xvzL3LjspM6l1aWjobylyaTHpLmho7qjxvykz8W3taSkrKSkpKSkzqTHoaK7tsripMu51KStpN6kt6S/oaM=",
      "日本語のフィードです。今日は天気がいいので、散歩に行きました。"
    ),
    ("gbk", "vfHM7Mzsxvi63LrDo6zO0sPHyKW5q9SwyaKyvaGj0MK1xM7E1cLS0b6tt6KyvMHLoaM=", "今天天气很好，我们去公园散步。新的文章已经发布了。"),
    ("big5", "pLWk0aTRrvCr3KZuoUGn2q3MpWikvbbptLKoQqFD", "今天天氣很好，我們去公園散步。"),
    (
      "koi8_r", "88XHz8TO0SDIz9LP28HRINDPx8/EwSwgySDN2SDQz9vMySDH1czR1Ngg1yDQwdLLLg==",
      "Сегодня хорошая погода, и мы пошли гулять в парк."
    ),
    (
      "cp1251", "0eXj7uTt/yD17vDu+OD/IO/u4+7k4Cwg6CDs+yDv7vjr6CDj8+v/8vwg4iDv4PDqLg==",
      "Сегодня хорошая погода, и мы пошли гулять в парк."
    ),
    (
      "tis_620", "x9G5udXpzdKh0si01eDD0uS74LTUueDF6LnjucrHucrSuNLDs9Agurekx9LB48vB6OS06cPRuqHSw+C8wuG+w+jhxenH",
      "วันนี้อากาศดีเราไปเดินเล่นในสวนสาธารณะ บทความใหม่ได้รับการเผยแพร่แล้ว"
    ),
    (
      "cp1255", "5Onl7SDu5uIg5ODl5en4IOn05CDl5Ozr8OUg7Ojp6ewg4fTg+PcuIOTu4O74IOTn4/kg9OX48e0u",
      "היום מזג האוויר יפה והלכנו לטייל בפארק. המאמר החדש פורסם."
    ),
    ("euc_kr", "v8C0w8C6ILOvvr6woSDBwb7GvK0gsPi/+L+hILvqw6XAuyCwrL3AtM+02S4=", "오늘은 날씨가 좋아서 공원에 산책을 갔습니다."),
    ("shift_jis", "jaGT+oLNk1aLQ4KqgqKCooLMgsWBQY5VleCCyY1zgquC3IK1gr2BQg==", "今日は天気がいいので、散歩に行きました。"),
  ]

  @Test("an undeclared encoding of other letters than Latin ones is found by its letters", arguments: undeclared)
  func statistics(_ sample: (encoding: String, bytes: String, text: String)) throws {
    let bytes = Array(try #require(Data(base64Encoded: sample.bytes)))
    #expect(title(document(bytes)) == sample.text)
    // Among the words of a feed, too.
    let padding = Array(String(repeating: "<link>https://a.example/posts/1</link>", count: 30).utf8)
    #expect(title(document(bytes) + padding) == sample.text)
  }

  @Test(
    "western letters stay western, however few and whatever their language",
    arguments: [
      "Aujourd’hui il fait beau, et nous sommes allés nous promener. Voilà l’été déjà.", "Über die Straße", "Mañana",
      "Não há informações", "På lördag åker vi till Göteborg", "Rødgrød med fløde på øen", "“Ça”", "naïve café",
    ])
  func western(_ text: String) throws {
    let bytes = Array(try #require(text.data(using: .windowsCP1252)))
    #expect(title(document(bytes)) == text)
  }

  @Test(
    "an encoding that only the header names is believed",
    arguments: [
      ("text/xml; charset=windows-1251", [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"),
      (
        "application/rss+xml;charset=\"ISO-8859-2\"", [0xA3, 0xF3, 0x64, 0xBC, 0x20, 0xBF, 0xF3, 0xB3, 0x74, 0x61],
        "Łódź żółta"
      ),
      ("text/xml; charset=koi8-r", [0xF0, 0xD2, 0xC9], "При"),
    ] as [(String, [UInt8], String)])
  func headerAlone(contentType: String, bytes: [UInt8], text: String) {
    #expect(title(document(bytes), contentType: contentType) == text)
  }

  @Test("control characters that stand for letters of windows-1252 are those letters, and undefined ones stay")
  func controls() {
    #expect(title(document(Array("don\u{92}t \u{93}go\u{94} \u{81}".utf8))) == "don’t “go” \u{81}")
  }

  @Test("UTF-8 with western letters of another program in between is read as both")
  func mixed() {
    let mixed = Array("Brøndby søger ære, bes".utf8) + [0xF8] + Array("g".utf8)
    #expect(title(document(mixed, declared: "ISO-8859-1")) == "Brøndby søger ære, besøg")
  }

  @Test("bytes that do not fit are replaced, and NUL is left out: nothing is refused")
  func misfits() {
    let broken = TextDecoding(document(Array("한글로 된 긴 제목".utf8) + [0xFF, 0x00] + Array("끝".utf8), declared: "utf-8"))
    #expect(broken.text.contains("한글로 된 긴 제목\u{FFFD}끝"))
    #expect(broken.misfits == 1)
    let cut = TextDecoding(document(Self.korean + Self.korean + [0xC7], declared: "euc-kr"))
    #expect(cut.text.contains("한글 제목한글 제목\u{FFFD}"))
    #expect(TextDecoding([UInt8]()).text == "")
  }

  @Test("pairs of bytes of every kind become valid text without NUL")
  func everything() {
    for first in stride(from: 0x80 as UInt8, through: 0xFE, by: 2) {
      let bytes: [UInt8] = (0...255 as ClosedRange<UInt8>).flatMap { second -> [UInt8] in [first, second, 0x41] }
      for contentType in [nil, "a/b; charset=euc-kr", "a/b; charset=shift_jis", "a/b; charset=iso-2022-kr"] {
        let decoded = TextDecoding(bytes, contentType: contentType)
        #expect(!decoded.bytes.contains(0))
        #expect(String(validating: decoded.bytes, as: UTF8.self) != nil)
      }
    }
  }
}
