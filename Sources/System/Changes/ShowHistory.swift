import Contract
import Kit
import Store
import Wire

enum ShowHistory: ReadMethod {
  static let name = "changes/history"
  static let summary = "The versions of one item, newest first, with what each change replaced."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var collection: String
    var id: ItemID
    var diff: Bool?
    var limit: Int?
    var after: String?
    static let example = Params(collection: "documents", id: "0192", diff: nil, limit: 20, after: nil)
    static let fields = [
      "collection": "The item's present or former collection.", "id": "The item.",
      "diff": "`true`: includes a word-by-word diff of each text that changed.",
      "limit": PartFields.limitNote(usually: 50), "after": "`next` of the previous page.",
    ]
    static let limits: [String: FieldLimits] = ["limit": .range(1...500)]
  }

  struct Version: Payload {
    var clock: Int64
    var kind: ChangePayload.Kind
    var client: String
    var at: Instant
    var fields: [String]?
    var before: JSONValue?
    var diffs: [FieldDiff]?
    var display: [String: String]?
    static let example = Version(
      clock: 42, kind: .updated, client: "nvim", at: Instant(milliseconds: 1_795_225_445_678), fields: ["title"],
      before: ["title": "Draft"], diffs: nil, display: nil)
    static let fields = [
      "clock": "The commit.", "kind": "What happened.", "client": "The client that made the change.", "at": "When.",
      "fields": "The fields that changed; absent if all, empty if only internal fields did.",
      "before": "Their previous values, lists as lists; absent if they are no longer stored.",
      "diffs": "If requested: the diff of each text that an update changed.",
      "display":
        "Strings for people, by field, for values of `before` that are ids, lists or booleans: the title of a card's "
        + "column, `#a #b`.",
    ]
  }

  struct FieldDiff: Payload {
    var field: String
    var diff: TextDiff
    var display: Display?

    struct Display: Payload {
      var before: String
      var after: String
      static let example = Display(before: "TODO", after: "DOING")
      static let fields = ["before": "The label of the previous value.", "after": "The label of the new value."]
    }

    static let example = FieldDiff(field: "title", diff: .example, display: nil)
    static let fields = [
      "field": "The field that changed.", "diff": "The difference between the previous text and the new one.",
      "display": "Strings for people, if the texts are ids or lists.",
    ]
  }
  typealias Result = Page<Version>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<Version> {
    let (collection, id) = (params.collection, params.id.text)
    try checkCollections([collection], field: "collection", in: snapshot.services)
    let limit = params.limit ?? 50
    let before = try clock(ofCursor: params.after)
    let total = try ItemVersion.count(of: collection, id: id, in: snapshot)
    guard total > 0 else { throw RPCError.notFound(collection, id: id) }
    let offset = try before.map { try ItemVersion.count(of: collection, id: id, from: $0, in: snapshot) } ?? 0
    // An item has at most one version per commit, so the clock determines where a part ends.
    // A difference has the text before, the text after, and what a JSON string adds to both.
    let versions = try ItemVersion.history(
      of: collection, id: id, before: before, limit: limit, upTo: ListPart.size / (params.diff == true ? 4 : 1),
      in: snapshot)
    let declared = snapshot.services.library.collection(collection)
    let (words, columns) = (ValueWords(of: declared, in: snapshot), declared?.columns)
    let items = try versions.map { version in
      Version(
        clock: version.clock, kind: ChangePayload.Kind(rawValue: version.kind.rawValue) ?? .updated,
        client: version.client, at: version.at,
        fields: version.fields.isEmpty ? nil : version.fields.filter { columns?.inner.contains($0) != true },
        before: version.before.map { declared?.visible($0) ?? $0 },
        diffs: params.diff == true ? try diffs(of: version, params, words, columns, in: snapshot) ?? [] : nil,
        display: try words(for: version.before))
    }
    return Page(
      items: items, offset: offset, limit: limit, total: total,
      next: offset + items.count < total ? items.last.map { String($0.clock) } : nil)
  }

  private static func diffs(
    of version: ItemVersion, _ params: Params, _ words: ValueWords, _ columns: ColumnTraits?, in snapshot: Snapshot
  ) throws -> [FieldDiff]? {
    guard version.kind == .updated, let before = version.before?.objectValue,
      let table = snapshot.services.library.collection(params.collection)?.table
    else { return nil }
    return try before.members.compactMap { member in
      guard columns?.inner.contains(member.key) != true, columns?.places.contains(member.key) != true,
        let old = member.value.stringValue,
        let new = try ItemVersion.text(
          member.key, of: params.collection, table: table, id: params.id.text, after: version.clock, in: snapshot)
      else { return nil }
      var display: FieldDiff.Display?
      if let before = try words.word(for: member.value, in: member.key),
        let after = try words.word(for: .string(new), in: member.key)
      {
        display = .init(before: before, after: after)
      }
      return FieldDiff(field: member.key, diff: TextDiff(from: old, to: new), display: display)
    }
  }
}

/// The labels of a collection's stored values.
struct ValueWords {
  private let wording: ItemCollection.Wording?
  private let booleans: [String]
  private let snapshot: Snapshot

  init(of collection: ItemCollection?, in snapshot: Snapshot) {
    (wording, booleans) = (collection?.wording, collection?.booleans() ?? [])
    self.snapshot = snapshot
  }

  func word(for value: JSONValue, in field: String) throws -> String? {
    guard booleans.contains(field), let number = value.exactInteger else { return try wording?(field, value, snapshot) }
    return snapshot.words(Text(number == 0 ? "value.no" : "value.yes"))
  }

  /// By the field; nil if all values are shown unchanged.
  func callAsFunction(for values: JSONValue?) throws -> [String: String]? {
    var words: [String: String] = [:]
    for member in values?.objectValue?.members ?? [] {
      if let word = try word(for: member.value, in: member.key) { words[member.key] = word }
    }
    return words.isEmpty ? nil : words
  }
}
