import Contract
import Kit
import Store
import Wire

enum RunSync: ExternalReadMethod {
  static let name = "sync/run"
  static let summary =
    "Exchanges changes with the other devices now, without waiting for the schedule. A second request joins a run that is "
    + "under way."
  static let effects: Effects = [.reads, .writes, .network]
  static let doing = Text("doing.sync")
  static let errors: [ErrorKind] = [.notAllowed, .unauthorized, .notFound, .exists, .newerLibrary, .unreachable]

  struct Params: Payload {
    var wait: Bool?
    static let example = Params(wait: nil)
    static let fields = [
      "wait": "`false` answers as soon as the run has begun. `sync/didChange` and `sync/status` have its end."
    ]
  }

  struct Result: Payload {
    var received: Int
    var read: Int
    var written: Int
    var isRunning: Bool?
    static let example = Result(received: 12, read: 1, written: 1, isRunning: nil)
    static let fields = [
      "received": "The number of items that were received from other devices.",
      "read": "The number of files that were read.",
      "written": "The number of files that were written.",
      "isRunning": "True if the run has only begun, as requested by `wait`: then all numbers are 0. Absent otherwise.",
    ]
  }

  typealias Plan = Params
  typealias Fetched = Result

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Params {
    guard try StoredLedger.readRow(in: snapshot.db) != nil else { throw SyncProblem.off }
    return params
  }

  static func fetch(_ params: Params, with services: Services, progress: Progress) async throws -> Result {
    if params.wait == false {
      services.sync.begin(with: services)
      return Result(received: 0, read: 0, written: 0, isRunning: true)
    }
    let counts = try await services.sync.run(with: services, progress: progress)
    return Result(received: counts.received, read: counts.read, written: counts.written)
  }

  static func finish(_ result: Result, of plan: Params, in snapshot: Snapshot) throws -> Result { result }
}
