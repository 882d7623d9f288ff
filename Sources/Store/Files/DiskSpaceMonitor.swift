import Contract
import Synchronization

/// Logs that a disk is full, and that it has space again: two lines, however many writes are refused in between.
///
/// The client of a refused write gets an error; these lines are for an audience that inspects later what happened to
/// the night's writes (`session/status`). Alternating failures and successes, when only small writes fit, are logged at
/// most once a minute. Any thread may call.
package final class DiskSpaceMonitor: Sendable {
  /// The destination of a write: while writes to one fail, those to another may succeed, on another disk or with fewer
  /// bytes.
  package enum Place: Hashable, Sendable {
    /// The rows of the library.
    case library
    /// The files that a method writes, in the library or elsewhere.
    case files(method: String)
  }

  private struct Shortage {
    var since: Instant
    var refused = 0
    var isLogged: Bool
  }

  private struct State {
    var shortages: [Place: Shortage] = [:]
    var logged: [Place: Instant] = [:]
  }

  private let path: String
  private let now: @Sendable () -> Instant
  private let log: Log
  private let state = Mutex(State())
  /// Whether any place is short of space: all that a successful write has to test.
  private let isShort = Atomic(false)

  private static let pause: Int64 = 60_000

  /// - Parameter path: The library's folder.
  init(path: String, now: @escaping @Sendable () -> Instant, log: Log) {
    (self.path, self.now, self.log) = (path, now, log)
  }

  /// Records a write that was refused for lack of disk space.
  ///
  /// - Parameter label: the operation, such as the method's name.
  package func refused(_ label: String, to place: Place) {
    let now = now()
    let isNew = state.withLock { state in
      var shortage = state.shortages[place] ?? Shortage(since: now, isLogged: false)
      shortage.refused += 1
      defer { state.shortages[place] = shortage }
      let isRecent = state.logged[place].map { (0..<Self.pause).contains(now.milliseconds - $0.milliseconds) } ?? false
      guard !shortage.isLogged, !isRecent else { return false }
      shortage.isLogged = true
      state.logged[place] = now
      return true
    }
    isShort.store(true, ordering: .releasing)
    guard isNew else { return }
    switch place {
    case .library:
      log("the disk of the library \(path) is full: \(label) was not saved, nor is what follows until there is room")
    case .files: log("a disk is full: \(label) could not write its file, nor can what follows until there is room")
    }
  }

  /// Records a successful write. Must not be called after an operation without anything to write.
  package func saved(to place: Place) {
    guard isShort.load(ordering: .acquiring) else { return }
    let over = state.withLock { state in
      let over = state.shortages.removeValue(forKey: place)
      isShort.store(!state.shortages.isEmpty, ordering: .releasing)
      return over
    }
    guard let over, over.isLogged else { return }
    let count = "\(over.refused) \(over.refused == 1 ? "write was" : "writes were") refused since \(over.since)"
    switch place {
    case .library: log("the library \(path) is written again: \(count), for want of room", as: .warning)
    case .files(let method): log("\(method) writes its files again: \(count), for want of room", as: .warning)
    }
  }
}
