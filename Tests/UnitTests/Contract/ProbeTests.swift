import Contract
import Testing
import Wire

@Suite("The probe")
struct ProbeTests {
  @Test("a payload's fields are found in declared order with type and presence") func fields() throws {
    let object = try #require(objectShape(Shelf.UpdateBox.Params.shape))
    #expect(object.name == "Shelf.UpdateBox.Params")
    #expect(
      object.fields.map(\.name) == [
        "id", "ifRevision", "size", "due", "note", "title", "limit", "places", "labels", "url", "path", "data",
        "before",
        "after", "tree", "anything", "password",
      ])
    #expect(object[field: "id"]?.shape == .text(.id))
    #expect(object[field: "id"]?.presence == .required)
    #expect(object[field: "ifRevision"]?.shape == .integer)
    #expect(object[field: "ifRevision"]?.presence == .optional)
    #expect(object[field: "size"]?.shape == .choice("Shelf.Size", ["small", "medium", "large"]))
    #expect(object[field: "due"]?.shape == .text(.day))
    #expect(object[field: "due"]?.presence == .patch)
    #expect(object[field: "note"]?.shape == .string)
    #expect(object[field: "note"]?.presence == .patch)
    #expect(object[field: "limit"]?.presence == .optional)
    #expect(object[field: "labels"]?.shape == .dictionary(.string))
    #expect(object[field: "anything"]?.shape == .any)
    #expect(object[field: "title"]?.limits == .length(1...20, notBlank: true))
    #expect(object[field: "title"]?.note == "Its title.")
    #expect(object[field: "password"]?.isSecret == true)
    #expect(object[field: "title"]?.isSecret == false)
    #expect(object.exactlyOne == [["url", "path", "data"]])
    #expect(object.atMostOne == [["before", "after"]])
  }

  @Test("lists of payloads bring the notes and limits of their elements") func nested() throws {
    let object = try #require(objectShape(Shelf.UpdateBox.Params.shape))
    guard case .array(.object(let place)) = object[field: "places"]?.shape else {
      Issue.record("places is no list of objects")
      return
    }
    #expect(place.name == "Shelf.Place")
    #expect(place[field: "x"]?.shape == .number)
    #expect(place[field: "x"]?.limits == .range(0...100))
    #expect(place[field: "y"]?.presence == .optional)
  }

  @Test("a payload that contains itself ends in a reference to itself") func recursion() throws {
    let node = try #require(objectShape(Shelf.Node.shape))
    #expect(node[field: "children"]?.shape == .array(.recursion("Shelf.Node")))
  }

  @Test("a page is known by its items") func page() throws {
    let page = try #require(objectShape(Page<Shelf.Box>.shape))
    #expect(page.name == "Shelf.BoxPage")
    #expect(page.fields.map(\.name) == ["items", "offset", "limit", "total", "totalIsEstimate", "hasMore", "next"])
    #expect(page[field: "next"]?.presence == .optional)
    #expect(page[field: "hasMore"]?.shape == .boolean)
  }

  @Test("a private type has a name that can stand in a document") func privateName() throws {
    #expect(try objectShape(Probe.shape(of: Hidden.self))?.name == "Hidden")
    #expect(objectShape(Page<Hidden>.shape)?.name == "HiddenPage")
  }

  @Test("null and free-form objects are described as such") func wholeValues() throws {
    #expect(Null.shape == .null)
    #expect(try JSONEncoding.bytes(of: Null()) == Array("null".utf8))
    #expect(try JSONDecoding.decode(Null.self, from: nil) == Null())
    #expect(throws: RPCError.self) { try JSONDecoding.decode(Null.self, from: 1) }
    #expect(JSONObject.shape == .dictionary(.any))
  }

  @Test("primitives of every width are told apart, required or not") func primitives() throws {
    struct All: Codable {
      var a: Int8
      var b: UInt64?
      var c: Float
      var d: Double?
      var e: Bool?
      var f: [Int]
      var g: [[String]]?
      var h: Patch<[Int]> = .absent
    }
    let object = try #require(objectShape(try Probe.shape(of: All.self)))
    #expect(
      object.fields.map(\.shape) == [
        .integer, .integer, .number, .number, .boolean, .array(.integer), .array(.array(.string)), .array(.integer),
      ])
    #expect(
      object.fields.map(\.presence) == [
        .required, .optional, .required, .optional, .optional, .required, .optional, .patch,
      ])
  }

  @Test("an enum that is no choice is refused instead of described wrongly") func plainEnum() {
    enum Plain: String, Codable { case a, b }
    struct Holder: Codable { var plain: Plain }
    #expect(throws: ProbeError.self) { try Probe.shape(of: Holder.self) }
  }

  @Test("a type decoded by hand is refused instead of described wrongly") func byHand() {
    #expect(throws: ProbeError.self) { try Probe.shape(of: ByHand.self) }
  }
}

private struct Hidden: Payload {
  var a: Int
  static let example = Hidden(a: 1)
  static let fields = ["a": "A number."]
}

private struct ByHand: Codable {
  enum Keys: CodingKey { case a, b }
  init(from decoder: any Decoder) throws {
    let inner = try decoder.container(keyedBy: Keys.self).nestedContainer(keyedBy: Keys.self, forKey: .a)
    _ = try inner.decode(Int.self, forKey: .b)
  }
}

func objectShape(_ shape: Shape) -> ObjectShape? {
  if case .object(let object) = shape { object } else { nil }
}
