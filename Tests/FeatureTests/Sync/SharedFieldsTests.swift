import Features
import Store
import Testing

@Suite("Sync: the fields that devices share") struct SharedFieldsTests {
  private static let collections = AllFeatures.features.flatMap(\.collections)

  @Test("these collections are shared, each device has its own of the others")
  func names() {
    let shared = Self.collections.filter { $0.sync != nil }.map(\.name)
    #expect(
      Set(shared) == [
        "bookmarks", "books", "calendars", "cardBoards", "columns", "diary", "documentRules", "documents", "files",
        "highlights",
        "memos", "notes",
        "postMarks", "postRules", "posts", "projects", "readingGoals", "savedSearches", "sources",
      ])
    #expect(shared.count == Set(shared).count)
  }

  @Test("a column is a part of one shared field at most, and every field has a name that conflicts can show")
  func columns() {
    for collection in Self.collections where collection.sync != nil {
      let columns = collection.columns.shared.flatMap(\.columns)
      #expect(columns.count == Set(columns).count, "\(collection.name)")
      for field in collection.columns.shared {
        #expect(!collection.columnsOfField(field.name).isEmpty, "\(collection.name).\(field.name)")
        #expect(field.sync != .own)
      }
    }
  }

  @Test("what a collection declares for sync are its shared columns, and references lead to collections")
  func references() {
    let names = Set(Self.collections.map(\.name))
    for collection in Self.collections {
      guard let sync = collection.sync else { continue }
      let fields = Dictionary(uniqueKeysWithValues: collection.columns.shared.map { ($0.name, $0.sync) })
      for column in sync.acyclic + [sync.holder].compactMap(\.self) {
        switch fields[column] {
        case .reference, .references: break
        default: Issue.record("\(collection.name).\(column) is no reference")
        }
      }
      for case (let name, .reference(let target)) in fields { #expect(names.contains(target), "\(name)") }
      for case (let name, .references(let target)) in fields { #expect(names.contains(target), "\(name)") }
    }
  }

  @Test("texts are merged, lists of words are sets, and positions decide nothing")
  func kinds() throws {
    func sync(_ collection: String, _ field: String) throws -> FieldSync? {
      let found = try #require(Self.collections.first { $0.name == collection })
      return found.columns.shared.first { $0.name == field }?.sync
    }
    for (collection, field, kind) in [
      ("diary", "text", .text), ("notes", "text", .text), ("projects", "body", .text), ("books", "note", .text),
      ("diary", "tags", .set), ("projects", "tags", .set), ("books", "tags", .set), ("projects", "reminders", .set),
      ("projects", "blockedBy", .references("projects")), ("projects", "parent", .reference("projects")),
      ("projects", "board", .reference("cardBoards")), ("projects", "rank", .quiet), ("cardBoards", "rank", .quiet),
      ("projects", "title", .latest), ("projects", "state", .latest), ("postMarks", "readAt", .maximum),
      ("postMarks", "files", .objects),
      ("documents", "hash", .latest), ("documents", "page", .quiet), ("documents", "lastReadAt", .quiet),
      ("documents", "origins", nil), ("documents", "credential", nil), ("highlights", "note", .text),
      ("highlights", "document", .reference("documents")), ("memos", "text", .text),
      ("files", "hash", .latest), ("sources", "url", .latest), ("sources", "failures", nil),
      ("postRules", "sources", .references("sources")),
      ("notes", "title", nil), ("posts", "text", .quiet), ("posts", "placements", nil),
      ("calendars", "url", .latest), ("calendars", "path", nil), ("calendars", "confinement", nil),
    ] as [(String, String, FieldSync?)] {
      #expect(try sync(collection, field) == kind, "\(collection).\(field)")
    }
    let highlights = try #require(Self.collections.first { $0.name == "highlights" })
    let place = highlights.columns.shared.first { $0.name == "page" }
    #expect(Set(place?.columns ?? []) == ["page", "anchor", "state", "lines", "shape", "picture"])
    let cards = try #require(Self.collections.first { $0.name == "projects" })
    let state = cards.columns.shared.first { $0.name == "state" }
    #expect(Set(state?.columns ?? []) == ["state", "startedAt", "movedAt", "completedAt"])
  }
}
