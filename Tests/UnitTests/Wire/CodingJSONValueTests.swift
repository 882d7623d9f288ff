import Foundation
import Testing
import Wire

@Suite("JSON values in other coders")
struct CodingJSONValueTests {
  @Test("a value goes through Foundation's coders and comes back the same") func foundation() throws {
    let value: JSONValue = [
      "null": nil, "bool": true, "integer": .integer(.max), "number": 2.5, "text": "한글", "list": [1, [nil], [:]],
      "object": ["a": ["b": false]],
    ]
    let data = try JSONEncoder().encode(value)
    #expect(try JSONParser.parse(Array(data)) == value)
    #expect(try JSONDecoder().decode(JSONValue.self, from: data) == value)
    #expect(try JSONDecoder().decode(JSONObject.self, from: data)["integer"] == .integer(.max))
  }
}
