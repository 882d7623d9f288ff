import Contract
import Display
import Kit
import Store
import Wire

enum Status: ExternalReadMethod {
  static let name = "session/status"
  static let summary =
    "The daemon's state: versions, clients, clock, jobs, workers, sandbox, config.toml, recent errors."
  static let effects: Effects = .reads
  typealias Params = Empty
  typealias Result = StatusReport
  typealias Plan = Reader
  typealias Fetched = StatusReport

  static func prepare(_ params: Empty, in snapshot: Snapshot) throws -> Reader { snapshot.reader }

  static func fetch(_ plan: Reader, with services: Services, progress: Progress) async throws -> StatusReport {
    await services.library.status(for: plan)
  }

  static func finish(_ report: StatusReport, of plan: Reader, in snapshot: Snapshot) throws -> StatusReport { report }
}
