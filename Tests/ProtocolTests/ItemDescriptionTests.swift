import Contract
import Display
import Features
import Kit
import Testing
import Wire

/// How `rpc.discover` describes items for front ends that know no collection by name.
@Suite struct ItemDescriptionTests {
  private static let features = AllFeatures.features
  private static let catalogue = Catalogue()

  private func schemas(in language: Language) -> [JSONValue] {
    let reference = Protocol.reference(of: Self.features, catalogue: Self.catalogue)
    let document = reference.openRPC(
      title: "Commonplace", version: "1", words: { Self.catalogue.word($0, in: language) })
    return document["components"]?["schemas"]?.objectValue?.members.map(\.value) ?? []
  }

  @Test("the items of each collection say what one is called, where its title is, and which members make a table")
  func items() throws {
    let schemas = schemas(in: .english)
    let methods = Self.features.flatMap { $0.routes.map(\.description) }
    for collection in Self.features.flatMap(\.collections) {
      let word = try #require(Self.catalogue.word("item.\(collection.name)", in: .english), "\(collection.name)")
      // What a source has of a post looks as the post does.
      if collection.name == "postAccounts" { continue }
      let schema = try #require(schemas.first { $0["x-collection"] == .string(collection.name) }, "\(collection.name)")
      #expect(schema["x-item"] == .string(word))
      let columns = schema["x-columns"]?.arrayValue?.compactMap(\.stringValue) ?? []
      let title = try #require(schema["x-title"]?.stringValue, "\(collection.name)")
      #expect(columns.first == title)
      for path in columns {
        let field = collection.shape().field(at: path.split(separator: ".").map(String.init))
        #expect(field?.isListed == true, "\(collection.name): \(path)")
      }
      for name in ["x-get", "x-list"].compactMap({ schema[$0]?.stringValue }) {
        let method = try #require(methods.first { $0.name == name })
        #expect(!method.effects.contains(.network), "\(name)")
      }
    }
    let card = try #require(schemas.first { $0["x-collection"] == "projects" })
    #expect(card["x-item"] == "card" && card["x-get"] == "projects/get" && card["x-list"] == nil)
    #expect(card["x-columns"]?.arrayValue?.contains("deadline") == true)
    // The name of its column is for calls, and `display` has the word for it.
    #expect(card["x-columns"]?.arrayValue?.contains("state") == true)
    let source = try #require(schemas.first { $0["x-collection"] == "sources" })
    #expect(source["x-get"] == nil && source["x-list"] == "boards/sources")
    #expect(schemas.filter { $0["x-silent"] == true }.map { $0["x-collection"] } == ["searches"])
  }

  @Test("a member has the label of its field, in the language asked for, and one that only programs read has none")
  func labels() throws {
    for (language, label) in [(Language.english, "deadline"), (.korean, "마감")] {
      let card = try #require(schemas(in: language).first { $0["x-collection"] == "projects" })
      #expect(card["properties"]?["deadline"]?["title"] == .string(label))
      #expect(card["properties"]?["rank"] != nil && card["properties"]?["rank"]?["title"] == nil)
    }
    let schemas = schemas(in: .english)
    // A declaration may say under which name the catalogue has its label.
    let conflict = try #require(schemas.first { $0["x-collection"] == "conflicts" })
    #expect(conflict["properties"]?["source"]?["title"] == "origin")
    let page = try #require(schemas.first { $0["properties"]?["pdfLabel"] != nil })
    #expect(page["properties"]?["label"]?["title"] == "page number")
  }
}
