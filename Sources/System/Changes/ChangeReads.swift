import Contract
import Kit
import Store
import Wire

enum ChangesSince: ReadMethod {
  static let name = "changes/since"
  static let summary = "The changes after a clock, or what to refetch, for a client that reconnects."
  static let effects: Effects = .reads
  static let givesClock = true

  struct Params: Payload {
    var epoch: String?
    var clock: Int64
    var collections: [String]?
    var limit: Int?
    static let example = Params(epoch: "0191", clock: 40, collections: nil, limit: nil)
    static let fields = [
      "epoch": "The epoch of that clock; for another epoch the reply is `reset`.",
      "clock": "The last clock that the client has seen.",
      "collections": "Only these collections.",
      "limit":
        "About how many items at most: no commit is split. Repeat with the reply's `clock` until there are none.",
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

/// The clock after which a list that is ordered by clocks continues.
///
/// - Throws: `invalidParams` if it is not a clock.
func clock(ofCursor after: String?) throws(RPCError) -> Int64? {
  guard let after else { return nil }
  guard let clock = Int64(after) else {
    throw .invalidParams(field: "after", reason: Text("param.badCursor", ["value": after]))
  }
  return clock
}

/// Refuses unknown names of collections, and lists the known ones.
///
/// - Throws: `invalidParams`.
func checkCollections(_ names: [String]?, field: String, in services: Services) throws(RPCError) {
  let known = services.library.collections
  for name in names ?? [] where !known.contains(name) {
    throw RPCError.invalidParams(
      field: field,
      reason: Text("changes.unknownCollection", ["value": name, "choices": known.joined(separator: ", ")]))
  }
}
