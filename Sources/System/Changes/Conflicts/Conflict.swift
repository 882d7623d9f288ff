import Contract
import Kit
import Store
import Wire

/// A conflict in replies.
typealias Conflict = ItemJSON<ShownConflict>

struct ShownConflict: ShownItem {
  static let name = "Conflict"

  let item: ConflictRecord
  /// The library's version, by columns.
  let ours: JSONObject
  /// The item in words.
  let title: String
  let snapshot: Snapshot

  /// Nil if the item was removed; if an undo restores it, its conflicts are restored too.
  init?(_ record: ConflictRecord, in snapshot: Snapshot) throws {
    guard let collection = snapshot.services.library.collection(record.collection) else { return nil }
    let columns = collection.columnsOfField(record.field)
    guard let ours = try collection.values(record.item, columns, snapshot.db) else { return nil }
    (item, self.ours, self.snapshot) = (record, ours, snapshot)
    title =
      try collection.title(of: collection.payload(record.item, snapshot)) ?? snapshot.words(Text("day.noTitle"))
  }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember(
      "ours", values, "The library's version, which the item has, keyed by field name.",
      example: ["deadline": "2026-11-21"]
    ) { $0.visible(.object($0.ours)) },
    DerivedMember(
      "theirs", values, "The imported version, keyed by field name.", example: ["deadline": "2026-11-22"]
    ) { try $0.visible(JSONParser.parse($0.item.theirs)) },
    DerivedMember("display", of: "Conflict.Display", "Strings for people.") {
      DerivedMember("title", "The item's title, or its placeholder.", example: "Errands") { $0.title }
    },
  ]

  private static let values = WireType<JSONValue>(.dictionary(.any)) { $1.write($0) }

  private func visible(_ values: JSONValue) -> JSONValue {
    snapshot.services.library.collection(item.collection)?.visible(values) ?? values
  }

  static let example: ConflictRecord = {
    var record = ConflictRecord()
    (record.id, record.revision) = ("0194", 42)
    record.createdAt = Instant(milliseconds: 1_795_225_445_678)
    record.updatedAt = record.createdAt
    (record.collection, record.item, record.field) = ("projects", "0192", "deadline")
    record.source = "/home/ann/tasks.ics"
    return record
  }()
}
