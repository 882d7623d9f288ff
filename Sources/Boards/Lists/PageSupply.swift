import Contract
import Kit
import Store
import Synchronization
import Wire

/// Ensures that the library has the requested part of a board.
///
///     only the unread ones, unless a refresh is forced  →  no request: they are those that are stored
///     nothing there yet, or an outdated beginning       →  the first page
///     fewer than requested, and the source has more     →  the page after the stored ones, and check again
///     otherwise                                         →  no request
///
/// So no page is requested before the first has arrived, and none after the end.
struct PageSupply: Sendable {
  /// The result of the requests.
  struct Outcome: Sendable {
    /// The source answered just now.
    var isLive = false
    /// The configuration forbids requests.
    var isOffline = false
    /// A request without a waiting client is still running.
    var isLoading = false
    var failure: RPCError?
  }

  let board: String
  var after: PostListing.Place?
  var offset = 0
  var limit: Int
  var onlyUnread = false
  /// Also if the beginning is not outdated, or its source was given up.
  var isForced = false

  /// The most pages fetched for one reply.
  private static let rounds = 8

  private var isBeginning: Bool { after == nil && offset == 0 }

  /// The next page to request, or nil.
  ///
  /// - Throws: the source's failure if it was given up before anything was fetched.
  func need(in snapshot: Snapshot, isFirstLook: Bool) throws -> FetchStep? {
    if onlyUnread, !isForced { return nil }
    let board = try snapshot.get(BoardRecord.self, id: board)
    let source = try snapshot.get(SourceRecord.self, id: board.source)
    let now = snapshot.services.now()
    if board.fetchedAt == nil || isFirstLook && isBeginning && (isForced || isOld(board, now)) {
      guard try isForced && isFirstLook || !isGivenUp(source, board, now) else {
        guard board.fetchedAt == nil, let failure = board.failure ?? source.failure,
          !snapshot.services.hidesFailure(of: source)
        else { return nil }
        throw try StoredJSON<StoredProblem>(stored: failure).value().error(at: now).naming(source)
      }
      return .first
    }
    guard let cursor = board.cursor, !onlyUnread, !source.isStopped, !source.isLimited else { return nil }
    let listing = PostListing(board, onlyUnread: false, isClosed: false)
    let places = try listing.places(after: after, offset: offset, limit: limit, in: snapshot)
    return places.count < limit ? .next(cursor) : nil
  }

  private func isOld(_ board: BoardRecord, _ now: Instant) -> Bool { board.freshUntil.map { $0 <= now } ?? true }

  /// A source that refused is not requested again automatically, and an unreachable one not at once. If nothing is
  /// stored yet it is requested again after a moment, since a user who opens the board wants to see posts.
  private func isGivenUp(_ source: SourceRecord, _ board: BoardRecord, _ now: Instant) throws -> Bool {
    if source.isStopped { return true }
    guard let failure = board.failure, !isOld(board, now) else { return false }
    return try board.fetchedAt != nil
      || !StoredJSON<StoredProblem>(stored: failure).value().mayBeAskedAgain(at: now)
  }

  func fill(first: FetchStep?, for caller: any Caller, with services: Services) async throws -> Outcome {
    var outcome = Outcome()
    var step = first
    for round in 0..<Self.rounds {
      guard let next = step else { break }
      do {
        _ = try await services.boardFetches.page(next, of: board, with: services) {
          try need(in: $0, isFirstLook: round == 0) == next
        }
        outcome.isLive = true
      } catch let failure as SourceFailure {
        if failure.kind == .offline { outcome.isOffline = true } else { outcome.failure = failure.error }
        return outcome
      }
      step = try await services.library.read(as: caller) { try need(in: $0, isFirstLook: false) }
    }
    return outcome
  }
}

/// Fetches without a waiting client, at most one per board.
final class UnawaitedPages: Sendable {
  private let boards = Mutex<Set<String>>([])

  /// Fetches a page and ignores the result: the next read of the board reports it.
  func ask(_ step: FetchStep, for supply: PageSupply, with services: Services) {
    let board = supply.board
    guard boards.withLock({ $0.insert(board).inserted }) else { return }
    Task {
      _ = try? await services.boardFetches.page(step, of: board, with: services) {
        try supply.need(in: $0, isFirstLook: true) == step
      }
      boards.withLock { _ = $0.remove(board) }
    }
  }
}

extension Services {
  var unawaitedPages: UnawaitedPages { memory.object(UnawaitedPages.self) { UnawaitedPages() } }
}
