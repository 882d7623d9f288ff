import Foundation
import Testing

@testable import Markup

@Suite("References, claims and texts of markup") struct MarkupTablesTests {
  @Test(
    "links are resolved as RFC 3986 says in its examples",
    arguments: [
      ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"),
      ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("g#s", "http://a/b/c/g#s"),
      ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
      ("g;x?y#s", "http://a/b/c/g;x?y#s"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
      ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
      ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
      ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
      ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
      ("g/./h", "http://a/b/c/g/h"),
      ("g/../h", "http://a/b/c/h"), ("g?y/./x", "http://a/b/c/g?y/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"),
      // What browsers forgive.
      (" \n g \t", "http://a/b/c/g"), ("g\nh", "http://a/b/c/gh"), ("g h", "http://a/b/c/g%20h"),
      ("g\"<>`^{|}", "http://a/b/c/g%22%3C%3E%60%5E%7B%7C%7D"), ("g\\h", "http://a/b/c/g%5Ch"),
      ("1a:b", "http://a/b/c/1a:b"), ("a+-.1:b", "a+-.1:b"), ("책", "http://a/b/c/책"),
      ("//u:p@g/x", "http://g/x"), ("ftp://u@g/x?y#z", "ftp://g/x?y#z"),
    ])
  func resolving(link: String, expected: String) {
    #expect(WebReference(base: "http://a/b/c/d;p?q")?.resolve(link) == expected)
  }

  @Test("what is empty, a place in the same document, too long or ambiguous is no link")
  func noLinks() {
    let base = WebReference(base: "HTTP://me@a.example/b?c#d")
    #expect(base?.text == "http://a.example/b?c")
    let long = String(repeating: "x", count: 4_096)
    #expect(base?.resolve(long) == "http://a.example/" + long)
    for link in ["", " ", "#x", long + "x", "//b\\@c/", "http://b%5cc/"] {
      #expect(base?.resolve(link) == nil, "\(link)")
    }
    for text in ["", "a", "/a", "//a", "1a:b", "http://a\\@b/", "http://a/" + long] {
      #expect(WebReference(base: text) == nil, "\(text)")
    }
    #expect(WebReference(base: "http://a/" + long.dropLast(9)) != nil)
    // Of a base without a host nothing is relative.
    #expect(
      WebReference(base: "mailto:a@b")?.resolve("c") == nil
        && WebReference(base: "urn:x")?.resolve("//c/d") == "urn://c/d")
    #expect(WebReference.absolute("g", base: nil) == nil && WebReference.absolute("G:h", base: nil) == "G:h")
    #expect(WebReference.absolute("a:" + long.dropLast(2), base: nil) != nil)
    #expect(WebReference.absolute("a:" + long, base: nil) == nil)
    #expect(
      WebReference.namesUser("http://u@a/") && !WebReference.namesUser("http://a/u@b")
        && WebReference.namesUser("//u:p@a"))
  }

  private func read(_ text: String) -> (count: Int, scalar: Unicode.Scalar?) {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { source in
      let found = CharacterReference.read(source, at: 0, end: source.count)
      return (found.count, found.scalar)
    }
  }

  @Test(
    "an ampersand begins a character that is named or numbered, or is itself",
    arguments: [
      ("&amp;", 5, "&"), ("&apos;x", 6, "'"), ("&nbsp;", 6, "\u{A0}"), ("&#65;", 5, "A"), ("&#x41;", 6, "A"),
      ("&#X41;", 6, "A"),
      ("&#9;", 4, "\t"), ("&#10;", 5, "\n"), ("&#13;", 5, "\r"), ("&#32;", 5, " "), ("&#31;", 5, "\u{FFFD}"),
      ("&#0;", 4, "\u{FFFD}"), ("&#xD800;", 8, "\u{FFFD}"), ("&#xFFFE;", 8, "\u{FFFD}"), ("&#xFFFF;", 8, "\u{FFFD}"),
      ("&#xFFFD;", 8, "\u{FFFD}"), ("&#x10FFFF;", 10, "\u{10FFFF}"), ("&#x110000;", 10, "\u{FFFD}"),
      ("&#146;", 6, "’"), ("&#127;", 6, "\u{7F}"), ("&#128;", 6, "€"), ("&#159;", 6, "Ÿ"), ("&#160;", 6, "\u{A0}"),
      ("&#000000000065;", 1, nil), ("&#00000000065;", 14, "A"), ("&", 1, nil), ("&;", 1, nil), ("&a", 1, nil),
      ("&nope;", 1, nil),
      ("&a b;", 1, nil), ("&#;", 1, nil), ("&#x;", 1, nil), ("&#xG;", 1, nil), ("&#99999999999;", 1, nil),
      ("&é;", 1, nil),
      ("&amp", 1, nil), ("&thetasym;", 10, "ϑ"),
    ] as [(String, Int, Unicode.Scalar?)])
  func references(text: String, count: Int, scalar: Unicode.Scalar?) throws {
    try MarkupTree.load()
    #expect(read(text) == (count, scalar))
  }

  @Test("a character is written so that XML gives it back")
  func written() {
    func written(_ scalar: Unicode.Scalar?) -> String {
      var bytes: [UInt8] = []
      CharacterReference(count: 1, scalar: scalar).write(into: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    let expected: [(Unicode.Scalar?, String)] = [
      (nil, "&amp;"), ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("\n", "&#10;"), ("\t", "&#9;"),
      ("\r", "&#13;"), ("a", "a"), ("한", "한"), ("'", "'"),
    ]
    for (scalar, text) in expected { #expect(written(scalar) == text) }
  }

  @Test(
    "what a document declares of its encoding is found where it must stand",
    arguments: [
      ("<?xml version='1.0' encoding='euc-kr'?>", "UHC"), ("<?xml encoding = \"koi8-r\" ?>", "KOI8-R"),
      ("<?xml version=\"1.0\"?>", nil), ("<?xml encoding=utf-16?>", nil), ("<?xml myencoding='koi8-r'?>", nil),
      ("<?xml encoding=''?>", nil), ("text <?xml encoding='koi8-r'?>", "KOI8-R"), ("<meta charset=koi8-r>", "KOI8-R"),
      ("<META CHARSET='KOI8-R'/>", "KOI8-R"),
      ("<meta http-equiv='Content-Type' content='text/html; charset=koi8-r'>", "KOI8-R"), ("<p charset=koi8-r>", nil),
      ("<meta name=a><meta charset=koi8-r;x>", "KOI8-R"), ("<meta charset>", nil), ("<meta charset=>", nil), ("", nil),
      (String(repeating: " ", count: 2_048 - 21) + "<meta charset=koi8-r>", "KOI8-R"),
      (String(repeating: " ", count: 2_048 - 13) + "<meta charset=koi8-r>", nil),
    ] as [(String, String?)])
  func declarations(text: String, name: String?) {
    #expect(CharsetClaims.declaration(in: Array(text.utf8))?.iconvName == name)
  }

  @Test(
    "the charset of a Content-Type is its parameter of that name",
    arguments: [
      ("text/xml; charset=koi8-r", "KOI8-R"), ("text/xml;a=b; CHARSET = \"koi8-r\" ", "KOI8-R"),
      ("charset=koi8-r", nil),
      ("text/xml", nil), ("text/xml; charset", nil), ("text/xml; charset=a/b", nil), ("text/xml; charset=''", nil),
      (nil, nil), ("text/xml; charset=latin1; charset=koi8-r", "CP1252"),
    ] as [(String?, String?)])
  func parameters(text: String?, name: String?) {
    #expect(CharsetClaims.parameter(of: text)?.iconvName == name)
  }

  @Test("marks and widths tell the order of bytes")
  func marks() {
    func mark(_ bytes: [UInt8]) -> String? {
      CharsetClaims.byteOrderMark(of: bytes).map { "\($0.charset.iconvName) \($0.count)" }
    }
    #expect(mark([0xEF, 0xBB, 0xBF]) == "UTF-8 3" && mark([0xFF, 0xFE, 1, 0]) == "UTF-16LE 2")
    #expect(mark([0xFE, 0xFF]) == "UTF-16BE 2" && mark([0xFF, 0xFE, 0, 0]) == "UTF-32LE 4")
    #expect(mark([0, 0, 0xFE, 0xFF]) == "UTF-32BE 4" && mark([0xEF, 0xBB]) == nil && mark([]) == nil)
    func width(_ bytes: [UInt8]) -> String? { CharsetClaims.width(of: bytes)?.iconvName }
    #expect(width([60, 0, 63, 0]) == "UTF-16LE" && width([0, 60, 0, 63]) == "UTF-16BE")
    for bytes in [[60, 0, 63], [60, 63, 0, 0], [0, 60, 63, 0], [60, 0, 0, 63], [0, 0, 0, 60], [60, 0, 63, 1]]
      as [[UInt8]]
    {
      #expect(width(bytes) == nil)
    }
    #expect(
      Charset(label: String(repeating: "a", count: 40)) != nil
        && Charset(label: String(repeating: "a", count: 41)) == nil)
    for label in ["", "a/b", "a b", "é", "a\u{0}"] { #expect(Charset(label: label) == nil) }
    #expect(Charset(label: "x-1_2.3:4")?.iconvName == "X-1_2.3:4")
  }

  @Test(
    "a text is HTML if a tag or an entity is in it",
    arguments: [
      ("<b>", true), ("a </p> b", true), ("<br/>", true), ("&amp;", true), ("&#65;", true), ("1 < 2", false),
      ("a <b", false),
      ("<1>", false), ("a & b;", false), ("&a;", false), ("&ab;", true), ("< b>", false), ("<b <i>", true),
      ("&abcdefghi;", true),
      ("&abcdefghijk;", false), ("", false), ("<", false), ("&", false), ("</", false), ("<ä>", false),
    ])
  func looksLikeHTML(text: String, expected: Bool) {
    #expect(FeedText.looksLikeHTML(text) == expected)
  }

  @Test("texts are trimmed, put in one line, cut at a character's end, and shown as HTML")
  func texts() {
    #expect(FeedText.trimmed(" \u{1}a b\n") == "a b" && FeedText.trimmed(" \t ") == nil && FeedText.trimmed("") == nil)
    #expect(FeedText.line("a  b\nc ", limit: 100) == "a b c" && FeedText.line(" ", limit: 9) == nil)
    #expect(FeedText.line("a b", limit: 3) == "a b" && FeedText.line("a b", limit: 2) == "a …")
    #expect(FeedText.line("\u{A0}é\u{A0}", limit: 9) == "é")
    #expect(FeedText.cut("한글", limit: 6) == "한글" && FeedText.cut("한글", limit: 5) == "한…")
    #expect(
      FeedText.cut("한글", limit: 3) == "한…" && FeedText.cut("한글", limit: 2) == "…" && FeedText.cut("", limit: 0) == "")
    #expect(
      FeedText.html(ofPlain: "a <b>\nc\n\nd & \"e\"\n\n") == "<p>a &lt;b&gt;<br>c</p><p>d &amp; &quot;e&quot;</p>")
    for name in [
      "p", "div", "a", "ul", "ol", "li", "span", "strong", "em", "b", "i", "blockquote", "table", "pre", "h2",
    ] {
      #expect(FeedText.withoutDoubleEscape("x&lt;/\(name)&gt; &amp;lt;") == "x</\(name)> &lt;")
    }
    for text in ["&lt;br&gt;", "&lt;br/&gt;", "&lt;br /&gt;"] {
      #expect(FeedText.withoutDoubleEscape(text).hasPrefix("<br"))
    }
    for text in ["&lt;x&gt;", "<b>&lt;/p&gt;", "a &amp; b", "plain"] {
      #expect(FeedText.withoutDoubleEscape(text) == text)
    }
    #expect(FeedText.withoutDoubleEscape("&lt;a href=&quot;x&#39;&quot;&gt;&lt;/a&gt;") == "<a href=\"x'\"></a>")
  }

  @Test(
    "people are a name, an address, or both in either order",
    arguments: [
      ("ann@b.c (Ann)", "Ann", "ann@b.c"), ("Ann (ann@b.c)", "Ann", "ann@b.c"), ("Ann <ann@b.c>", "Ann", "ann@b.c"),
      ("ann@b.c", "", "ann@b.c"), ("Ann", "Ann", nil), ("Ann (the first)", "Ann (the first)", nil),
      ("ann@b", "ann@b", nil),
      ("@b.c", "@b.c", nil), ("a@b@c.d", "a@b@c.d", nil), ("<ann@b.c>", "", "ann@b.c"), ("a b@c.d", "a b@c.d", nil),
      ("Ann)", "Ann)", nil),
    ] as [(String, String, String?)])
  func people(text: String, name: String, address: String?) {
    #expect(FeedPeople.person(text, limit: 100) == FeedEntry.Person(name: name, address: address))
  }
}
