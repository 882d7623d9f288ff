import Foundation
import Testing
import Wire

@testable import Display

@Suite("Readers")
struct ReaderTests {
  @Test(
    "locales are taken in the spellings of editors and shells",
    arguments: [
      ("ko-KR", "ko-KR"), ("ko_KR.UTF-8", "ko-KR"), ("KO-kr", "ko-KR"), ("C", "en"), ("C.UTF-8", "en"),
      ("POSIX", "en"),
      ("zh-hant-tw", "zh-Hant-TW"), ("de_DE@euro", "de-DE"), ("es-419", "es-419"), ("en", "en"),
      ("th-TH-u-ca-buddhist", "th-TH-u-ca-buddhist"), ("fil-PH", "fil-PH"),
    ])
  func locales(text: String, expected: String) {
    #expect(LocaleTag(text)?.identifier == expected)
  }

  @Test(
    "locales that do not exist are refused",
    arguments: ["", "xx-YY", "ko-YY", "korean", "ko-", "-KR", "ko KR", "qqq", "ko-KR-ﾊ", "12", "ko-KR\0"])
  func unknownLocales(text: String) {
    #expect(LocaleTag(text) == nil)
  }

  @Test("the codes are Foundation's")
  func codes() {
    let languages = Locale.LanguageCode.isoLanguageCodes.map(\.identifier).filter { $0.count == 2 }
    let regions = Locale.Region.isoRegions.map(\.identifier).filter { $0.count == 2 }
    #expect(Set(languages.map { $0[...] }) == LocaleCodes.languages)
    #expect(Set(regions.map { $0[...] }) == LocaleCodes.regions)
  }

  @Test("D16 a client's locale and zone change its language and its strings' key at once")
  func configure() throws {
    var reader = Reader(locale: .english, zone: .utc)
    try reader.configure(locale: "ko-KR", timeZone: "Asia/Seoul")
    #expect(reader.language == .korean)
    #expect(reader.locale.identifier == "ko-KR")
    #expect(reader.zone.identifier == "Asia/Seoul")
    try reader.configure(locale: "de-DE")
    #expect(reader.language == .english)
    #expect(reader.zone.identifier == "Asia/Seoul")
  }

  @Test("a name that does not exist is refused by field, and nothing is changed")
  func refusals() throws {
    let before = Reader(locale: .english, zone: .utc)
    var reader = before
    #expect(throws: ReaderError.unknownTimeZone("Asia/Nowhere")) {
      try reader.configure(locale: "ko-KR", timeZone: "Asia/Nowhere")
    }
    #expect(throws: ReaderError.unknownLocale("xx")) { try reader.configure(locale: "xx") }
    #expect(reader == before)
    let reply = ReaderError.unknownTimeZone("Asia/Nowhere").reply
    #expect(reply.code == RPCError.Code.invalidParams)
    #expect(reply.data["field"] == "timeZone")
    #expect(
      Catalogue().render(reply, language: .korean).message
        == "‘timeZone’의 Asia/Nowhere은(는) 없는 시간대입니다. Asia/Seoul이나 Etc/UTC 같은 이름을 쓰십시오.")
    #expect(ReaderError.unknownLocale("xx").reply.data["field"] == "locale")
  }

  @Test("the daemon's own reader follows the environment and never fails")
  func system() {
    let korean = Reader.system(environment: ["LANG": "ko_KR.UTF-8", "TZ": "Asia/Seoul"])
    #expect(korean.language == .korean && korean.zone.identifier == "Asia/Seoul")
    #expect(Reader.system(environment: ["LANG": "ko_KR.UTF-8", "LC_ALL": "en_US.UTF-8"]).locale.identifier == "en-US")
    #expect(Reader.system(environment: ["LANG": "ko_KR.UTF-8", "LC_ALL": ""]).language == .korean)
    #expect(Reader.system(environment: ["LANG": "nonsense"]).locale == .english)
  }
}
