import Contract
import Store
import Wire

enum Status: ExternalReadMethod {
  static let name = "session/status"
  static let summary = "How the daemon is: versions, clients, clock, jobs, workers and what protects them, last errors."
  static let since = 1
  static let effects: Effects = .reads
  typealias Params = Empty
  typealias Result = StatusReport
  typealias Plan = Empty
  typealias Fetched = StatusReport

  static func prepare(_ params: Empty, in snapshot: Snapshot) throws -> Empty { params }

  static func fetch(_ plan: Empty, with services: Services, progress: Progress) async throws -> StatusReport {
    await services.library.status()
  }

  static func finish(_ report: StatusReport, of plan: Empty, in snapshot: Snapshot) throws -> StatusReport { report }
}
