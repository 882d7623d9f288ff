import Contract
import Display
import Kit
import Store
import Wire

enum LeaveSync: WriteMethod {
  static let name = "sync/leave"
  static let summary =
    "Shares the library no longer: the secret and what is known of the other devices are forgotten here. The library "
    + "stays as it is, and so do the files at the target."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notAllowed]

  typealias Params = Empty
  typealias Result = Empty

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    guard try StoredLedger.readRow(in: transaction.db) != nil else { throw SyncProblem.off }
    transaction.services.sync.noteLedgerChange()
    try StoredLedger.remove(from: transaction.db)
    transaction.changeSetting()
    let services = transaction.services
    transaction.afterCommit {
      SecretFile(services).remove()
      GivenTarget.remove(services)
      services.sync.announce(.init(state: .off), to: services)
    }
    return Empty()
  }
}

enum PauseSync: WriteMethod {
  static let name = "sync/pause"
  static let summary = "Stops the schedule, or starts it again. `sync/run` runs all the same."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notAllowed]

  struct Params: Payload {
    var paused: Bool
    static let example = Params(paused: true)
    static let fields = ["paused": "Whether runs have to be requested."]
  }
  typealias Result = Empty

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    guard try StoredLedger.readRow(in: transaction.db) != nil else { throw SyncProblem.off }
    try transaction.db.run("UPDATE syncSpace SET isPaused = ?", [.bool(params.paused)])
    transaction.changeSetting()
    let services = transaction.services
    let conflicts = try SyncConflict.count(in: transaction.db)
    transaction.afterCommit {
      let state = params.paused ? .paused : SyncState(after: services.sync.last?.problem)
      // A run that is under way sends a notification when it ends.
      if !services.sync.isRunning { services.sync.announce(.init(state: state, conflicts: conflicts), to: services) }
    }
    return Empty()
  }
}

enum ShowSyncCode: DetachedMethod {
  static let name = "sync/code"
  static let summary =
    "The code with which other devices join. Anyone who has it can read and change everything that is shared."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notAllowed]

  typealias Params = Empty

  struct Result: Payload {
    var code: String
    var modules: [String]
    static let example = Result(code: "CP-0V3Q8-6Q0VC-4YFEB-9H8D2-W5K1T-3M7RN", modules: ["1111111010"])
    static let fields = [
      "code": "The code.",
      "modules": "The code as a QR code without a margin: a text for each row, in which 1 is a dark module.",
    ]
  }

  static func run(_ params: Params, for reader: Reader, with services: Services) async throws -> Result {
    guard let secret = try await SecretFile(services).read().first else { throw SyncProblem.off }
    return Result(code: secret.code, modules: QRCode(secret.code)?.rows ?? [])
  }
}
