import Contract
import Store
import Wire

enum RefreshBoards: ExternalReadMethod {
  static let name = "boards/refresh"
  static let summary =
    "Asks one source, or all of them, now: also those that were given up. Requests stay conditional, and within what each "
    + "service allows."
  static let since = 1
  static let effects: Effects = [.reads, .writes, .network]
  static let errors: [ErrorKind] = BoardErrors.fetching + [.notFound]

  struct Params: Payload {
    var source: SourceID?
    static let example = Params(source: "0191")
    static let fields = ["source": "The source. Default: all of them."]
  }

  struct Failed: Payload {
    var source: SourceID
    var failure: RemoteProblem
    static let example = Failed(source: "0191", failure: .example)
    static let fields = ["source": "The source.", "failure": "Why it could not be asked."]
  }

  struct Result: Payload {
    var sources: Int
    var added: Int
    var updated: Int
    var failed: [Failed]
    static let example = Result(sources: 12, added: 30, updated: 1, failed: [.example])
    static let fields = [
      "sources": "How many were asked.", "added": "How many posts are new.",
      "updated": "How many posts were edited since.",
      "failed": "Those that could not be asked; what was fetched of them before is still there.",
    ]
  }

  struct Plan: Sendable {
    var sources: [String]
    var isOne: Bool
  }

  struct Fetched: Sendable {
    var sources = 0
    var report = PageReport()
    var failures: [(source: String, error: RPCError)] = []
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    if let source = params.source {
      return Plan(sources: [try snapshot.get(SourceRecord.self, id: source.text).id], isOne: true)
    }
    return Plan(sources: try SourceRecord.all(in: snapshot).map(\.id), isOne: false)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    var fetched = Fetched()
    for (number, source) in plan.sources.enumerated() {
      try Task.checkCancellation()
      progress.report(percentage: number * 100 / plan.sources.count)
      do {
        let report = try await services.boardRefresher.refresh(source, with: services, isBidden: true)
        fetched.report = fetched.report + report
      } catch let failure as SourceFailure {
        if plan.isOne { throw failure.error }
        fetched.failures.append((source, failure.error))
      } catch let error as RPCError where !plan.isOne && error.kind == .notFound {
        // Somebody removed it meanwhile.
        continue
      }
      fetched.sources += 1
    }
    return fetched
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    Result(
      sources: fetched.sources, added: fetched.report.added, updated: fetched.report.changed,
      failed: fetched.failures.map { source, error in
        Failed(
          source: SourceID(unchecked: source),
          failure: RemoteProblem(error, for: snapshot.reader, services: snapshot.services))
      })
  }
}
