import Foundation
import Testing

@testable import commonplace

/// What a terminal makes of texts.
@Suite("Texts on a terminal") struct TextWidthTests {
  private func columns(_ value: UInt32) -> Int? {
    Unicode.Scalar(value).map { TextWidth.columns(of: String($0)) }
  }

  /// The letters at the edges of what Unicode's EastAsianWidth.txt calls wide, and their neighbours.
  @Test("letters are as wide as Unicode says")
  func widths() {
    let wide: [UInt32] = [
      0x1100, 0x115F, 0x231A, 0x231B, 0x23E9, 0x23EC, 0x25FD, 0x25FE, 0x2614, 0x2615, 0x2648, 0x2653, 0x26AA,
      0x26AB, 0x26BD, 0x26BE, 0x26D4, 0x2705, 0x274C, 0x2753, 0x2755, 0x2757, 0x2795, 0x2797, 0x2B1B, 0x2B1C,
      0x2B50, 0x2B55, 0x2E80, 0x303E, 0x3041, 0x33FF, 0x3400, 0x4DBF, 0x4E00, 0x9FFF, 0xA000, 0xA960, 0xAC00,
      0xD7A3, 0xF900, 0xFE30, 0xFF01, 0xFF60, 0xFFE0, 0xFFE6, 0x1F300, 0x1F64F, 0x1F680, 0x1F7E0, 0x1F7EB, 0x1F90C,
      0x20000,
    ]
    let narrow: [UInt32] = [
      0x10FF, 0x1160, 0x2319, 0x231C, 0x23E8, 0x23ED, 0x25FC, 0x25FF, 0x2613, 0x2616, 0x2647, 0x2654, 0x26A9,
      0x26AC, 0x26BC, 0x26BF, 0x26D3, 0x26D5, 0x2704, 0x2706, 0x274B, 0x274D, 0x2752, 0x2756, 0x2758, 0x2794,
      0x2798, 0x2B1A, 0x2B1D, 0x2B4F, 0x2B51, 0x2B54, 0x2B56, 0x303F, 0x4DC0, 0x4DFF, 0xA4D0, 0xA95F, 0xFB00,
      0xFE70, 0xFF61, 0x1F650, 0x1F67F, 0x1F700, 0x1F90B, 0x1FB00,
    ]
    for value in wide { #expect(columns(value) == 2, "\(String(value, radix: 16))") }
    for value in narrow { #expect(columns(value) == 1, "\(String(value, radix: 16))") }
    for value in [0x300, 0x20DD, 0x200B, 0xAD, 0x7, 0xFEFF] as [UInt32] {
      #expect(columns(value) == 0, "\(String(value, radix: 16))")
    }
    for (text, count) in [
      ("e\u{301}", 1), ("\u{1112}\u{1161}\u{11AB}", 2), ("☺\u{FE0F}", 2), ("☺", 1), ("👩‍👩‍👧", 2), ("", 0),
    ] {
      #expect(TextWidth.columns(of: text) == count, "\(text)")
    }
  }

  @Test("what is cut fits with its ellipsis, what fits is not cut, and what is padded is as wide as it should be")
  func cuts() {
    #expect(TextWidth.cut("abc", to: 3) == "abc" && TextWidth.cut("abcd", to: 3) == "ab…")
    #expect(
      TextWidth.cut("한글", to: 4) == "한글" && TextWidth.cut("한글", to: 3) == "한…" && TextWidth.cut("한글", to: 2) == "…")
    #expect(TextWidth.cut("abc", to: 1) == "…" && TextWidth.cut("abc", to: 0) == "" && TextWidth.cut("", to: 0) == "")
    #expect(TextWidth.beginning(of: "abc", width: 2) == "ab" && TextWidth.beginning(of: "한글", width: 3) == "한")
    #expect(TextWidth.beginning(of: "한글", width: 1) == "한" && TextWidth.beginning(of: "한글", width: 4) == "한글")
    #expect(TextWidth.padded("한", to: 4) == "한  " && TextWidth.padded("한글", to: 3) == "한글")
  }

  @Test("a text of many lines is wrapped between words, and cut within one only where it is wider than a line")
  func lines() {
    #expect(TerminalText.lines("one two three", width: 7) == ["one two", "three"])
    #expect(TerminalText.lines("one two three", width: 8) == ["one two", "three"])
    #expect(TerminalText.lines("one two three", width: 6) == ["one", "two", "three"])
    #expect(TerminalText.lines("abcdefgh ij", width: 3) == ["abc", "def", "gh", "ij"])
    #expect(TerminalText.lines("\n\na\n\n  b\n\n", width: 9) == ["a", "", "  b"])
    #expect(TerminalText.lines("", width: 9) == [] && TerminalText.lines("a\tb", width: 9) == ["a    b"])
    #expect(TerminalText.lines("ab", width: 0) == ["a", "b"])
    #expect(TerminalText.lines("한글이다", width: 4) == ["한글", "이다"])
    #expect(TerminalText.verbatim("a \nb\u{1B}[1m\u{202E}c\n") == "a\nb [1mc\n")
    #expect(TerminalText.line(" a\n\t b\u{7}c\u{202E}d ") == "a b cd")
    #expect(TerminalText.line("abcdef", longest: 3) == "abc")
    #expect(TerminalText.line("a\u{200D}b") == "a\u{200D}b")
  }

  @Test("what was found is marked where it is shown, counted in the client's units")
  func marks() {
    let text = ShownText("a 😀b\n cd", found: [4..<5, 7..<9])
    #expect(text.text == "a 😀b cd" && text.marks == [3..<4, 5..<7])
    #expect(ShownText("abcd", found: [0..<2, 2..<3]).marks == [0..<3])
    #expect(ShownText("e\u{301}x", found: [0..<1]).marks == [0..<1])
    #expect(ShownText("ab").marks.isEmpty)
    let ink = Ink(isOn: true)
    #expect(text.drawn(ink) { "<\($0)>" } == "<a 😀>\u{1B}[1mb\u{1B}[0m< >\u{1B}[1mcd\u{1B}[0m<>")
    let both = ShownText.joined([ShownText("ab", found: [1..<2]), ShownText(""), ShownText("cd", found: [0..<1])])
    #expect(both.text == "ab cd" && both.marks == [1..<2, 3..<4])
    #expect(ShownText.joined([ShownText(""), ShownText("cd", found: [0..<1])]).marks == [0..<1])
    let moved = both.indented(by: 2)
    #expect(moved.text == "  ab cd" && moved.marks == [3..<4, 5..<6])
    #expect(both.cut(to: 5).text == "ab cd" && both.cut(to: 4).text == "ab …" && both.cut(to: 4).marks == [1..<2])
    // What lies far behind is shown with something of what stands before it.
    let far = ShownText(String(repeating: "x", count: 40) + "YZ" + String(repeating: "x", count: 40), found: [40..<42])
    let cut = far.cut(to: 20)
    #expect(cut.text == "…xxxxxYZxxxxxxxxxxx…" && cut.marks == [6..<8])
    #expect(far.cut(to: 12).text == "xxxxxxxxxxx…" && far.cut(to: 12).marks.isEmpty)
    #expect(far.cut(to: 60).text.hasPrefix("xxx") && far.cut(to: 60).marks == [40..<42])
  }

  @Test("colours are there where they are wanted, and around nothing there are none")
  func ink() {
    let (on, off) = (Ink(isOn: true), Ink(isOn: false))
    #expect(on.strong("a") == "\u{1B}[1ma\u{1B}[0m" && on.faint("a") == "\u{1B}[2ma\u{1B}[0m")
    #expect(on.alarming("a") == "\u{1B}[31ma\u{1B}[0m" && on.fresh("a") == "\u{1B}[32ma\u{1B}[0m")
    #expect(on.strong("") == "" && off.strong("a") == "a" && off.alarming("a") == "a")
  }

  @Test("what would steer a terminal is escaped, in JSON so that it stays the same value")
  func steering() {
    #expect(
      Terminal.plain("a\u{1B}b\nc").split(separator: "\n").count == 2 && !Terminal.plain("a\u{1B}b").contains("\u{1B}"))
    #expect(Terminal.steerless(json: "{\"a\":\"\u{9B}x\u{202E}\"}\n") == "{\"a\":\"\\u009bx\\u202e\"}\n")
    #expect(Terminal.steerless(json: "{\"a\":1}\n") == "{\"a\":1}\n")
  }

  @Test("words of a shell come back as they are")
  func quoting() async throws {
    for (text, quoted) in [
      ("abc", "abc"), ("a b", "'a b'"), ("", "''"), ("#a", "'#a'"), ("a#", "a#"), ("it's", "'it'\\''s'"),
      ("~/a", "'~/a'"), ("a,b+c%", "a,b+c%"),
      ("$x", "'$x'"), ("책", "책"), ("-_./:@", "-_./:@"), ("a=b", "'a=b'"), ("a\nb", "'a\nb'"),
    ] {
      #expect(ExampleCall.quoted(text) == quoted)
    }
  }
}
