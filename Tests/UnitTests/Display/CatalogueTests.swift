import Testing
import Wire

@testable import Display

@Suite("The catalogue")
struct CatalogueTests {
  private let catalogue = Catalogue(entries: [
    [
      Catalogue.Entry("toy.moved", en: "“{title}” moved to {column}.", ko: "‘{title}’을(를) {column}(으)로 옮겼습니다."),
      Catalogue.Entry("toy.count", en: "{count} {count|card|cards}", ko: "카드 {count}장"),
      Catalogue.Entry("toy.json", en: #"Send {"id": 1}, {} or {a b}."#, ko: #"{"id": 1}, {}, {a b}"#),
    ]
  ])

  @Test("a sentence inside of another is filled with its own arguments, and has its own advice")
  func inner() {
    let catalogue = Catalogue(entries: [
      [
        .init("outer", en: "{name}: {sentence.reason}", ko: "{name}: {sentence.reason}"),
        .init("inner", en: "{name} is missing.", ko: "{name}이(가) 없습니다."),
        .init("inner.advice", en: "Write {name}.", ko: "{name}을(를) 쓰십시오."),
      ]
    ])
    let text = Text("outer", ["name": "config"]).saying(Text("inner", ["name": "origin"]), at: "reason")
    #expect(catalogue.string(for: text, language: .english) == "config: origin is missing. Write origin.")
    #expect(catalogue.string(for: text, language: .korean) == "config: origin이 없습니다. origin을 쓰십시오.")
    let twice = Text("outer", ["name": "all"]).saying(text, at: "reason")
    #expect(catalogue.string(for: twice, language: .english) == "all: config: origin is missing. Write origin.")
  }

  @Test("a place is filled with its argument in both languages")
  func fillsPlaces() {
    let text = Text("toy.moved", ["title": "원고", "column": "DONE"])
    #expect(catalogue.string(for: text, language: .english) == "“원고” moved to DONE.")
    #expect(catalogue.string(for: text, language: .korean) == "‘원고’를 DONE(으)로 옮겼습니다.")
  }

  @Test("an unknown key stands for itself, and a missing argument stays visible")
  func missing() {
    #expect(catalogue.string(for: Text("toy.nothing", ["a": "b"]), language: .korean) == "toy.nothing")
    #expect(catalogue.string(for: Text("toy.count"), language: .english) == "{count} {count|card|cards}")
    #expect(catalogue["toy.nothing"] == nil)
  }

  @Test("English counts have a singular and a plural")
  func plural() {
    func cards(_ count: String, _ language: Language) -> String {
      catalogue.string(for: Text("toy.count", ["count": count]), language: language)
    }
    #expect(cards("1", .english) == "1 card")
    #expect(cards("0", .english) == "0 cards")
    #expect(cards("21", .english) == "21 cards")
    #expect(cards("1", .korean) == "카드 1장")
  }

  @Test("an argument that looks like a template fills no place and moves no particle")
  func argumentsAreNotTemplates() {
    let text = Text("toy.moved", ["title": "{column}을(를)", "column": "{title}"])
    #expect(catalogue.string(for: text, language: .english) == "“{column}을(를)” moved to {title}.")
    #expect(catalogue.string(for: text, language: .korean).hasPrefix("‘{column}을(를)’"))
  }

  @Test("braces around what is no name are words")
  func braces() {
    #expect(catalogue.string(for: Text("toy.json"), language: .english) == #"Send {"id": 1}, {} or {a b}."#)
    #expect(Template(#"{"id": 1} {x} {n|a|b} {n|a}"#).places == ["x", "n"])
  }

  @Test("the first entry of a key holds, and the second is named as a mistake")
  func duplicates() {
    let mine = [Catalogue.Entry("error.busy", en: "mine", ko: "내 것")]
    #expect(Catalogue(entries: [mine])["error.busy"]?.en != "mine")
    #expect(Catalogue.mistakes(in: [Catalogue.base, mine]) == ["error.busy is given twice."])
  }

  @Test("a missing translation, differing places and advice on nothing are mistakes")
  func mistakes() {
    let entries = [
      Catalogue.Entry("a", en: "A", ko: " "),
      Catalogue.Entry("b", en: "{x}", ko: "{y}"),
      Catalogue.Entry("c.advice", en: "C", ko: "C"),
    ]
    #expect(
      Catalogue.mistakes(in: [entries]) == [
        "a has no sentence in ko.", #"b has the places ["x"] in en and ["y"] in ko."#,
        "c.advice advises on a sentence that does not exist.",
      ])
  }

  @Test(
    "a tag names its language, and what is not spoken here is English",
    arguments: [
      ("ko", Language.korean), ("ko-KR", .korean), ("KO_kr.UTF-8", .korean), ("en-US", .english), ("C", .english),
      ("POSIX", .english), ("", .english), ("kok-IN", .english), ("ja-JP", .english),
    ])
  func language(tag: String, expected: Language) {
    #expect(Language(tag: tag) == expected)
  }
}
