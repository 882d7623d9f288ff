import Contract
import Kit
import SQLite
import Store
import Synchronization
import Wire

/// One request to a source, and the storing of its response in the library.
struct BoardFetch: Sendable {
  let visit: SourceVisit
  let services: Services

  /// The number of posts stored by one write, so that others get through.
  private static let slice = 200

  private var source: SourceRecord { visit.source }

  // MARK: - A page

  func page(_ step: FetchStep) async throws -> PageReport {
    guard let board = visit.board else { throw RPCError.internalError }
    let plugIn = try services.boardSource(asking: visit.address)
    let page: PostPage
    do throws(SourceFailure) {
      switch step {
      case .first:
        page = try await plugIn.posts(
          of: board.remoteID, at: nil, state: board.fetchedAt == nil ? nil : board.state.map(SourceState.init(text:)))
      case .next(let cursor): page = try await plugIn.posts(of: board.remoteID, at: cursor, state: nil)
      }
    } catch {
      throw try await noted(error)
    }
    return try await keep(page, of: board, step)
  }

  /// Stores a page, and notes how far the board is stored now.
  func keep(_ page: PostPage, of board: BoardRecord, _ step: FetchStep) async throws -> PageReport {
    let hasDroppedAll = Mutex(true)
    let taken = try await take(page.posts, of: board) { transaction, taken in
      let known = try transaction.snapshot.get(BoardRecord.self, id: board.id)
      try BoardRecord.note(
        Reach(board: known, page: page, taken: taken, now: transaction.now).columns(after: step), of: board.id,
        in: transaction)
      try heard(page.freshFor, movedTo: page.movedTo, title: page.title, in: transaction)
      if taken.contains(where: { !$0.wasThere }) {
        transaction.touch(
          collection: BoardRecord.collectionName, id: board.id, revision: known.revision, fields: ["count", "unread"])
      }
      let isAll = try dropSlice(in: transaction)
      hasDroppedAll.withLock { $0 = isAll }
    }
    var isAll = hasDroppedAll.withLock(\.self)
    while !isAll { isAll = try await write { try dropSlice(in: $0) } }
    return PageReport(
      added: taken.count { $0.isNew && !$0.isHidden }, changed: taken.count { $0.isChanged }, posts: taken.map(\.id),
      next: page.next,
      total: page.total, cut: page.notice)
  }

  /// Drops posts beyond the limits of the source, as many as one commit may; whether those were all.
  private func dropSlice(in transaction: Transaction) throws -> Bool {
    try SourceLimits(source: source, transaction: transaction).drop() < SourceLimits.slice
  }

  /// Stores the posts that a search found, like all others.
  func keepFound(_ page: PostPage, of board: BoardRecord) async throws -> PageReport {
    let taken = try await take(page.posts, of: board, from: .search)
    return PageReport(
      added: taken.count { $0.isNew && !$0.isHidden }, posts: taken.map(\.id), next: page.next, total: page.total,
      notice: page.notice?.text)
  }

  /// Stores posts that were requested by their ids: they are the newest of the board, or older ones anywhere below.
  func keepArrived(_ posts: [FetchedPost], of board: BoardRecord) async throws -> PageReport {
    let isLimited = source.isLimited
    let taken = try await take(posts, of: board) { transaction, taken in
      let known = try transaction.snapshot.get(BoardRecord.self, id: board.id)
      if taken.contains(where: { !$0.wasThere }) {
        transaction.touch(
          collection: BoardRecord.collectionName, id: board.id, revision: known.revision, fields: ["count", "unread"])
      }
    }
    while isLimited, try await write({ try !dropSlice(in: $0) }) {}
    return PageReport(
      added: taken.count { $0.isNew && !$0.isHidden }, changed: taken.count { $0.isChanged }, posts: taken.map(\.id))
  }

  /// Fetches one post with its whole body.
  func post(_ remoteID: String, of board: BoardRecord) async throws {
    let plugIn = try services.boardSource(asking: visit.address)
    let fetched: FetchedPost
    do throws(SourceFailure) {
      fetched = try await plugIn.post(remoteID, of: board.remoteID)
    } catch {
      // A post that was deleted or is locked is not a failure of its source.
      if error.isOfPlace { throw error }
      throw try await noted(error)
    }
    let keys = PostIdentity.keys(of: fetched, from: source)
    try await write { transaction in
      let intake = PageIntake(
        source: source, board: board, transaction: transaction, rules: PostRules(in: transaction),
        origin: .alone)
      let taken = try intake.take(fetched, keys: keys, place: 0)
      if let account = try PostAccount.find(of: taken.id, from: source.id, in: transaction.snapshot) {
        try QuietColumns.write(
          [("bodyMark", .text(account.head.listMark))], of: PostAccount.self, id: account.id, in: transaction)
        return
      }
      let record = try transaction.snapshot.get(PostRecord.self, id: taken.id)
      try QuietColumns.write(
        [("bodyMark", .text(record.head.listMark))], of: PostRecord.self, id: taken.id, in: transaction)
    }
  }

