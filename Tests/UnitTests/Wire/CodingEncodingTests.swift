import Testing
import Wire

@Suite("Encoding JSON")
struct CodingEncodingTests {
  @Test("members keep the order in which they are declared, without white space") func declaredOrder() throws {
    #expect(
      try encoded(Zebra(z: 1, a: "two", m: [true, false], nested: .init(y: 2.5, b: nil)))
        == #"{"z":1,"a":"two","m":[true,false],"nested":{"y":2.5}}"#)
  }

  @Test("whole numbers of every width are written whole") func wholeNumbers() throws {
    #expect(try encoded([Int64.max, Int64.min]) == "[9223372036854775807,-9223372036854775808]")
    #expect(try encoded([UInt64.max]) == "[18446744073709551615]")
    #expect(try encoded([UInt8(255)]) == "[255]")
    #expect(try encoded([Int16(-7)]) == "[-7]")
    #expect(try encoded([3.0, 0.1, -2.5e300]) == "[3,0.1,-2.5e+300]")
    #expect(try encoded([Float(0.5)]) == "[0.5]")
  }

  @Test("a number that JSON cannot hold is an error, not null") func notFinite() {
    #expect(throws: EncodingError.self) { try JSONEncoding.bytes(of: [Double.nan]) }
    #expect(throws: EncodingError.self) { try JSONEncoding.bytes(of: ["a": Float.infinity]) }
  }

  @Test("empty objects, lists and types without fields close where they stand") func empties() throws {
    struct Nothing: Encodable {}
    struct Outer: Encodable {
      var none = Nothing()
      var list: [Nothing] = [Nothing(), Nothing()]
      var map: [String: Int] = [:]
      var last = 1
    }
    #expect(try encoded(Outer()) == #"{"none":{},"list":[{},{}],"map":{},"last":1}"#)
    #expect(try encoded([Int]()) == "[]")
    #expect(try encoded([1, nil] as [Int?]) == "[1,null]")
    #expect(try encoded(["a": nil] as [String: Nothing?]) == #"{"a":null}"#)
    #expect(try encoded([[Int]]([[], [1], []])) == "[[],[1],[]]")
    #expect(try encoded(Nothing()) == "{}")
  }

  @Test("a type that encodes nothing at all is an object without members") func silent() throws {
    struct Silent: Encodable { func encode(to encoder: any Encoder) {} }
    #expect(try encoded(Silent()) == "{}")
    #expect(try encoded([Silent()]) == "[{}]")
    #expect(try encoded(["a": Silent()]) == #"{"a":{}}"#)
    #expect(try encoded(Silent(), adding: [("clock", 1)]) == #"{"clock":1}"#)
  }

  @Test("a type that flattens another into itself stays one object") func flattened() throws {
    #expect(try encoded([Flat(), Flat()]) == #"[{"own":1,"z":2,"a":"x","m":[]},{"own":1,"z":2,"a":"x","m":[]}]"#)
  }

  @Test("nested containers close when their parent goes on") func nestedContainers() throws {
    #expect(try encoded(ByHand()) == #"{"list":[1,[2],{"z":3},null],"object":{"z":{"a":true}},"super":4,"last":5}"#)
  }

  @Test("JSON values are written as they are, wherever they stand") func jsonValues() throws {
    let value: JSONValue = ["b": [1, 2.5, nil, true], "a": ["x": "\u{1}\"\\"]]
    #expect(try encoded(value) == value.description)
    #expect(try encoded(["v": value]) == #"{"v":\#(value)}"#)
    #expect(try encoded([Wrapped(value: value)]) == #"[{"value":\#(value)}]"#)
  }

  @Test("members are added behind an object's own, which win over them") func added() throws {
    struct Point: Encodable { var x = 1 }
    struct Clocked: Encodable {
      var clock = 7
      var inner = ["clock": 8]
    }
    struct Nothing: Encodable {}
    let clock: [(key: String, value: JSONValue)] = [("clock", 12), ("changed", false)]
    #expect(try encoded(Point(), adding: clock) == #"{"x":1,"clock":12,"changed":false}"#)
    #expect(try encoded(Nothing(), adding: clock) == #"{"clock":12,"changed":false}"#)
    #expect(try encoded(Clocked(), adding: clock) == #"{"clock":7,"inner":{"clock":8},"changed":false}"#)
    #expect(try encoded(JSONValue.object(["a": 1]), adding: clock) == #"{"a":1,"clock":12,"changed":false}"#)
    #expect(try encoded([String: Int](), adding: clock) == #"{"clock":12,"changed":false}"#)
    #expect(throws: EncodingError.self) { try JSONEncoding.bytes(of: [1], adding: clock) }
    #expect(throws: EncodingError.self) { try JSONEncoding.bytes(of: "text", adding: clock) }
    #expect(throws: EncodingError.self) { try JSONEncoding.bytes(of: JSONValue.null, adding: clock) }
  }

  @Test("a value can be had as a tree") func tree() throws {
    #expect(try JSONEncoding.value(of: ["a": [1]]) == ["a": [1]])
  }

  private func encoded(_ value: some Encodable, adding members: [(key: String, value: JSONValue)] = []) throws -> String
  {
    String(decoding: try JSONEncoding.bytes(of: value, adding: members), as: UTF8.self)
  }
}

private struct Zebra: Encodable {
  struct Nested: Encodable {
    var y: Double
    var b: String?
  }
  var z: Int
  var a: String
  var m: [Bool]
  var nested: Nested?
}

private struct Wrapped: Encodable { var value: JSONValue }

private struct Flat: Encodable {
  enum Keys: CodingKey { case own }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(1, forKey: .own)
    try Zebra(z: 2, a: "x", m: []).encode(to: encoder)
  }
}

private struct ByHand: Encodable {
  enum Keys: CodingKey { case list, object, z, a, last }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    var list = container.nestedUnkeyedContainer(forKey: .list)
    try list.encode(1)
    var inner = list.nestedUnkeyedContainer()
    try inner.encode(2)
    var object = list.nestedContainer(keyedBy: Keys.self)
    try object.encode(3, forKey: .z)
    try list.encodeNil()
    #expect(list.count == 4)
    var second = container.nestedContainer(keyedBy: Keys.self, forKey: .object)
    var third = second.nestedContainer(keyedBy: Keys.self, forKey: .z)
    try third.encode(true, forKey: .a)
    var single = container.superEncoder().singleValueContainer()
    try single.encode(4)
    try container.encode(5, forKey: .last)
  }
}
