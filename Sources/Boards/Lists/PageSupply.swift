import Contract
import Kit
import Store
import Synchronization
import Wire

/// Sees to it that the library has the part of a board that somebody wants to read.
///
///     nothing there yet, or a beginning that is old  →  the first page
///     fewer than wanted, and the source has more     →  the page behind what is there, and look again
///     otherwise                                      →  nobody is asked
///
/// So no page is asked for before the first has come, and none behind the end.
struct PageSupply: Sendable {
  /// What came of it.
  struct Outcome: Sendable {
    /// The source answered just now.
    var isLive = false
    /// The configuration says that nobody is asked.
    var isOffline = false
    /// It is still being asked, for nobody in particular.
    var isLoading = false
    var failure: RPCError?
  }

  let board: String
  var after: PostListing.Place?
  var offset = 0
  var limit: Int
  var onlyUnread = false
  /// Also where the beginning is not old, or its source was given up.
  var isForced = false

  /// So many pages are fetched for one reply.
  private static let rounds = 8

  private var isBeginning: Bool { after == nil && offset == 0 }

  /// What is to be asked for. Throws what the source said when it was given up before anything came.
  func need(in snapshot: Snapshot, isFirstLook: Bool) throws -> FetchStep? {
    let board = try snapshot.get(BoardRecord.self, id: board)
    let source = try snapshot.get(SourceRecord.self, id: board.source)
    let now = snapshot.services.now()
    if board.fetchedAt == nil || isFirstLook && isBeginning && (isForced || isOld(board, now)) {
      guard try isForced && isFirstLook || !isGivenUp(source, board, now) else {
        guard board.fetchedAt == nil, let failure = board.failure ?? source.failure,
          !snapshot.services.hidesFailure(of: source)
        else { return nil }
        throw try StoredJSON<KeptProblem>(stored: failure).value().error(at: now).naming(source)
      }
      return .first
    }
    guard let cursor = board.cursor, !onlyUnread, !source.isStopped else { return nil }
    let listing = PostListing(board, onlyUnread: false, isClosed: false)
    let places = try listing.places(behind: after, offset: offset, limit: limit, in: snapshot)
    return places.count < limit ? .next(cursor) : nil
  }

  private func isOld(_ board: BoardRecord, _ now: Instant) -> Bool { board.freshUntil.map { $0 <= now } ?? true }

  /// Who was refused is not asked again unbidden, and who could not be reached not at once: where nothing is here yet
  /// after a moment, since whoever opens it wants to see something.
  private func isGivenUp(_ source: SourceRecord, _ board: BoardRecord, _ now: Instant) throws -> Bool {
    if source.isStopped { return true }
    guard let failure = board.failure, !isOld(board, now) else { return false }
    return try board.fetchedAt != nil
      || !StoredJSON<KeptProblem>(stored: failure).value().mayBeAskedAgain(at: now)
  }

  func fill(first: FetchStep?, for caller: any Caller, with services: Services) async throws -> Outcome {
    var outcome = Outcome()
    var step = first
    for _ in 0..<Self.rounds {
      guard let next = step else { break }
      do {
        _ = try await services.boardDesk.page(next, of: board, with: services)
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

/// Fetches that nobody waits for, at most one of a board.
final class UnawaitedPages: Sendable {
  private let boards = Mutex<Set<String>>([])

  /// Asks, and forgets what came of it: whoever reads the board next is told.
  func ask(_ step: FetchStep, of board: String, with services: Services) {
    guard boards.withLock({ $0.insert(board).inserted }) else { return }
    Task {
      _ = try? await services.boardDesk.page(step, of: board, with: services)
      boards.withLock { _ = $0.remove(board) }
    }
  }
}

extension Services {
  var unawaitedPages: UnawaitedPages { memory.object(UnawaitedPages.self) { UnawaitedPages() } }
}
