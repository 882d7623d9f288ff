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

  typealias Params = Empty

  struct Result: Payload {
    var received: Int
    var read: Int
    var written: Int
    static let example = Result(received: 12, read: 1, written: 1)
    static let fields = [
      "received": "The number of items that were received from other devices.",
      "read": "The number of files that were read.",
      "written": "The number of files that were written.",
    ]
  }

  typealias Plan = Params
  typealias Fetched = Result

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Params { params }

  static func fetch(_ params: Params, with services: Services, progress: Progress) async throws -> Result {
    let counts = try await services.sync.run(with: services, progress: progress)
    return Result(received: counts.received, read: counts.read, written: counts.written)
  }

  static func finish(_ result: Result, of plan: Params, in snapshot: Snapshot) throws -> Result { result }
}