  /// Stores posts, slice by slice. `finish` runs with the last one, in the same commit: each commit needs a sync of
  /// its own.
  private func take(
    _ posts: [FetchedPost], of board: BoardRecord, from origin: PageIntake.Origin = .list,
    finish: (@Sendable (Transaction, [PageIntake.Outcome]) throws -> Void)? = nil
  ) async throws -> [PageIntake.Outcome] {
    // Before the writes, which others wait for.
    let keys = PostIdentity.keys(ofEach: posts, from: source)
    var all: [PageIntake.Outcome] = []
    var start = 0
    guard finish != nil || !posts.isEmpty else { return all }
    repeat {
      let slice = start..<min(start + Self.slice, posts.count)
      let before = all
      all = try await write { transaction in
        let intake = PageIntake(
          source: source, board: board, transaction: transaction, rules: PostRules(in: transaction), origin: origin)
        let new = try slice.map { place in
          let taken = try intake.take(posts[place], keys: keys[place], place: place)
          // Later marks are those of a listing: a page may be older than what was sent to the account meanwhile.
          if let mark = posts[place].mark, !taken.wasThere {
            try AccountMarks(source: source.id, transaction: transaction).meet(mark, posts[place].id, of: taken.id)
          }
          return taken
        }
        transaction.keepSilent()
        // A page may have a post twice.
        var seen: Set<String> = []
        let taken = (before + new).filter { seen.insert($0.id).inserted }
        if slice.upperBound == posts.count { try finish?(transaction, taken) }
        return taken
      }
      start = slice.upperBound
    } while start < posts.count
    return all
  }

  // MARK: - Accounts

  /// Follows an account, see ``AccountFetch``.
  func account() async throws -> PageReport {
    guard let plugIn = try services.boardSource(asking: visit.address) as? any MarkingSource else {
      throw RPCError.internalError
    }
    return try await AccountFetch(fetch: self, source: plugIn).run()
  }

  /// Runs a request, and notes its failure.
  func explaining<Result>(_ body: () async throws(SourceFailure) -> Result) async throws -> Result {
    do throws(SourceFailure) {
      return try await body()
    } catch {
      throw try await noted(error)
    }
  }

  // MARK: - Boards

  func boards() async throws -> PageReport {
    let plugIn = try services.boardSource(asking: visit.address)
    let fetched: FetchedBoards
    do throws(SourceFailure) {
      fetched = try await plugIn.boards(source.state.map(SourceState.init(text:)))
    } catch {
      throw try await noted(error)
    }
    return try await keep(fetched)
  }

  func keep(_ fetched: FetchedBoards) async throws -> PageReport {
    try await write { transaction in
      if !fetched.isUnchanged {
        try BoardIntake(source: source, transaction: transaction).take(fetched.boards)
      }
      if let state = fetched.state {
        try SourceRecord.note([("state", .text(state.text))], of: source.id, in: transaction)
      }
      try heard(fetched.freshFor, movedTo: fetched.movedTo, title: fetched.title, in: transaction)
    }
    return try await keepPages(fetched.pages)
  }

  /// Stores the pages that were sent along with the boards.
  func keepPages(_ pages: [String: PostPage]) async throws -> PageReport {
    var report = PageReport()
    for (remoteID, page) in pages.sorted(by: { $0.key < $1.key }) {
      let board = try await services.library.read(as: DaemonCaller()) { snapshot in
        try BoardRecord.first(
          in: snapshot.db, "WHERE source = ? AND remoteID = ?", [.text(source.id), .text(remoteID)])
      }
      if let board { report = report + (try await keep(page, of: board, .first)) }
    }
    return report
  }

  // MARK: - The state of the source

