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
    DerivedMember(
      "choices", "What `changes/resolve` can take here, besides a `value`.",
      example: ["ours", "theirs"]
    ) { try $0.choices },
    DerivedMember("display", of: "Conflict.Display", "Strings for people.") {
      DerivedMember("title", "The item's title, or its placeholder.", example: "Errands") { $0.title }
      DerivedMember("ours", "The library's version in words.", example: "2026-11-21") { shown in
        shown.isRemoval ? shown.title : try shown.words(of: .object(shown.ours))
      }
      DerivedMember(
        "oursIs", "What the library's version is, as its heading.", example: "In the library"
      ) { try $0.heading.ours }
      DerivedMember(
        "theirsIs", "What the other version is, and where it was written, as its heading.",
        example: "tasks.ics"
      ) { try $0.heading.theirs }
      DerivedMember("theirs", "The other version in words.", example: "2026-11-22") { shown in
        shown.isRemoval
          ? shown.snapshot.words(Text("changes.gone")) : try shown.words(of: JSONParser.parse(shown.item.theirs))
      }
      DerivedMember(
        "source", "The name of the device that wrote the other version, or the file from which it was imported.",
        example: "/home/ann/tasks.ics"
      ) { $0.item.device ?? $0.item.source }
    },
  ]

  private var collection: ItemCollection? { snapshot.services.library.collection(item.collection) }

  private var theirs: JSONObject {
    get throws { try JSONParser.parse(item.theirs).objectValue ?? [:] }
  }

  private var choices: [ResolveConflict.Take] {
    get throws {
      try collection?.canHaveBoth(item.field, ours, theirs) == true ? [.ours, .theirs, .both] : [.ours, .theirs]
    }
  }

  /// Of two versions from devices the item has the newer one, and of two texts both.
  private var heading: (ours: String, theirs: String) {
    get throws {
      guard let device = item.device else {
        let file = item.source.split(separator: "/").last.map(String.init) ?? item.source
        return (snapshot.words(Text("changes.version.library")), file)
      }
      let names =
        if isRemoval {
          ("changes.version.edited", "changes.version.removedOn")
        } else if try isUnreachable {
          ("changes.version.library", "changes.version.from")
        } else if try choices.contains(.both) {
          ("changes.version.merged", "changes.version.from")
        } else {
          ("changes.version.newer", "changes.version.older")
        }
      return (snapshot.words(Text(names.0)), snapshot.words(Text(names.1, ["device": device])))
    }
  }

  /// Whether it is a reference that would close a circle: the other version lists those, whatever their age.
  private var isUnreachable: Bool {
    get throws {
      try theirs.members.contains { $0.value.stringValue?.hasPrefix("[") == true && !sameBytes($0.key, "tags") }
        && !choices.contains(.both)
    }
  }

  /// Whether another device removed the item.
  private var isRemoval: Bool { item.field == ConflictRecord.removal }

  /// The values of a version. Times that belong to another value, such as those of a card's state, are left out.
  private func words(of version: JSONValue) throws -> String {
    let collection = snapshot.services.library.collection(item.collection)
    let labels = ValueWords(of: collection, in: snapshot)
    let members = (version.objectValue?.members ?? []).filter { !$0.value.isNull }
    let isTime: (JSONObject.Member) -> Bool = { $0.key.hasSuffix("At") && $0.value.integerValue != nil }
    let shown = members.allSatisfy(isTime) ? members : members.filter { !isTime($0) }
    let words = try shown.map { member in
      if let word = try labels.word(for: member.value, in: member.key) { return word }
      if isTime(member), let time = member.value.integerValue { return Instant(milliseconds: time).description }
      guard let text = member.value.stringValue else { return member.value.description }
      guard collection?.columns.json.contains(member.key) == true, let value = try? JSONParser.parse(text) else {
        return text
      }
      return value.arrayValue?.map { $0.stringValue ?? $0.description }.joined(separator: ", ") ?? text
    }
    return words.isEmpty ? "—" : words.joined(separator: " · ")
  }

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
