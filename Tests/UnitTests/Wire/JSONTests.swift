import Testing
import Wire

@Suite("JSON")
struct JSONTests {
  @Test(
    "what is written is what was read",
    arguments: [
      "null", "true", "-0.5", "9223372036854775807", "-9223372036854775808", #""a\"\\\n\u0001한""#, "[]", "{}",
      #"{"z":1,"a":[{},[null,false]],"":0}"#,
    ])
  func roundTrip(text: String) throws {
    #expect(try JSONParser.parse(text).description == text)
  }

  @Test("blanks may stand around every value, name and sign, and mean nothing", arguments: [" ", "\t", "\n", "\r\n"])
  func blanks(blank: String) throws {
    let tokens = [
      "{", #""a""#, ":", "[", "1", ",", "true", ",", #""b""#, ",", "{", "}", "]", ",", #""c""#, ":", "null", "}",
    ]
    #expect(try JSONParser.parse(blank + tokens.joined(separator: blank) + blank).description == tokens.joined())
    #expect(try JSONParser.parse("[\(blank)]").description == "[]")
  }

  @Test("a number is written as the shortest text that means it, whatever stands behind its point")
  func shortestText() {
    var numbers = [
      0.001, -0.001, 0.0004, 1e-7, 0.1, 0.12, 0.123, 0.1234, 72.063, -5.5, 1e9 + 0.5, 1e15, 1e22, .pi, -1 / 3,
    ]
    for step in 0..<4_000 { numbers.append((Double(step) * 0.0625 * 1_000).rounded() / 1_000 - 20) }
    for number in numbers where Int64(exactly: number) == nil {
      #expect(JSONValue.number(number).description == number.description)
    }
    #expect(JSONValue.number(-0.0).description == "0" && JSONValue.number(-3).description == "-3")
  }

  @Test(
    "text that is not JSON is refused with the reason",
    arguments: [
      ("", JSONSyntaxError.Reason.ended), ("[1,]", .unexpected), ("{\"a\" 1}", .unexpected), ("01", .unexpected),
      ("-", .ended), ("1.", .ended), ("1e", .ended), ("+1", .unexpected), ("[1", .ended), ("\"a", .ended),
      ("\"\n\"", .controlCharacter), ("tru", .ended), ("trux", .unexpected), ("1 2", .unexpected),
      ("1e999", .numberTooLarge),
      (#""\u12""#, .unexpected), (#""\x""#, .unexpected), ("{1:2}", .unexpected), ("nan", .unexpected),
    ])
  func refused(text: String, reason: JSONSyntaxError.Reason) {
    #expect { try JSONParser.parse(text) } throws: { ($0 as? JSONSyntaxError)?.reason == reason }
  }

  @Test("128 levels are read, 129 and 10,000 are refused where they begin")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(try JSONParser.parse(nested(128)).description == nested(128))
    for depth in [129, 10_000] {
      #expect(throws: JSONSyntaxError(reason: .tooDeep, offset: 128)) { try JSONParser.parse(nested(depth)) }
    }
    let unclosed = String(repeating: #"{"a":"#, count: 10_000)
    #expect(throws: JSONSyntaxError(reason: .tooDeep, offset: 128 * 5)) { try JSONParser.parse(unclosed) }
  }

  @Test("bytes that are not UTF-8 are refused, in texts with and without escapes")
  func invalidUTF8() {
    let wrong: [[UInt8]] = [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF5, 0x80, 0x80, 0x80]]
    for bytes in wrong {
      for prefix in ["\"", "\"\\n"] {
        let text = Array(prefix.utf8) + bytes + Array("\"".utf8)
        #expect { try JSONParser.parse(text) } throws: { ($0 as? JSONSyntaxError)?.reason == .invalidUTF8 }
      }
    }
  }

  @Test("surrogates make a letter in pairs, and U+0000 alone")
  func surrogates() throws {
    #expect(try JSONParser.parse(#""\ud83d\ude00""#) == "😀")
    #expect(try JSONParser.parse(#""\uD83D\uDE00""#) == "😀")
    #expect(try JSONParser.parse(#""a\ud83db""#) == "a\u{0}b")
    #expect(try JSONParser.parse(#""\ude00\ud83d""#) == "\u{0}\u{0}")
    #expect(try JSONParser.parse(#""\ud83d\u0041""#) == "\u{0}A")
    #expect(try JSONParser.parse(#""\ud83d\ud83d\ude00""#) == "\u{0}😀")
  }

  @Test("objects keep their order, the last of two equal keys counts, and NFC is not NFD")
  func objects() throws {
    let object = try #require(JSONParser.parse(#"{"b":1,"a":2,"b":3}"#).objectValue)
    #expect(object.keys == ["b", "a", "b"])
    #expect(object["b"] == 3)
    #expect(object == ["a": 2, "b": 3])
    #expect(object != ["a": 2, "b": 3, "c": 4])
    #expect(["a": 2, "b": 3, "c": 4] as JSONObject != object)
    let composed: JSONValue = "\u{e9}"
    #expect(composed != "e\u{301}")
    #expect((["\u{e9}": 1] as JSONObject)["e\u{301}"] == nil)
  }

  @Test("no number is written that is not JSON")
  func numbers() throws {
    #expect(JSONValue.number(.infinity).description == "null")
    #expect(JSONValue.number(.nan).description == "null")
    for number in [0.1, 1e300, .leastNonzeroMagnitude, -2.5, 1e15, 1e16, .pi] {
      #expect(try JSONParser.parse(JSONValue.number(number).description).doubleValue == number)
    }
    #expect(try JSONParser.parse("1e-999").doubleValue == 0)
    #expect(try JSONParser.parse("18446744073709551616").doubleValue == 18_446_744_073_709_551_616)
  }

  @Test("a text of more values than a message may hold is refused, where the one too many stands")
  func tooMany() {
    let most = JSONParser.maximumValues - 1
    #expect(throws: Never.self) { try JSONParser.parse("[" + repeated("0,", most - 1) + "0]") }
    #expect(throws: JSONSyntaxError(reason: .tooMany, offset: 1 + 2 * most)) {
      try JSONParser.parse("[" + repeated("0,", most) + "0]")
    }
  }

  private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
}
