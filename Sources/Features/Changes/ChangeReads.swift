import Contract
import Store
import Wire

enum ChangesSince: ReadMethod {
  static let name = "changes/since"
  static let summary = "What a client missed: the changes after a clock, or what to fetch again."
  static let since = 1
  static let effects: Effects = .reads
  static let givesClock = true

  struct Params: Payload {
    var epoch: String?
    var clock: Int64
    var collections: [String]?
    var limit: Int?
    static let example = Params(epoch: "0191", clock: 40, collections: nil, limit: nil)
    static let fields = [
      "epoch": "The epoch that the clock belongs to; another one answers `reset`.",
      "clock": "The last clock that the client knows.",
      "collections": "Only these.",
      "limit":
        "About how many items at most: no commit is cut. Ask again with the `clock` of the answer until nothing comes.",
    ]
    static let limits: [String: FieldLimits] = ["clock": FieldLimits(minimum: 0), "limit": .range(1...1_000)]
  }
  typealias Result = DidCommit.Params

  static func run(_ params: Params, in snapshot: Snapshot) throws -> DidCommit.Params {
    let epoch = snapshot.services.library.identity.epoch
    try checkCollections(params.collections, field: "collections", in: snapshot.services)
    let collections = params.collections.map(Set.init)
    if let known = params.epoch, known != epoch {
      let delta = Delta(since: params.clock, clock: snapshot.clock, content: .reset(params.collections))
      return DidCommit.Params(epoch: epoch, delta: delta)
    }
    let delta = try ChangeLog.delta(since: params.clock, in: snapshot, collections: collections, limit: params.limit)
    return DidCommit.Params(epoch: epoch, delta: delta)
  }
}

enum ShowLog: ReadMethod {
  static let name = "changes/log"
  static let summary =
    "The commits, newest first: who, what, when, and whether they can be undone. That something was looked for is noted in "
    + "commits that are not among them."
  static let since = 1
  static let effects: Effects = .reads

  struct Params: Payload {
    var limit: Int?
    var after: String?
    static let example = Params(limit: 20, after: nil)
    static let fields = ["limit": "How many at most. Default 50.", "after": "`next` of the part before."]
    static let limits: [String: FieldLimits] = ["limit": FieldLimits(minimum: 1, maximum: 500)]
  }

  struct Entry: Payload {
    var clock: Int64
    var client: String
    var label: String
    var at: Instant
    var undoable: Bool
    var undoOf: Int64?
    var undoneBy: Int64?
    static let example = Entry(
      clock: 42, client: "nvim", label: "documents/toggleBookmark", at: Instant(milliseconds: 1_795_225_445_678),
      undoable: true, undoOf: nil, undoneBy: nil)
    static let fields = [
      "clock": "The commit.", "client": "The client's name, or empty.", "label": "The method that made it.",
      "at": "When it was made.", "undoable": "Whether `changes/undo` can take it back now.",
      "undoOf": "The commit that this one took back.", "undoneBy": "The commit that took this one back.",
    ]
  }
  typealias Result = Page<Entry>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<Entry> {
    let limit = params.limit ?? 50
    let before = try clock(ofCursor: params.after)
    let records = try CommitRecord.log(in: snapshot, before: before, limit: limit + 1)
    let total = try CommitRecord.count(in: snapshot)
    let offset = try CommitRecord.count(in: snapshot, from: before)
    let items = records.prefix(limit).map { record in
      Entry(
        clock: record.clock, client: record.client, label: record.label, at: record.at, undoable: record.undoable,
        undoOf: record.undoOf, undoneBy: record.undoneBy)
    }
    return Page(
      items: items, offset: offset, limit: limit, total: total,
      next: records.count > limit ? items.last.map { String($0.clock) } : nil)
  }
}

/// The clock behind which a list goes on that is ordered by clocks.
func clock(ofCursor after: String?) throws(RPCError) -> Int64? {
  guard let after else { return nil }
  guard let clock = Int64(after) else {
    throw .invalidParams(field: "after", reason: Text("param.badCursor", ["value": after]))
  }
  return clock
}

/// Refuses names of collections that do not exist, with those that do.
func checkCollections(_ names: [String]?, field: String, in services: Services) throws(RPCError) {
  let known = services.library.collections
  for name in names ?? [] where !known.contains(name) {
    throw RPCError.invalidParams(
      field: field,
      reason: Text("changes.unknownCollection", ["value": name, "choices": known.joined(separator: ", ")]))
  }
}
