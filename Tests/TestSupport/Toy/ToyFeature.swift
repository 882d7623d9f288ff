import Contract
import Kit
import SearchEngine
import Store
import Wire

/// A feature of one folder, which shows that nothing else is needed for one: notes with a title.
package enum ToyFeature {
  package static let feature = Feature(
    name: "toys",
    routes: [
      Route(AddToy.self), Route(UpdateToy.self), Route(RemoveToy.self), Route(GetToy.self), Route(ListToys.self),
      Route(AddToyPart.self), Route(AttachFile.self), Route(AddManyToys.self), Route(TurnToy.self),
      Route(WaitAndCount.self), Route(CountQuickly.self), Route(WaitQuickly.self), Route(SpinForever.self),
      Route(HoldAndAdd.self),
      Route(FetchAndAdd.self), Route(WriteFile.self),
      Route(ShowText.self), Route(FetchText.self), Route(SpinBriefly.self),
      Route(SneakIn.self),
    ],
    migrations: [
      Migration(
        "toys/001",
        sql: """
          CREATE TABLE toy (
            id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
            title TEXT NOT NULL, body TEXT NOT NULL, file TEXT, angle INTEGER);
          CREATE TABLE toyPart (
            id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
            toy TEXT NOT NULL, name TEXT NOT NULL);
          CREATE INDEX toyPartByToy ON toyPart (toy);
          """)
    ],
    collections: [
      ItemCollection(
        ToyRecord.self,
        parts: [.init(collection: "toyParts", column: "toy")],
        payload: { toy, _ in Toy(toy) },
        searchEntries: { id, _, db in
          guard let record = try ToyRecord.find(id, in: db) else { return [] }
          return [
            SearchEntry(
              collection: "toys", item: id, part: 0, at: record.updatedAt.milliseconds, title: record.title,
              body: record.body, tags: "")
          ]
        }),
      ItemCollection(ToyPartRecord.self) { part, _ in
        ["id": .string(part.id), "name": .string(part.name)] as JSONObject
      },
    ])
}

package struct ToyRecord: StoredItem {
  package static let collectionName = "toys"
  package static let tableName = "toy"
  package var id = ""
  package var revision: Int64 = 0
  package var createdAt = Instant(milliseconds: 0)
  package var updatedAt = Instant(milliseconds: 0)
  package var title = ""
  package var body = ""
  package var file: String?
  package var angle: Int?

  package init() {}

  package init(id: String, revision: Int64 = 0, title: String, body: String) {
    (self.id, self.revision, self.title, self.body) = (id, revision, title, body)
  }

  package static let fields = Fields<Self> {
    Field("title", \.title)
    Field("body", \.body)
    Field("file", \.file).blob
    Field("angle", \.angle).quiet
  }
}

extension ToyRecord {
  /// For tests that write without a method.
  package static func named(_ id: String) -> ToyRecord { ToyRecord(id: id, title: "toy \(id)", body: "") }
}

package struct Toy: Payload {
  package var id: ItemID
  package var revision: Int64
  package var createdAt: Instant
  package var updatedAt: Instant
  package var title: String
  package var body: String
  package var file: String?

  package static let example = Toy(
    ToyRecord(id: "0192", revision: 1, title: "A top", body: "It spins."))
  package static let fields = [
    "id": "The toy.", "revision": "Its revision.", "createdAt": "When it was added.",
    "updatedAt": "When it last changed.", "title": "Its name.", "body": "What it does.",
    "file": "Its file's SHA-256.",
  ]

  init(_ record: ToyRecord) {
    id = ItemID(unchecked: record.id)
    revision = record.revision
    createdAt = record.createdAt
    updatedAt = record.updatedAt
    title = record.title
    body = record.body
    file = record.file
  }
}
