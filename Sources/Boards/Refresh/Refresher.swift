import Contract
import HTTP
import Kit
import Store
import Wire

/// Requests the sources in the background, each when it is due, for as long as the daemon runs.
///
///     which are due? ──► some at a time on a host, four hosts at a time ──► when is the next due? ──► wait (`DueLoop`)
///
/// Nothing is queued: due sources are looked up in the library, at most `batch` at a time.
final class Refresher: DueWork {
  typealias Pace = DueLoop.Pace

  static let batch = 200
  private static let hosts = 4
  /// So many sources per host: while the responses of some are stored, in one commit if they wait together, others
  /// are requested. The host's `RequestBudget` determines how many run at once.
  private static let perHost = 8

  let loop: DueLoop

  init(_ pace: Pace = Pace()) {
    loop = DueLoop(pace)
  }

  // MARK: - One round

  /// Requests the due sources. Returns the time until the next one is due.
  func round(with services: Services) async -> Duration {
    await round("boards", of: "boardSource WHERE isStopped = 0", with: services) { now in
      let due = try await services.library.read(as: DaemonCaller()) { try Self.due(at: now, in: $0) }
      await each(due) { [self] source in
        guard !isEnded else { return }
        _ = try? await refresh(source.id, with: services, isBidden: false)
      }
    }
  }

  /// Calls `body` with each source: with some of a host at a time, and with some hosts at a time.
  func each(_ sources: [SourceRecord], _ body: @escaping @Sendable (SourceRecord) async -> Void) async {
    let byHost = Dictionary(grouping: sources) { Origin($0.address.url)?.host ?? "" }
    await withTaskGroup(of: Void.self) { group in
      for (number, sources) in byHost.sorted(by: { $0.key < $1.key }).map(\.value).enumerated() {
        if number >= Self.hosts { await group.next() }
        group.addTask { await Self.eachOfHost(sources, body) }
      }
    }
  }

  private static func eachOfHost(_ sources: [SourceRecord], _ body: @escaping @Sendable (SourceRecord) async -> Void)
    async
  {
    await withTaskGroup(of: Void.self) { group in
      for (number, source) in sources.enumerated() where !Task.isCancelled {
        if number >= perHost { await group.next() }
        if !Task.isCancelled { group.addTask { await body(source) } }
      }
    }
  }

  static func due(at now: Instant, in snapshot: Snapshot) throws -> [SourceRecord] {
    try SourceRecord.all(
      in: snapshot.db, "WHERE isStopped = 0 AND ifnull(nextAt, 0) <= ? ORDER BY nextAt, id LIMIT ?",
      [.integer(now.milliseconds), .integer(batch)])
  }

  /// The background refresh requests so many boards of a source at once, so that a forum of two hundred categories
  /// costs its server no more than a user who browses it.
  static let boardsPerRefresh = 30

  /// Requests the boards of a source if they are due, and the first pages of its boards: all of them for a manual
  /// refresh, else ``boardsPerRefresh``, those that were never requested first, then the least recently requested.
  func refresh(_ source: String, with services: Services, isBidden: Bool) async throws -> PageReport {
    let fetches = services.boardFetches
    let begun = services.now()
    let record = try await services.library.read(as: DaemonCaller()) { try $0.get(SourceRecord.self, id: source) }
    if record.kind.isAccount {
      let report = try await fetches.account(of: source, with: services, isBackground: !isBidden)
      if record.wholeText == .always { try await NewArticles(source: source, services: services).fetch() }
      return report
    }
    let known = try await Self.boards(of: source, services)
    var report = PageReport()
    var failed: SourceFailure?
    var isHeard = false
    var isAsked = false
    if known.isEmpty || record.kind != .feed && Self.isOld(record, services.now()) {
      report = report + (try await fetches.boards(of: source, with: services, isBackground: !isBidden))
      (isAsked, isHeard) = (true, true)
    }
    let boards = try await Self.boards(of: source, services)
    for board in isBidden ? boards : Self.due(boards, at: begun) {
      // Pages that were sent along with the boards are not requested again.
      if isAsked, board.fetchedAt.map({ $0 >= begun }) ?? false { continue }
      isAsked = true
      do {
        report = report + (try await fetches.page(.first, of: board.id, with: services, isBackground: !isBidden))
        isHeard = true
      } catch let failure as SourceFailure where failure.isOfPage && record.kind != .feed {
        failed = failure
      }
    }
    // Each board states its own failure; the source counts as refused only if all its boards failed.
    if let failed, !isHeard { throw failed }
    if !isAsked {
      report = report + (try await fetches.boards(of: source, with: services, isBackground: !isBidden))
    }
    if record.wholeText == .always { try await NewArticles(source: source, services: services).fetch() }
    return report
  }

  /// The boards that the background refresh requests of these: no locked board, and of boards that were requested in
  /// the same moment the first ones of the source.
  private static func due(_ boards: [BoardRecord], at now: Instant) -> [BoardRecord] {
    boards.filter { !$0.isLeftAlone(at: now) }.enumerated().sorted { left, right in
      (left.element.lastRequest, left.offset) < (right.element.lastRequest, right.offset)
    }
    .prefix(boardsPerRefresh).map(\.element)
  }

  private static func isOld(_ record: SourceRecord, _ now: Instant) -> Bool {
    guard let asked = record.fetchedAt else { return true }
    return asked.adding(milliseconds: RefreshSchedule.boards) <= now
  }

  private static func boards(of source: String, _ services: Services) async throws -> [BoardRecord] {
    try await services.library.read(as: DaemonCaller()) { snapshot in
      try BoardRecord.all(of: source, in: snapshot).filter { !$0.isGone }
    }
  }
}

extension Services {
  var boardRefresher: Refresher { memory.object(Refresher.self) { Refresher() } }
}

extension Transaction {
  /// After this write a source may be due sooner than was thought.
  func wakeRefresher() { afterCommit { [services] in services.boardRefresher.wake() } }
}
