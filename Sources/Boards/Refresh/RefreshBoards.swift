import Contract
import Kit
import Store
import Synchronization
import Wire

enum RefreshBoards: ExternalReadMethod {
  static let name = "boards/refresh"
  static let summary =
    "Fetches one source, or all, now, including stopped ones. Requests stay conditional, and within each service's "
    + "limits."
  static let effects: Effects = [.reads, .writes, .network]
  static let doing = Text("doing.refreshBoards")
  static let errors: [ErrorKind] = BoardErrors.fetching + [.notFound]

  struct Params: Payload {
    var source: SourceID?
    static let example = Params(source: "0191")
    static let fields = ["source": "The source. Default: all."]
  }

  struct Failed: Payload {
    var source: SourceID
    var title: String?
    var failure: RemoteProblem
    static let example = Failed(source: "0191", title: "The groupware", failure: .example)
    static let fields = [
      "source": "The source.",
      "title": "Its title, else the source's own, else its URL; absent if it was removed meanwhile.",
      "failure": "Why it could not be fetched, or not completely.",
    ]
  }

  struct Result: Payload {
    var sources: Int
    var added: Int
    var updated: Int
    var failed: [Failed]
    static let example = Result(sources: 12, added: 30, updated: 1, failed: [.example])
    static let fields = [
      "sources": "The number of sources fetched.", "added": "The number of new posts.",
      "updated": "The number of edited posts.",
      "failed": "The sources that could not be fetched, or only in part; their stored posts stay.",
    ]
  }

  struct Plan: Sendable {
    var sources: [SourceRecord]
    var isOne: Bool
  }

  struct Fetched: Sendable {
    var sources = 0
    var report = PageReport()
    var failures: [(source: String, error: RPCError)] = []
    /// The sources with incomplete pages.
    var cut: [(source: String, error: RPCError)] = []
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    if let source = params.source {
      return Plan(sources: [try snapshot.get(SourceRecord.self, id: source.text)], isOne: true)
    }
    return Plan(sources: try SourceRecord.all(in: snapshot), isOne: false)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    let fetched = Mutex(Fetched())
    await services.boardRefresher.each(plan.sources) { source in
      let result = await refresh(source.id, with: services)
      let done = fetched.withLock { fetched in
        fetched.sources += 1
        switch result {
        case .success(let report):
          fetched.report = fetched.report + report
          if let cut = report.cut { fetched.cut.append((source.id, cut)) }
        case .failure(let error): fetched.failures.append((source.id, error))
        }
        return fetched.sources
      }
      progress.report(percentage: done * 100 / plan.sources.count)
    }
    try Task.checkCancellation()
    let result = fetched.withLock(\.self)
    if plan.isOne, let failure = result.failures.first { throw failure.error.naming(plan.sources.first) }
    return result
  }

  private static func refresh(_ source: String, with services: Services) async -> Swift.Result<PageReport, RPCError> {
    do {
      return .success(try await services.boardRefresher.refresh(source, with: services, isBidden: true))
    } catch let failure as SourceFailure {
      return .failure(failure.error)
    } catch {
      return .failure(error as? RPCError ?? .cancelled)
    }
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    Result(
      sources: fetched.sources, added: fetched.report.added, updated: fetched.report.changed,
      failed: try (fetched.failures + fetched.cut).map { id, error in
        let source = try snapshot.find(SourceRecord.self, id: id)
        return Failed(
          source: SourceID(unchecked: id), title: source?.shownTitle,
          failure: RemoteProblem(error, of: source, in: snapshot))
      })
  }
}
