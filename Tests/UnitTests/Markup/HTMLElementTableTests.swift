import Testing

@testable import Markup

@Suite("elements and attributes of safe HTML") struct HTMLElementTableTests {
  @Test("an attribute stays on the elements that it means something on")
  func attributes() {
    let elements = ["a", "abbr", "dfn", "td", "th", "ol", "li", "time", "del", "ins", "p", "img"]
    for (attribute, kept) in [
      ("dir", elements), ("lang", elements), ("title", ["a", "abbr", "dfn"]), ("colspan", ["td", "th"]),
      ("rowspan", ["td", "th"]), ("start", ["ol"]), ("reversed", ["ol"]), ("value", ["li"]),
      ("datetime", ["time", "del", "ins"]), ("style", []), ("onclick", []), ("id", []), ("class", []), ("src", []),
    ] {
      #expect(elements.filter { HTMLElements.keeps(attribute, on: $0) } == kept, "\(attribute)")
    }
  }

  @Test("a value is a direction, a language, a small number or a short text")
  func values() {
    let x = { (count: Int) in String(repeating: "x", count: count) }
    for (attribute, value, isGood) in [
      ("dir", "ltr", true), ("dir", "RTL", true), ("dir", "auto", true), ("dir", "up", false), ("dir", "", false),
      ("lang", "zh-Hant-TW", true), ("lang", x(35), true), ("lang", x(36), false), ("lang", "a b", false),
      ("lang", "a_b", false), ("lang", "한", false), ("colspan", "2", true), ("rowspan", "9999", true),
      ("start", "10000", false), ("value", "", false), ("colspan", "-1", false), ("colspan", "1a", false),
      ("datetime", x(40), true), ("datetime", x(41), false), ("title", x(1_000), true), ("title", x(1_001), false),
    ] {
      #expect(HTMLElements.isGood(value, of: attribute) == isGood, "\(attribute) \(value)")
    }
  }

  @Test("what a browser would run or ask for is dropped or replaced, and words that stand in other elements stay")
  func treatments() {
    for (treatment, names) in [
      (.keep, ["a", "p", "td", "pre", "ruby", "time"]), (.unwrap, ["span", "font", "object", "canvas", "unknown", ""]),
      (.block, ["article", "form", "center", "nav"]),
      (.drop, ["script", "style", "template", "input", "base", "meta", "link", "title", "source", "plaintext"]),
      (.picture, ["img", "image"]), (.frame, ["iframe", "video", "audio", "embed"]), (.math, ["math"]),
      (.drawing, ["svg"]),
    ] as [(HTMLElements.Treatment, [String])] {
      for name in names { #expect(HTMLElements.treatment(name) == treatment, "\(name)") }
    }
  }

  @Test("in plain text paragraphs stand apart, lines are below each other, and words stay in their line")
  func lines() {
    for (count, names) in [
      (2, ["p", "h1", "h6", "blockquote", "pre", "ul", "ol", "dl", "table", "figure", "hr"]),
      (1, ["div", "li", "tr", "dt", "dd", "section", "article", "caption", "figcaption", "summary", "center"]),
      (0, ["b", "i", "a", "span", "td", "br", "img", "code", ""]),
    ] {
      for name in names { #expect(HTMLElements.lineEnds(name) == count, "\(name)") }
    }
  }
}
