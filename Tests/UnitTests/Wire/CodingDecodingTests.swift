import Testing
import Wire

@Suite("Decoding JSON")
struct CodingDecodingTests {
  struct Lines: Decodable, Equatable {
    struct Line: Decodable, Equatable {
      var text: String
      var page: Int?
    }
    var lines: [Line]
    var title: String?
  }

  @Test("fields, lists and absent or null optionals are read") func reads() throws {
    let value: JSONValue = ["lines": [["text": "a", "page": 3], ["text": "b", "page": nil]]]
    #expect(
      try JSONDecoding.decode(Lines.self, from: value)
        == Lines(lines: [.init(text: "a", page: 3), .init(text: "b")]))
  }

  static let refusals: [[String]] = [
    [#"{"lines":[{"text":"a"},{"text":"b"},{"text":3}]}"#, "lines[2].text", "param.wrongType"],
    [#"{"lines":[{"page":1}]}"#, "lines[0].text", "param.missing"],
    [#"{}"#, "lines", "param.missing"],
    [#"{"lines":"x"}"#, "lines", "param.wrongType"],
    [#"{"lines":[{"text":"a","page":1.5}]}"#, "lines[0].page", "param.integer"],
    [#"{"lines":[{"text":"a","page":true}]}"#, "lines[0].page", "param.wrongType"],
    [#"{"lines":[],"title":"a\u0000b"}"#, "title", "param.nul"],
    [#"[]"#, "params", "param.wrongType"],
  ]

  @Test("an error names the field as the client wrote it", arguments: refusals)
  func names(_ refusal: [String]) throws {
    let value = try JSONParser.parse(refusal[0])
    let error = #expect(throws: RPCError.self) { try JSONDecoding.decode(Lines.self, from: value) }
    #expect(error?.code == -32602)
    #expect(error?.data["field"] == .string(refusal[1]))
    #expect(error?.data["reason"] == .string(refusal[2]))
  }

  @Test("a lone surrogate reaches no field") func loneSurrogate() throws {
    let value = try JSONParser.parse(#"{"lines":[],"title":"\ud800"}"#)
    let error = #expect(throws: RPCError.self) { try JSONDecoding.decode(Lines.self, from: value) }
    #expect(error?.text == Text("param.nul", ["field": "title"]))
  }

  @Test("free-form JSON and dictionary keys may not hold U+0000 either") func nulElsewhere() {
    for value in [["a\u{0}": 1], ["a": ["b\u{0}"]], ["a": ["k\u{0}": nil]]] as [JSONValue] {
      #expect(throws: RPCError.self) { try JSONDecoding.decode([String: JSONValue].self, from: value) }
    }
  }

  @Test("whole numbers are exact or refused") func exact() throws {
    #expect(try JSONDecoding.decode(Int64.self, from: .integer(1 << 53)) == 1 << 53)
    for large: Int64 in [1 << 53 + 1, -1 << 53 - 1, .max, .min] {
      #expect(reason { try JSONDecoding.decode(Int64.self, from: .integer(large)) } == "param.numberTooLarge")
      #expect(reason { try JSONDecoding.decode(Int.self, from: .integer(large)) } == "param.numberTooLarge")
    }
    #expect(try JSONDecoding.decode(Double.self, from: .number(0x1p53)) == 0x1p53)
    for large in [1e16, -1e16, 1e308] {
      #expect(reason { try JSONDecoding.decode(Double.self, from: .number(large)) } == "param.numberTooLarge")
    }
    #expect(try JSONDecoding.decode(Int.self, from: 3.0) == 3)
    #expect(try JSONDecoding.decode(UInt8.self, from: 255) == 255)
    #expect(try JSONDecoding.decode(Double.self, from: 2) == 2)
    #expect(try JSONDecoding.decode(Float.self, from: 0.5) == 0.5)
    #expect(reason { try JSONDecoding.decode(UInt8.self, from: 256) } == "param.range")
    #expect(reason { try JSONDecoding.decode(UInt.self, from: -1) } == "param.range")
    #expect(reason { try JSONDecoding.decode(Int.self, from: .number(9_007_199_254_740_994)) } == "param.integer")
    #expect(reason { try JSONDecoding.decode(Int.self, from: 1e300) } == "param.integer")
  }

  @Test("what a type refuses for itself carries the type's reason and the field's name") func refusedByType() {
    struct Even: Decodable {
      init(from decoder: any Decoder) throws {
        if try decoder.singleValueContainer().decode(Int.self) % 2 != 0 { throw InvalidValue(Text("odd")) }
      }
    }
    enum Color: String, Decodable { case red }
    let odd = #expect(throws: RPCError.self) { try JSONDecoding.decode([String: [Even]].self, from: ["a": [2, 3]]) }
    #expect(odd?.text == Text("odd", ["field": "a[1]"]))
    #expect(reason { try JSONDecoding.decode([Color].self, from: ["blue"]) } == "param.invalid")
  }

  @Test("JSON values pass through with order and whole numbers") func values() throws {
    let value: JSONValue = ["b": [1, 2.5, nil], "a": 9_007_199_254_740_993]
    #expect(try JSONDecoding.decode(JSONValue.self, from: value).description == value.description)
    #expect(try JSONDecoding.decode(JSONObject.self, from: value).keys == ["b", "a"])
    #expect(try JSONDecoding.decode([JSONValue?].self, from: [nil, 1])[1] == 1)
  }

  private func reason(_ body: () throws -> Any) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? RPCError)?.data["reason"]?.stringValue
    }
  }
}
