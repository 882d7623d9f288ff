import Testing

@testable import Documents

@Suite("Borders of regular expressions") struct ExpressionBordersTests {
  private func found(_ expression: String, in text: String, ignoresCase: Bool = false) throws -> [String] {
    let bytes = Array(text.utf8)
    var found: [String] = []
    try bytes.withUnsafeBufferPointer { buffer in
      try RegularExpression(expression, ignoresCase: ignoresCase).matches(in: buffer, 0..<buffer.count) { range in
        found.append(String(decoding: bytes[range], as: UTF8.self))
        return true
      }
    }
    return found
  }

  @Test(
    "lines end at U+000A alone, letters and case are those of Unicode, and nothing is never found",
    arguments: [
      ("^.+$", "a\rb\nc", ["a\rb", "c"]), ("a.b", "a\rb a\nb", ["a\rb"]), (#"\w+"#, "é한1_-я", ["é한1_", "я"]),
      (#"\d"#, "1٣", ["1", "٣"]), (#"\bb"#, "éb b", ["b"]), ("a*", "baab", ["aa"]), ("", "abc", []), ("x?", "abc", []),
      ("(?=a)", "a", []), ("b\\K", "abc", []), ("a\\Kb", "ab", ["b"]), ("ÉA", "éa", []), (".", "한", ["한"]),
      ("(?i)é", "É", ["É"]), ("a\\nb", "a\nb", ["a\nb"]), (#"\p{Hangul}+"#, "ab한글c", ["한글"]),
      ("(a)(b)?", "ac ab", ["a", "ab"]),
    ])
  func matches(expression: String, text: String, expected: [String]) throws {
    #expect(try found(expression, in: text) == expected)
  }

  @Test("capitals are told apart unless they need not be")
  func cases() throws {
    #expect(try found("é", in: "éÉ") == ["é"] && found("é", in: "éÉ", ignoresCase: true) == ["é", "É"])
  }

  @Test("an expression has at most 64 KiB, and may not cut a character in two")
  func refused() throws {
    func failure(_ text: String) -> RegularExpression.Failure? {
      do {
        _ = try RegularExpression(text, ignoresCase: false)
        return nil
      } catch {
        return error
      }
    }
    #expect(failure("(?#" + String(repeating: "a", count: 65_536 - 5) + ")b") == nil)
    guard case .wrong(let reason, 0)? = failure("(?#" + String(repeating: "a", count: 65_536 - 4) + ")b") else {
      Issue.record("longer than the longest")
      return
    }
    #expect(reason.contains("long") || reason.contains("large"))
    guard case .wrong(_, let place)? = failure("ab\\C") else {
      Issue.record("a byte of a character")
      return
    }
    #expect((2...4).contains(place))
    guard case .wrong(let missing, 3)? = failure("한a(") else {
      Issue.record("an open group")
      return
    }
    #expect(missing.contains("parenthesis"))
  }

  @Test("what tries too many ways is given up, and what only goes deep is found by the interpreter")
  func hard() throws {
    let text = String(repeating: "a", count: 40) + "!"
    #expect(throws: RegularExpression.Failure.tooHard) { try found(#"^(a|aa)+$"#, in: text) }
    // More than machine code has room for.
    let deep = String(repeating: "(a)", count: 30)
    #expect(try found("(?:\(deep)|b)+c", in: String(repeating: "b", count: 5_000) + "c").count == 1)
    #expect(
      try found(#"(\((?:[^()]|(?1))*\))"#, in: String(repeating: "(", count: 300) + String(repeating: ")", count: 300))
        .count == 1)
  }

  @Test("matches are looked for in a part of a text, from its beginning, until nobody wants more")
  func parts() throws {
    let bytes = Array("ab ab ab ab".utf8)
    var ranges: [Range<Int>] = []
    try bytes.withUnsafeBufferPointer { buffer in
      let expression = try RegularExpression("ab", ignoresCase: false)
      try expression.matches(in: buffer, 1..<8) { range in
        ranges.append(range)
        return true
      }
      try expression.matches(in: buffer, 0..<11) { range in
        ranges.append(range)
        return range.lowerBound < 3
      }
    }
    #expect(ranges == [3..<5, 6..<8, 0..<2, 3..<5])
  }
}
