import Testing
import Wire

@testable import Books

@Suite("Books: the user's content in files") struct ShelfContentTests {
  /// As the first version wrote it.
  private static let first: JSONObject = [
    "status": "read", "finished": "2026-11-20", "percent": 100, "rating": 4.5, "note": "For the winter.",
    "quotes": [["text": "Snow."]], "documents": ["0193"], "tags": ["korean"],
  ]

  private static func read(_ object: JSONObject) throws -> ShelfContent {
    try JSONDecoding.decode(ShelfContent.self, from: .object(object))
  }

  @Test("a line of an earlier version is read without the newer fields, and every line as it was written")
  func earlier() throws {
    let content = try Self.read(Self.first)
    #expect(content.status == .read && content.finished?.description == "2026-11-20" && content.rating == 4.5)
    #expect(content.quotes.map(\.text) == ["Snow."] && content.documents == ["0193"] && content.tags == ["korean"])
    #expect(!content.owned && content.earlierReads.isEmpty && content.place == nil && content.rank == nil)
    var whole = content
    (whole.owned, whole.place, whole.lentTo, whole.rank) = (true, "Hall", "Ann", "a0")
    whole.earlierReads = [.example]
    let written = try JSONParser.parse(JSONEncoding.bytes(of: whole))
    #expect(try JSONDecoding.decode(ShelfContent.self, from: written) == whole)
  }

  @Test("a line without a field that all versions write is refused, and a rank that is none is left out")
  func broken() throws {
    for name in ["status", "note", "quotes", "documents", "tags"] {
      var object = Self.first
      object[name] = nil
      #expect(throws: (any Error).self, "\(name)") { try Self.read(object) }
    }
    for (name, value) in [("rating", "many"), ("owned", 3), ("started", "2026-13-01")] as [(String, JSONValue)] {
      var object = Self.first
      object[name] = value
      #expect(throws: (any Error).self, "\(name)") { try Self.read(object) }
    }
    var object = Self.first
    object["rank"] = "~"
    #expect(try Self.read(object).rank == nil)
  }
}
