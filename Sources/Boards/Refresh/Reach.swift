import Contract
import Kit
import SQLite
import Store

/// How far down a board is stored without a gap, after a page of it was fetched.
///
///     new posts ─┐
///     page 1     ├─ stored without a gap, down to the frontier; the cursor names the page after it
///     page 2    ─┘
///     …            perhaps some that a search found
///
/// A first page that overlaps the stored posts extends them at the top. Otherwise there is a gap: then the gapless
/// part ends with that page until more is fetched, and the older posts wait below the gap.
struct Reach {
  let board: BoardRecord
  let page: PostPage
  let taken: [PageIntake.Outcome]
  let now: Instant

  func columns(after step: FetchStep) throws -> [(column: String, value: SQLValue)] {
    var values: [(column: String, value: SQLValue)] = [("failure", try StoredProblem.column(page.notice, at: now))]
    if let total = page.total { values.append(("remoteTotal", .integer(total))) }
    switch step {
    case .first:
      values += [
        ("fetchedAt", .integer(now.milliseconds)),
        ("freshUntil", .integer(RefreshSchedule.freshUntil(now, freshFor: page.freshFor).milliseconds)),
      ]
      if let state = page.state { values.append(("state", .text(state.text))) }
      guard !page.isUnchanged, !touchesKnown else { break }
      values += [("cursor", .text(next(after: nil))), ("frontier", .integer(lowest))]
    case .next(let cursor):
      // The board was restarted from the first page meanwhile, so this page's place is unknown.
      guard board.cursor == cursor else { break }
      let known = board.frontier?.milliseconds
      values += [
        ("cursor", .text(next(after: cursor))),
        ("frontier", .integer(lowest.map { min($0, known ?? $0) } ?? known)),
      ]
    }
    return values
  }

  /// The end is reached if a page is empty, or names itself as the next.
  private func next(after cursor: String?) -> String? {
    guard let next = page.next, !taken.isEmpty, next != cursor else { return nil }
    return next
  }

  private var touchesKnown: Bool {
    guard board.fetchedAt != nil else { return false }
    // No page follows this one, so there is no gap.
    if page.next == nil { return board.cursor == nil }
    guard let frontier = board.frontier?.milliseconds else { return board.cursor == nil && !taken.isEmpty }
    return taken.contains { $0.wasThere && !$0.isPinned && $0.at >= frontier }
  }

  private var lowest: Int64? { taken.filter { !$0.isPinned }.map(\.at).min() }
}
