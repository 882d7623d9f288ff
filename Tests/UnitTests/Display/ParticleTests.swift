import Testing

@testable import Display

@Suite("Korean particles")
struct ParticleTests {
  @Test(
    "the particle fits how the word before it sounds",
    arguments: [
      ("책", "책을 책이 책은 책과 책으로"),
      ("나무", "나무를 나무가 나무는 나무와 나무로"),
      ("서울", "서울을 서울이 서울은 서울과 서울로"),
      ("‘책’", "‘책’을 ‘책’이 ‘책’은 ‘책’과 ‘책’으로"),
      ("3", "3을 3이 3은 3과 3으로"),
      ("1", "1을 1이 1은 1과 1로"),
      ("2", "2를 2가 2는 2와 2로"),
      ("10", "10을 10이 10은 10과 10으로"),
      ("50%", "50%를 50%가 50%는 50%와 50%로"),
      ("path", "path를 path가 path는 path와 path로"),
      ("url", "url을 url이 url은 url과 url로"),
      ("string", "string을 string이 string은 string과 string으로"),
      ("PDF", "PDF를 PDF가 PDF는 PDF와 PDF로"),
      ("title", "title을(를) title이(가) title은(는) title와(과) title(으)로"),
      ("漢", "漢을(를) 漢이(가) 漢은(는) 漢와(과) 漢(으)로"),
    ])
  func form(word: String, expected: String) {
    let template = "을(를) \(word)이(가) \(word)은(는) \(word)과(와) \(word)으로(로)"
    var text = word
    Particle.append(template, to: &text)
    #expect(text == expected)
  }

  @Test("a syllable in pieces sounds like the whole one")
  func decomposed() {
    #expect(Particle.means.form(after: "\u{1109}\u{1165}\u{110B}\u{116E}\u{11AF}") == "로")  // 서울
    #expect(Particle.object.form(after: "\u{110E}\u{1162}\u{11A8}") == "을")  // 책
    #expect(Particle.object.form(after: "\u{1102}\u{1161}") == "를")  // 나
  }

  @Test("a trillion (조) is the one round number that ends in a vowel")
  func roundNumbers() {
    #expect(Particle.object.form(after: "1,000,000,000,000") == "를")
    #expect(Particle.object.form(after: "100000000") == "을")
    #expect(Particle.object.form(after: "0") == "을")
  }

  @Test("without a word both forms stay")
  func nothing() {
    #expect(Particle.object.form(after: "") == "을(를)")
    #expect(Particle.object.form(after: "…") == "을(를)")
  }

  @Test("the spellings (으)로, 를(을), 가(이), 는(은) and 와(과) are taken too")
  func otherSpellings() {
    var text = "서울"
    Particle.append("(으)로, ", to: &text)
    text += "책"
    Particle.append("를(을), ", to: &text)
    text += "나무"
    Particle.append("와(과) (괄호)", to: &text)
    #expect(text == "서울로, 책을, 나무와 (괄호)")
  }
}
