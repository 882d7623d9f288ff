import Contract
import Kit
import SQLite
import Store
import Wire

/// Follows an account with another feed reader: its boards, its posts, and the marks of both sides.
///
///     boards ──► ids of unread, saved and new posts ──► their marks ──► marks made here ──► posts that are missing here
///
/// Interrupted anywhere it continues the next time: what is missing and what is pending are differences, not a queue.
struct AccountFetch {
  let fetch: BoardFetch
  let source: any MarkingSource

  /// The most posts of one round; the others follow with the next rounds.
  static let most = 1_000
  /// The posts of one write, and of one form.
  private static let slice = 100
  /// The time before the last round in which a post may have arrived unseen, since clocks differ.
  private static let overlap: Int64 = 3_600_000

  private var id: String { fetch.visit.source.id }

  /// Stored with the source between two rounds.
  struct State: Codable, Sendable {
    /// When the last complete round began, in UTC milliseconds.
    var since: Int64?
    /// Listed posts that the service did not return, or that are on no board: they are not requested again.
    var passed: [String] = []

    static let mostPassed = 2_000
  }

  func run() async throws -> PageReport {
    var report = try await fetch.boards()
    let begun = fetch.services.now()
    let record = try await fetch.services.library.read(as: DaemonCaller()) { try $0.get(SourceRecord.self, id: id) }
    var state = (try? record.state.map { try StoredJSON<State>(stored: $0).value() }) ?? State()
    let since = state.since.map { Instant(milliseconds: $0 - Self.overlap) }
    let listing = try await fetch.explaining { () async throws(SourceFailure) in try await source.listing(since: since)
    }
    try await take(listing)
    try await sendMarks()
    let known = try await fetch.services.library.read(as: DaemonCaller()) { try AccountPost.ids(of: id, in: $0) }
    let listed = Set(listing.unread + listing.saved + listing.recent)
    state.passed = state.passed.filter(listed.contains)
    let missing = Self.missing(listing, known: known.union(state.passed), isLimited: record.isLimited)
    let asked = Array(missing.prefix(Self.most))
    for start in stride(from: 0, to: asked.count, by: Self.slice) {
      let ids = Array(asked[start..<min(start + Self.slice, asked.count)])
      let found = try await fetch.explaining { () async throws(SourceFailure) in try await source.posts(ids) }
      let (added, stored) = try await keep(found)
      report = report + added
      state.passed += ids.filter { !stored.contains($0) }
    }
    if asked.count == missing.count { state.since = begun.milliseconds }
    state.passed = Array(state.passed.suffix(State.mostPassed))
    try await end(state)
    // Posts that were here already, from another source, may have other marks than the account's.
    if !asked.isEmpty { try await sendMarks() }
    return report
  }

  /// Newest first, as the service lists them. Of a source with limits older posts are not wanted again after they were
  /// dropped.
  private static func missing(_ listing: AccountListing, known: Set<String>, isLimited: Bool) -> [String] {
    var seen = known
    return (isLimited ? listing.recent : listing.recent + listing.unread + listing.saved)
      .filter { seen.insert($0).inserted }
  }

  private func posts() async throws -> [AccountPost] {
    try await fetch.services.library.read(as: DaemonCaller()) { try AccountPost.all(of: id, in: $0) }
  }

  // MARK: Marks

  /// Stores the marks that the account has changed.
  private func take(_ listing: AccountListing) async throws {
    let (unread, saved) = (Set(listing.unread), Set(listing.saved))
    let changed = try await posts().compactMap { post -> (AccountPost, RemoteMark)? in
      var remote = post.agreed
      if unread.contains(post.remoteID) { remote.isRead = false } else if listing.hasAllUnread { remote.isRead = true }
      if saved.contains(post.remoteID) { remote.isSaved = true } else if listing.hasAllSaved { remote.isSaved = false }
      return remote == post.agreed ? nil : (post, remote)
    }
    for start in stride(from: 0, to: changed.count, by: Self.slice) {
      let slice = changed[start..<min(start + Self.slice, changed.count)]
      try await fetch.write { transaction in
        let marks = AccountMarks(source: id, transaction: transaction)
        for (post, remote) in slice { try marks.meet(remote, post.remoteID, of: post.post) }
      }
    }
  }

  /// Sends the marks that were made here. A mark is pending until the account has accepted it.
  private func sendMarks() async throws {
    let posts = try await posts()
    for change in MarkChange.allCases {
      let ids = posts.filter { $0.pending.contains(change) }.map(\.remoteID)
      for start in stride(from: 0, to: ids.count, by: Self.slice) {
        let slice = Array(ids[start..<min(start + Self.slice, ids.count)])
        try await fetch.explaining { () async throws(SourceFailure) in try await source.mark(slice, change) }
        try await fetch.write { try AccountMarks(source: id, transaction: $0).accepted(change, slice) }
      }
    }
  }

  // MARK: Posts

  /// Stores posts, each on its board. Returns also the ids of the stored ones.
  private func keep(_ found: [PlacedPost]) async throws -> (report: PageReport, stored: Set<String>) {
    let boards = try await fetch.services.library.read(as: DaemonCaller()) { try BoardRecord.all(of: id, in: $0) }
    var (report, stored) = (PageReport(), Set<String>())
    for (remoteID, posts) in Dictionary(grouping: found, by: \.board).sorted(by: { $0.key < $1.key }) {
      guard let board = boards.first(where: { sameBytes($0.remoteID, remoteID) && !$0.isGone }) else { continue }
      report = report + (try await fetch.keepArrived(posts.map(\.post), of: board))
      stored.formUnion(posts.map(\.post.id))
    }
    return (report, stored)
  }

  /// The boards are stored as far as the account's newest posts go; older ones are requested from their top.
  private func end(_ state: State) async throws {
    let json = try StoredJSON(state).json
    try await fetch.write { transaction in
      try SourceRecord.note([("state", .text(json))], of: id, in: transaction)
      let until = RefreshSchedule.freshUntil(transaction.now, freshFor: nil).milliseconds
      for board in try BoardRecord.all(of: id, in: transaction.snapshot) where !board.isGone {
        var values: [(column: String, value: SQLValue)] = [
          ("fetchedAt", .integer(transaction.now.milliseconds)), ("freshUntil", .integer(until)), ("failure", .null),
        ]
        if board.fetchedAt == nil { values.append(("cursor", .text(ReaderSource.top))) }
        try BoardRecord.note(values, of: board.id, in: transaction)
      }
    }
  }
}
