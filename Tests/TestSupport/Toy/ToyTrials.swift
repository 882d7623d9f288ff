import Contract
import Glibc
import Kit
import Store
import Wire

// Methods that only a test would have: they stop at gates, never end, or misbehave.

struct GateParams: Payload {
  var gate: String?
  var title: String?
  static let example = GateParams(gate: nil, title: nil)
  static let fields = ["gate": "Where to wait, if anywhere.", "title": "A toy to add."]
}

struct Count: Payload {
  var count: Int
  static let example = Count(count: 3)
  static let fields = ["count": "How many toys were seen."]
}

private func count(in snapshot: Snapshot) throws -> Int {
  try snapshot.db.integer("SELECT count(*) FROM toy") ?? 0
}

/// A long read: it has its state when it comes to the gate, and counts when it may pass.
enum WaitAndCount: ReadMethod {
  static let name = "toys/waitAndCount"
  static let summary = "Counts the toys when the gate opens."
  static let effects: Effects = .reads
  typealias Params = GateParams
  typealias Result = Count

  static func run(_ params: GateParams, in snapshot: Snapshot) throws -> Count {
    if let gate = params.gate { ToyGate.named(gate).pass() }
    return Count(count: try count(in: snapshot))
  }
}

/// A read by key, as the dispatcher sees it.
enum CountQuickly: ReadMethod {
  static let name = "toys/countQuickly"
  static let summary = "Counts the toys."
  static let effects: Effects = .reads
  static let isQuick = true
  typealias Params = Empty
  typealias Result = Count

  static func run(_ params: Empty, in snapshot: Snapshot) throws -> Count { Count(count: try count(in: snapshot)) }
}

/// A read by key that holds its loop, which no real one does.
enum WaitQuickly: ReadMethod {
  static let name = "toys/waitQuickly"
  static let summary = "Counts the toys when the gate opens, and lets nobody else of its loop do anything until then."
  static let effects: Effects = .reads
  static let isQuick = true
  typealias Params = GateParams
  typealias Result = Count

  static func run(_ params: GateParams, in snapshot: Snapshot) throws -> Count {
    if let gate = params.gate { ToyGate.named(gate).pass() }
    return Count(count: try count(in: snapshot))
  }
}

/// A statement that only an interrupt ends.
enum SpinForever: ReadMethod {
  static let name = "toys/spin"
  static let summary = "Counts for ever."
  static let effects: Effects = .reads
  typealias Params = GateParams
  typealias Result = Count

  static func run(_ params: GateParams, in snapshot: Snapshot) throws -> Count {
    if let gate = params.gate { ToyGate.named(gate).pass() }
    let sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
    return Count(count: try snapshot.db.integer(sql) ?? 0)
  }
}

/// A read by key that takes its time on the loop.
enum SpinBriefly: ReadMethod {
  static let name = "toys/spinBriefly"
  static let summary = "Counts the toys after five milliseconds of work."
  static let effects: Effects = .reads
  static let isQuick = true
  typealias Params = Empty
  typealias Result = Count

  static func run(_ params: Empty, in snapshot: Snapshot) throws -> Count {
    let begun = ContinuousClock.now
    while ContinuousClock.now - begun < .milliseconds(5) {}
    return Count(count: try count(in: snapshot))
  }
}

/// Stops the writer at the gate, after it has begun.
enum HoldAndAdd: WriteMethod {
  static let name = "toys/holdAndAdd"
  static let summary = "Adds a toy when the gate opens."
  static let effects: Effects = .writes
  typealias Params = GateParams
  typealias Result = Toy

  static func run(_ params: GateParams, in transaction: Transaction) throws -> Toy {
    if let gate = params.gate { ToyGate.named(gate).pass() }
    let record = ToyRecord(id: transaction.services.newID(), title: params.title ?? "held", body: "")
    return Toy(try transaction.insert(record))
  }
}

/// Asks the world outside, which is the gate, and adds a toy.
enum FetchAndAdd: ExternalWriteMethod {
  static let name = "toys/fetchAndAdd"
  static let summary = "Adds a toy when the gate opens, and says how many there were before it asked."
  static let effects: Effects = [.writes, .network]
  typealias Params = GateParams
  typealias Result = Count

  struct Plan: Sendable {
    var params: GateParams
    var count: Int
  }

  static func prepare(_ params: GateParams, in snapshot: Snapshot) throws -> Plan {
    Plan(params: params, count: try count(in: snapshot))
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> String {
    progress.report(percentage: 10)
    if let gate = plan.params.gate { try await ToyGate.named(gate).passOrCancel() }
    progress.report(percentage: 90)
    return services.newID()
  }

  static func finish(_ id: String, of plan: Plan, in transaction: Transaction) throws -> Count {
    if let title = plan.params.title { try transaction.insert(ToyRecord(id: id, title: title, body: "")) }
    return Count(count: plan.count)
  }
}

/// A fetch that writes a file at `path`, finds it there, or finds no room.
enum WriteFile: ExternalReadMethod {
  static let name = "toys/writeFile"
  static let summary = "Writes a file, unless it is there."
  static let effects: Effects = [.reads, .files]
  static let errors: [ErrorKind] = [.diskFull]
  typealias Result = Empty

  struct Params: Payload {
    var path: String
    var isFull: Bool?
    static let example = Params(path: "/tmp/toy", isFull: nil)
    static let fields = ["path": "Where to write.", "isFull": "Whether there is no room."]
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Params { params }

  static func fetch(_ params: Params, with services: Services, progress: Progress) async throws -> Bool {
    if params.isFull == true { throw RPCError(FileFailure(path: params.path, ENOSPC)) }
    return try await onThread { _ in
      guard access(params.path, F_OK) != 0 else { return false }
      try NewFile(at: params.path).write(Array("toy".utf8))
      return true
    }
  }

  static func finish(_ isNew: Bool, of params: Params, in snapshot: Snapshot) throws -> Empty { Empty() }
}

/// A reply of any size.
enum ShowText: ReadMethod {
  static let name = "toys/text"
  static let summary = "A text of the size asked for."
  static let effects: Effects = .reads
  static let isQuick = true

  struct Params: Payload {
    var bytes: Int
    static let example = Params(bytes: 3)
    static let fields = ["bytes": "How long it is."]
    static let limits: [String: FieldLimits] = ["bytes": FieldLimits(minimum: 0, maximum: 16_777_216)]
  }
  struct Result: Payload {
    var text: String
    static let example = Result(text: "aaa")
    static let fields = ["text": "The text."]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    Result(text: String(repeating: "a", count: params.bytes))
  }
}

/// The bug that the store must find: rows changed, nothing reported.
enum SneakIn: WriteMethod {
  static let name = "toys/sneak"
  static let summary = "Changes all toys and tells nobody."
  static let effects: Effects = .writes
  typealias Params = Empty
  typealias Result = Empty

  static func run(_ params: Empty, in transaction: Transaction) throws -> Empty {
    try transaction.db.execute("UPDATE toy SET body = 'sneaked'")
    return Empty()
  }
}
