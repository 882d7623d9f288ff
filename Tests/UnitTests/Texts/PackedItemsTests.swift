import Kit
import Testing
import Wire

@testable import Texts

/// How the items of a version of a text are stored.
@Suite struct PackedItemsTests {
  private struct Version: Codable {
    @PackedItems var items: [TextItem]
  }

  private static let items = [
    TextItem(
      collection: "projects", id: "0192", anchor: "k3f2", title: "책 반납 📚", revision: 3, lines: 2..<3, lane: "todo",
      content: "- [ ] 책 반납 📚 due:2026-11-24"),
    TextItem(collection: "diary", id: "0193", title: "", lines: 0..<0, content: "4:one\n\"two\"\\ -\u{1}e\u{301}"),
  ]

  @Test("what is stored is read again, byte for byte")
  func roundTrip() throws {
    for items in [[], Self.items, Array(Self.items.reversed())] {
      let json = try JSONParser.parse(JSONEncoding.bytes(of: Version(items: items)))
      let read = try JSONDecoding.decode(Version.self, from: json).items
      #expect(read == items)
      #expect(zip(read, items).allSatisfy { sameBytes($0.content, $1.content) })
    }
  }

  @Test("versions that earlier daemons have stored are read")
  func earlier() throws {
    struct Earlier: Codable {
      var items: [TextItem]
    }
    let json = try JSONParser.parse(JSONEncoding.bytes(of: Earlier(items: Self.items)))
    #expect(try JSONDecoding.decode(Version.self, from: json).items == Self.items)
  }

  @Test(
    "anything else is refused",
    arguments: ["3:abc", "9:projects", "8:projects4:0192", "x", "-", "99999999999999999999:a", "0:0:-0:1:a0:0:0:0:"])
  func broken(text: String) {
    #expect(throws: (any Error).self) {
      try JSONDecoding.decode(Version.self, from: ["items": .string(text)])
    }
  }
}
