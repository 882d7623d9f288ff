import Testing
import Wire

@testable import Display

@Suite("The catalogue")
struct CatalogueTests {
  private let catalogue = Catalogue(adding: [
    .english: """
    # A comment = not a sentence

    toy.moved = “{title}” moved to {column}.
    toy.count = {count} {count|card|cards}
    toy.json = Send {"id": 1}, {} or {a b}.
    toy.lines = one\\ntwo \\\\n = three
    toy.lines = the second of its key
    """,
    .korean: """
    toy.moved = ‘{title}’을(를) {column}(으)로 옮겼습니다.
    toy.count = 카드 {count}장
    """,
  ])

  @Test("a sentence inside of another is filled with its own arguments, and has its own advice")
  func inner() {
    let catalogue = Catalogue(adding: [
      .english: """
      outer = {name}: {sentence.reason}
      inner = {name} is missing.
      inner.advice = Write {name}.
      """,
      .korean: """
      outer = {name}: {sentence.reason}
      inner = {name}이(가) 없습니다.
      inner.advice = {name}을(를) 쓰십시오.
      """,
    ])
    let text = Text("outer", ["name": "config"]).saying(Text("inner", ["name": "origin"]), at: "reason")
    #expect(catalogue.string(for: text, language: .english) == "config: origin is missing. Write origin.")
    #expect(catalogue.string(for: text, language: .korean) == "config: origin이 없습니다. origin을 쓰십시오.")
    let twice = Text("outer", ["name": "all"]).saying(text, at: "reason")
    #expect(catalogue.string(for: twice, language: .english) == "all: config: origin is missing. Write origin.")
  }

  @Test("a place is filled with its argument in each language")
  func fillsPlaces() {
    let text = Text("toy.moved", ["title": "원고", "column": "DONE"])
    #expect(catalogue.string(for: text, language: .english) == "“원고” moved to DONE.")
    #expect(catalogue.string(for: text, language: .korean) == "‘원고’를 DONE(으)로 옮겼습니다.")
  }

  @Test("an unknown key stands for itself, and a missing argument stays visible")
  func missing() {
    #expect(catalogue.string(for: Text("toy.nothing", ["a": "b"]), language: .korean) == "toy.nothing")
    #expect(catalogue.string(for: Text("toy.count"), language: .english) == "{count} {count|card|cards}")
    #expect(catalogue.word("toy.nothing", in: .english) == nil)
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

  @Test("a line is a key and its sentence, the first of a key is found, and escapes are written out")
  func lines() {
    func word(_ key: String) -> String? { catalogue.word(key, in: .english) }
    #expect(word("toy.lines") == "one\ntwo \\n = three")
    for key in ["# A comment", "", "toy", "toy.lines = one", " ", "toy.moved = “{title}” moved to {column}."] {
      #expect(word(key) == nil, "\(key)")
    }
    #expect(Catalogue(adding: [.english: "a = "]).word("a", in: .english) == "")
    #expect(Catalogue(adding: [.english: "a ="]).word("a", in: .english) == nil)
    #expect(Catalogue(adding: [.english: ""]).word("a", in: .english) == nil)
  }

  @Test("what is added takes no place of the program's sentences")
  func additions() {
    let catalogue = Catalogue(adding: [.english: "day.today = mine\ntoy.mine = mine"])
    #expect(catalogue.word("day.today", in: .english) == "today")
    #expect(catalogue.word("toy.mine", in: .english) == "mine")
    #expect(catalogue.word("toy.mine", in: .korean) == nil)
    #expect(Catalogue().word("toy.mine", in: .english) == nil)
  }

  @Test(
    "a tag names its language, and what is not spoken here is English",
    arguments: [
      ("ko", Language.korean), ("ko-KR", .korean), ("KO_kr.UTF-8", .korean), ("en-US", .english), ("C", .english),
      ("POSIX", .english), ("", .english), ("kok-IN", .english), ("ja-JP", .japanese),
      ("ja_JP.UTF-8", .japanese), ("zh-CN", .chinese), ("zh-Hant-TW", .chinese), ("zh_TW.UTF-8", .chinese),
      ("de", .english),
    ])
  func language(tag: String, expected: Language) {
    #expect(Language(tag: tag) == expected)
  }
}
