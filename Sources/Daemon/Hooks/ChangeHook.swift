import FoundationEssentials
import Kit
import Store
import Synchronization
import Threads

/// Runs the program of `hooks.changed` after commits. Its input is the notification that clients get.
///
///     commit ──► ring ──► run ──► commits during the run ──► ring ──► one more run, with all of them
///
/// One program runs at a time, and at most one run waits. A program that takes too long is killed. Its failure is
/// logged, and delays no write.
final class ChangeHook: Sendable {
  private struct State {
    /// A run is waiting to begin.
    var isWoken = false
    /// The clock up to which changes were handed over or had no program.
    var clock: Int64
    /// The clock of the previous notification.
    var reported: Int64
    var process: HookProcess?
    /// No program is started any more.
    var isEnding = false
    var last: Task<Void, Never>?
    /// For `ChangeFeed.unfollow`.
    var token: Int?
  }

  private let state: Mutex<State>
  private let store: Store
  private let filter: ChangeFilter
  private let settings: DaemonSettings

  init(of store: Store, settings: DaemonSettings) {
    (self.store, self.settings) = (store, settings)
    let silent = settings.features.flatMap(\.collections).filter(\.isSilent).map(\.name)
    filter = ChangeFilter(collections: Set(store.schema.names).subtracting(silent))
    state = Mutex(State(clock: store.feed.head, reported: store.feed.head))
  }

  /// Follows the commits, of which some may be made already.
  func begin() {
    let token = store.feed.follow { [weak self] in self?.ring() }
    state.withLock { $0.token = token }
    ring()
  }

  /// Only hands on: it is called on the writer's thread. Without a program it wakes no other one.
  private func ring() {
    let hasProgram = !settings.configured().hooks.changed.isEmpty
    state.withLock { state in
      guard !state.isWoken else { return }
      // A program that is configured later gets no changes from before.
      guard hasProgram else { return skip(&state) }
      state.isWoken = true
      let previous = state.last
      state.last = Task { [self] in
        await previous?.value
        await run()
      }
    }
  }

  /// Waits for the program that runs, and for the run that waits.
  func end() async {
    if let token = state.withLock(\.token) { store.feed.unfollow(token) }
    await state.withLock(\.last)?.value
  }

  /// Kills the program that runs, if there is one, and starts no other: the run that waits ends without one.
  func kill() {
    let process = state.withLock { state in
      state.isEnding = true
      return state.process
    }
    process?.kill()
  }

  private func skip(_ state: inout State) {
    state.clock = store.feed.head
    state.reported = state.clock
  }

  private func run() async {
    let (clock, reported, isEnding) = state.withLock { state in
      // From here on a commit may not be in this run, and causes the next.
      state.isWoken = false
      return (state.clock, state.reported, state.isEnding)
    }
    // The store is closed.
    if isEnding { return }
    let hook = settings.configured().hooks
    guard let program = hook.changed.first else { return state.withLock { skip(&$0) } }
    let notices = Notices(feed: store.feed, epoch: store.identity.epoch)
    guard let notice = notices.next(after: clock, reported: reported, filter: filter) else { return }
    state.withLock { state in
      state.clock = notice.clock
      if notice.bytes != nil { state.reported = notice.clock }
    }
    guard let bytes = notice.bytes else { return }
    do {
      try await run(program, Array(hook.changed.dropFirst()), input: bytes, limit: hook.limit)
    } catch {
      settings.log("hooks.changed: \(error)", as: .warning)
    }
  }

  private func run(_ program: String, _ arguments: [String], input: [UInt8], limit: Duration) async throws(HookFailure)
  {
    // Commands that it calls reach this library.
    var environment = ProcessInfo.processInfo.environment
    environment["COMMONPLACE_LIBRARY"] = settings.folder.path
    let started: HookProcess?
    do throws(Spawn.Failure) {
      // Under the lock, so that `kill` finds each program that is started.
      started = try state.withLock { state throws(Spawn.Failure) in
        if state.isEnding { return nil }
        state.process = try HookProcess(program, arguments, input: input, environment: environment)
        return state.process
      }
    } catch {
      throw HookFailure(description: error.description)
    }
    guard let process = started else { return }
    let timer = Task { [pause = settings.pause] in
      await pause(limit)
      if !Task.isCancelled { process.kill() }
    }
    let status = await process.status()
    timer.cancel()
    state.withLock { $0.process = nil }
    if process.isKilled { throw HookFailure(description: "\(program) was killed, as it took too long") }
    if status != 0 { throw HookFailure(description: "\(program) failed with the status \(status)") }
  }
}

/// Why a program failed, for the log.
private struct HookFailure: Error, CustomStringConvertible {
  let description: String
}
