import Contract
import Kit
import Store
import Synchronization
import Wire

enum RefreshBoards: ExternalReadMethod {
  static let name = "boards/refresh"
  static let summary =
    "Asks one source, or all of them, now: also those that were given up. Requests stay conditional, and within what each "
    + "service allows."
  static let since = 1
  static let effects: Effects = [.reads, .writes, .network]
  static let doing = Text("doing.refreshBoards")
  static let errors: [ErrorKind] = BoardErrors.fetching + [.notFound]

  struct Params: Payload {
    var source: SourceID?
    static let example = Params(source: "0191")
    static let fields = ["source": "The source. Default: all of them."]
  }

  struct Failed: Payload {
    var source: SourceID
    var title: String?
    var failure: RemoteProblem
    static let example = Failed(source: "0191", title: "The groupware", failure: .example)
    static let fields = [
      "source": "The source.",
      "title":
        "Its title, else the one it gives itself, else its URL; none if it was removed meanwhile.",
      "failure": "Why it could not be asked, or not be had whole.",
    ]
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
      "failed": "Those that could not be asked, or gave a part only; what was fetched of them before is still there.",
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
