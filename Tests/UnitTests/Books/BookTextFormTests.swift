import Contract
import Foundation
import Testing
import Wire

@testable import Books
@testable import Exchange
@testable import Kit

@Suite("Books: texts of services and files") struct BookTextFormTests {
  @Test("G12 the little HTML of descriptions becomes text, and what is no HTML stays")
  func plainText() {
    let known = [
      ("plain", "plain"), ("a &amp; b", "a & b"), ("it&#39;s &quot;x&quot; &#x2014; y", "it's \"x\" — y"),
      ("<p>one</p><p>two<br>three</p>", "one\n\ntwo\nthree"), ("<b>bold</b> <i>i</i>", "bold i"),
      ("1 < 2 & 3 > 2", "1 < 2 & 3 > 2"),
      ("&unknown; &", "&unknown; &"), ("a<br/><br/><br/>b", "a\n\nb"), ("&#0;x", "&#0;x"),
      ("<unclosed", "<unclosed"), ("<!-- c -->x", "x"),
    ]
    for (html, text) in known { #expect(CatalogueText(html: html).text == text, "\(html)") }
  }

  @Test("what a program in a description or a review says is no part of its text")
  func scripts() {
    let known = [
      ("a<script>alert('<b>x</b>')</script>b", "ab"), ("a<SCRIPT type=\"x\">y</ScRiPt >b", "ab"),
      ("a<style>p { }</style><p>b</p>", "a\nb"), ("<script>never closed <p>x</p>", ""), ("a<script/>b", "ab"),
      ("a<svg><title>x</title></svg>b<textarea>y</textarea>", "ab"), ("a<!-- <b>x</b> > y -->b", "ab"),
      ("a<img alt=\"1 > 2\" onerror='x>y'>b", "ab"), ("<a title= 'x > y'>b", "b"), ("<p it's>b</p>", "b"),
      ("<a title=\"open>b", "b"),
      ("see <https://example.org/a>", "see https://example.org/a"), ("&lt;script&gt;x", "<script>x"),
      ("the <object> of it all", "the  of it all"),
    ]
    for (html, text) in known { #expect(CatalogueText(html: html).text == text, "\(html)") }
  }

  @Test("a text of a million tags that nothing closes is read in one go", .timeLimit(.minutes(10)))
  func hostile() {
    for piece in ["<a", "<object>", "<!--", "<a =\"", "<script", "&", "<x ='>"] {
      let html = String(repeating: piece, count: 200_000) + ">"
      let text = CatalogueText(html: html).text
      #expect(text.utf8.count <= html.utf8.count)
      #expect(piece != "&" || text == html)
    }
  }

  private func rows(_ text: String) throws -> [[String]] { try DelimitedText(Array(text.utf8)).rows.map(\.cells) }

  @Test("G22 a table is read by RFC 4180, and where programs write otherwise as they mean it")
  func tables() throws {
    #expect(try rows("a,b\r\n1,2\r\n") == [["a", "b"], ["1", "2"]])
    #expect(try rows("a,b\n1,2") == [["a", "b"], ["1", "2"]] && rows("a\rb") == [["a"], ["b"]])
    #expect(try rows("\u{FEFF}a,\"b\"\n\"x\ny\",\"q\"\"q\"") == [["a", "b"], ["x\ny", "q\"q"]])
    #expect(try rows("a,=\"0439\",\n") == [["a", "=\"0439\"", ""]])
    #expect(
      try rows("a;b;c\n1;\"2;3\";4") == [["a", "b", "c"], ["1", "2;3", "4"]] && rows("a\tb,c") == [["a", "b,c"]])
    #expect(try rows("a\n\n\nb\n") == [["a"], ["b"]] && rows("").isEmpty && rows("\"\",\"\"") == [["", ""]])
    #expect(try DelimitedText(Array("a\n\"x\r\ny\"\nb".utf8)).rows.map(\.line) == [1, 2, 4])
    #expect(throws: WrongFormat(reason: "openQuote", line: 2)) { try rows("a\n\"x\ny") }
    #expect(throws: WrongFormat(reason: "notUTF8")) { try DelimitedText([0x61, 0xFF]) }
  }

  @Test("G22 what is written as a line is read back as it was")
  func writtenLines() throws {
    let cells = ["plain", "", "a,b", "q\"q", "two\r\nlines", " blanks ", "한글", "=1+1", "\r"]
    #expect(try rows("x,y\r\n" + DelimitedText.line(cells)).last == cells)
  }

  @Test("G22 names are split as far as they can be")
  func names() {
    let known: [(String, String, String?, String?)] = [
      ("Garth Nix", "Nix", "Garth", nil), ("Nix, Garth", "Nix", "Garth", nil),
      ("Ludwig van Beethoven", "Beethoven", "Ludwig", "van"),
      ("J. R. R. Tolkien", "Tolkien", "J. R. R.", nil), ("Kurt Vonnegut Jr.", "Vonnegut", "Kurt", nil),
      ("Gerard 't Hooft", "Hooft", "Gerard", "'t"),
      ("Barnes and Noble", "Barnes", nil, nil),
      ("Plato", "Plato", nil, nil),
      ("한강", "한", nil, nil), ("남궁인수", "남궁", nil, nil), ("Simone de Beauvoir", "Beauvoir", "Simone", "de"),
      ("Ursula K. Le Guin", "Le Guin", "Ursula K.", nil), ("Oscar De La Renta", "De La Renta", "Oscar", nil),
      ("Jean de La Fontaine", "La Fontaine", "Jean", "de"), ("Jan van der Van Dyke Jr.", "Van Dyke", "Jan", "van der"),
      ("Juan De la Cruz", "De la Cruz", "Juan", nil), ("Van Morrison", "Morrison", "Van", nil),
      ("", "", nil, nil),
      ("村上 春樹", "村上", nil, nil),
    ]
    for (name, family, given, particle) in known {
      let parts = PersonName(name)
      #expect(parts.family == family && parts.given == given && parts.particle == particle, "\(name): \(parts)")
    }
  }

  @Test("G22 keys that are taken get letters, z is followed by aa")
  func keys() {
    var taken: Set<String> = ["x"]
    var last = ""
    for _ in 0..<28 {
      last = CitationKey.free("x") { taken.contains($0) }
      taken.insert(last)
    }
    #expect(taken.isSuperset(of: ["xa", "xz", "xaa", "xab"]) && last == "xab")
    #expect(RomanHangul.text(of: "한강 김영하") == "hangang gimyeongha")
  }

  @Test("G22 two descriptions of one book are alike, those of two books of a series are not")
  func likeness() {
    func facts(_ title: String, _ authors: String...) -> BookFacts {
      var facts = BookFacts()
      (facts.title, facts.authors) = (title, authors)
      return facts
    }
    let same: [(BookFacts, BookFacts)] = [
      (facts("Human Acts", "Han Kang"), facts("Human acts: a novel", "Kang, Han")),
      (facts("Sabriel (Abhorsen, #1)", "Garth Nix"), facts("Sabriel", "Nix, Garth")),
      (facts("The Hobbit", "J. R. R. Tolkien"), facts("The Hobbit", "John Ronald Reuel Tolkien")),
      (facts("소년이 온다", "한강"), facts("소년이온다", "한강")),
    ]
    for (one, other) in same { #expect(BookLikeness.score(one, other) >= BookLikeness.same, "\(one.title ?? "")") }
    let different: [(BookFacts, BookFacts)] = [
      (
        facts("Harry Potter and the Goblet of Fire", "J.K. Rowling"),
        facts("Harry Potter and the Chamber of Secrets", "J.K. Rowling")
      ),
      (facts("Poems", "Emily Dickinson"), facts("Poems", "John Keats")), (facts("", "A"), facts("", "A")),
      (facts("It", "Stephen King"), facts("If", "Stephen King")),
    ]
    for (one, other) in different {
      #expect(BookLikeness.score(one, other) < BookLikeness.similar, "\(one.title ?? "")")
    }
  }

  @Test("G15 pictures are told by their first bytes, and what is cut off is no crash")
  func pictures() {
    #expect(CoverPicture(Data("<html>".utf8)) == nil && CoverPicture(Data()) == nil)
    let png = Data([
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 2, 0x3F, 0, 0, 2, 0xEE,
    ])
    #expect(CoverPicture(png)?.width == 575 && CoverPicture(png)?.height == 750 && CoverPicture(png)?.form == .png)
    for count in 3..<png.count { _ = CoverPicture(png.prefix(count)) }
    let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 11, 8, 0, 190, 0, 128, 1, 1, 0x11, 0])
    #expect(CoverPicture(jpeg)?.width == 128 && CoverPicture(jpeg)?.height == 190)
    for count in 3..<jpeg.count { _ = CoverPicture(jpeg.prefix(count)) }
    let endless = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0] + [UInt8](repeating: 0xFF, count: 200))
    #expect(CoverPicture(endless) != nil)
  }
}