  /// It answered.
  private func heard(
    _ freshFor: Duration?, movedTo: String?, title: String?, in transaction: Transaction
  ) throws {
    let now = transaction.now
    var values: [(column: String, value: SQLValue)] = [
      ("fetchedAt", .integer(now.milliseconds)), ("failures", .integer(0)), ("failure", .null),
      ("isStopped", .bool(false)),
      (
        "nextAt",
        .integer(RefreshSchedule.next(after: now, of: source.id, freshFor: freshFor, every: source.every).milliseconds)
      ),
    ]
    if let movedTo { values.append(("movedTo", .text(movedTo))) }
    if let title = FetchedPost.fitted(title) { values.append(("foundTitle", .text(title))) }
    try SourceRecord.note(values, of: source.id, in: transaction)
    // A board that could not be shown yet may be requested again: its source's earlier failure no longer applies.
    for board in try BoardRecord.all(of: source.id, in: transaction.snapshot) where board.fetchedAt == nil {
      guard let failure = board.failure,
        try StoredJSON<StoredProblem>(stored: failure).value().isOfPlace != true
      else { continue }
      try BoardRecord.note([("failure", .null), ("freshUntil", .null)], of: board.id, in: transaction)
    }
  }

  /// Notes a failed request, and returns the failure as a reply to the caller. Stored posts stay.
  private func noted(_ failure: SourceFailure) async throws -> any Error {
    switch failure.kind {
    case .cancelled: return CancellationError()
    // No request was made, so nothing is to be noted.
    case .offline: return failure
    default: break
    }
    // A feed has only one board.
    if let board = visit.board, source.kind != .feed, failure.isOfPlace {
      try? await lock(board, by: failure)
      return failure
    }
    // Requests to its host are suspended, so it was not requested: it is due when the suspension is over.
    if !failure.wasAsked {
      try? await putOff(failure)
      return failure
    }
    // A source that was removed meanwhile has nothing to note.
    try? await write { transaction in
      let known = try transaction.snapshot.get(SourceRecord.self, id: source.id)
      let problem = try StoredProblem.column(failure.error, at: transaction.now)
      // The board states the failure; its source goes on.
      if let board = visit.board, source.kind != .feed, failure.isOfPage, known.isHeardLately(at: transaction.now) {
        try note(problem, of: board, failure, in: transaction)
        return
      }
      // A manual request before the scheduled time does not extend the backoff.
      let isEarly = known.failures > 0 && known.nextAt.map { transaction.now < $0 } ?? false
      let failures = isEarly ? known.failures : known.failures + 1
      try SourceRecord.note(
        [
          ("failures", .integer(failures)), ("failure", problem),
          ("isStopped", .bool(failure.kind == .gone || failure.kind == .unauthorized)),
          (
            "nextAt",
            .integer(
              RefreshSchedule.next(
                after: transaction.now, failure: failure, failures: failures, of: source.id, every: source.every
              ).milliseconds)
          ),
        ], of: source.id, in: transaction)
      if let board = visit.board { try note(problem, of: board, failure, in: transaction) }
    }
    return failure
  }

  private func note(
    _ problem: SQLValue, of board: BoardRecord, _ failure: SourceFailure, in transaction: Transaction
  ) throws {
    // A client that reads it again soon is shown the stored posts.
    let until = RefreshSchedule.freshUntil(transaction.now, freshFor: failure.retryAfter)
    try BoardRecord.note(
      [("failure", problem), ("freshUntil", .integer(until.milliseconds))], of: board.id, in: transaction)
  }

  private func putOff(_ failure: SourceFailure) async throws {
    try await write { transaction in
      let known = try transaction.snapshot.get(SourceRecord.self, id: source.id)
      let seconds = failure.retryAfter.map { $0.components.seconds + 1 } ?? 0
      let end = transaction.now.adding(milliseconds: min(max(seconds, 1) * 1_000, FetchSchedule.floor)).milliseconds
      try SourceRecord.note(
        [("nextAt", .integer(max(known.nextAt?.milliseconds ?? 0, end)))], of: source.id, in: transaction)
    }
  }

  /// One board is inaccessible. It is not requested for a day, and its source continues.
  private func lock(_ board: BoardRecord, by failure: SourceFailure) async throws {
    try await write { transaction in
      let now = transaction.now
      try BoardRecord.note(
        [
          ("failure", try StoredProblem.column(failure.error, at: now, isOfPlace: true)),
          ("freshUntil", .integer(now.adding(milliseconds: FetchSchedule.ceiling).milliseconds)),
        ], of: board.id, in: transaction)
      // It was requested, and if all its boards are locked it must not be requested in a loop.
      try SourceRecord.note(
        [
          (
            "nextAt",
            .integer(RefreshSchedule.next(after: now, of: source.id, freshFor: nil, every: source.every).milliseconds)
          )
        ],
        of: source.id, in: transaction)
    }
  }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    let visit = visit
    return try await services.library.write(
      as: FeatureCaller.daemon(services), label: RefreshBoards.name,
      returning: { transaction in
        try visit.requireCurrent(in: transaction.snapshot)
        return try body(transaction)
      })
  }
}
