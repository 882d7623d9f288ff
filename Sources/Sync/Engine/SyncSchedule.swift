import Kit
import Synchronization
import Wire

/// Starts runs: soon after a write or an arrival, at intervals, and after failures in growing distances.
///
///     start ──► run ──► at least a minute ──► the interval, or a write ──► 10 seconds, if it was a write ──► run
///                │                            or another device's file ──► 2 seconds
///                └──► failed: 1, 2, 4 … 60 minutes ──► run
final class SyncSchedule: Sendable {
  /// How it waits; tests supply gates.
  struct Pace: Sendable {
    var pause: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    /// The delay of the first run after the daemon's start: the starting client has other requests first.
    var start: Duration = .seconds(5)
    /// The least time between two runs.
    var least: Duration = .seconds(50)
    /// The time in which writes are gathered.
    var afterWrite: Duration = .seconds(10)
    /// The time in which a program that carries a folder brings more files.
    var afterArrival: Duration = .seconds(2)
    var firstRetry: Duration = .seconds(60)
    var longestRetry: Duration = .seconds(3_600)
    /// How often it is looked whether there is anything to run.
    var off: Duration = .seconds(3_600)

    /// The distance of the next attempt after so many failures, and not before the time that the target states.
    func retry(_ failures: Int, notBefore stated: Duration?) -> Duration {
      min(max(firstRetry * (1 << min(failures - 1, 16)), stated ?? .zero), longestRetry)
    }
  }

  private struct State {
    var isEnded = false
    var loop: Task<Void, Never>?
    var pause: Task<Void, Never>?
    /// Whether an arrival ends the pause, and a write unless changes are gathered.
    var isResting = false
    var isGathering = false
    var hasWrites = false
    var hasArrivals = false
    var failures = 0

    /// Whether there is something for a run to do.
    var isAwaited: Bool { hasWrites && !isGathering || hasArrivals }

    var arrivals: FolderArrivals?
    /// When the next run begins, if nothing is written and no file arrives; nil if there is nothing to run.
    var next: ContinuousClock.Instant?
  }

  private let pace: Pace
  private let state = Mutex(State())

  init(_ pace: Pace = Pace()) { self.pace = pace }

  /// What a round has come to.
  enum Outcome: Sendable {
    /// Nothing is to be run now.
    case off
    /// - Parameters:
    ///   - interval: the time from this run to the next one, if nothing is written.
    ///   - hasUnwritten: whether something was written here meanwhile.
    case done(interval: Duration, hasUnwritten: Bool)
    /// Changes are gathered for so long, and others with them.
    case gathering(Duration)
    /// - Parameter retryAfter: the least time until the next attempt, if the target states it.
    case failed(retryAfter: Duration?)
  }

  /// Runs rounds until the daemon ends, or until a round returns nil.
  ///
  /// - Parameter follow: calls its argument after each group of commits.
  func begin(
    following follow: (_ wake: @escaping @Sendable () -> Void) -> Void,
    _ round: @escaping @Sendable () async -> Outcome?
  ) {
    state.withLock { state in
      guard state.loop == nil, !state.isEnded else { return }
      state.loop = Task { [pace] in
        await wait(pace.start)
        while !isEnded {
          // What arrives from now on may be listed too late.
          hasArrivals = false
          guard let outcome = await round() else { return }
          let next = note(outcome)
          if case .off = outcome {} else { expectRun(after: next.least + next.rest) }
          await wait(next.least)
          await wait(next.rest, untilWrite: true)
          if takeWrites() {
            await wait(pace.afterWrite)
          } else if hasArrivals {
            await wait(pace.afterArrival)
          }
          expectRun(after: nil)
        }
      }
    }
    follow { [weak self] in self?.noteWrite() }
  }

  private func expectRun(after duration: Duration?) { state.withLock { $0.next = duration.map { .now + $0 } } }

  /// The time until the next run, if nothing is written and no file arrives; nil if there is nothing to run.
  var untilNextRun: Duration? { state.withLock { $0.next.map { max(.zero, $0 - .now) } } }

  /// How long to wait at least, and then until a write.
  private func note(_ outcome: Outcome) -> (least: Duration, rest: Duration) {
    state.withLock { state in
      state.isGathering = false
      switch outcome {
      case .off: return (pace.least, pace.off)
      case .done(let interval, let hasUnwritten):
        // The run's own commits are no reason for another one.
        (state.failures, state.hasWrites) = (0, hasUnwritten)
        return (pace.least, max(.zero, interval - pace.least))
      case .gathering(let rest):
        (state.failures, state.hasWrites, state.isGathering) = (0, true, true)
        return (pace.least, max(.zero, rest - pace.least))
      case .failed(let stated):
        state.failures += 1
        return (pace.retry(state.failures, notBefore: stated), .zero)
      }
    }
  }

  func end() {
    state.withLock { state in
      state.isEnded = true
      state.pause?.cancel()
      state.loop?.cancel()
      state.arrivals = nil
    }
  }

  /// Called when a run that a client has requested succeeds: the target is there again, and nothing waits for it.
  func noteSuccess() {
    state.withLock { state in
      guard state.failures > 0 else { return }
      state.failures = 0
      state.pause?.cancel()
    }
  }

  /// Called for each file that another device has put into the folder of the target.
  func noteArrival() {
    state.withLock { state in
      state.hasArrivals = true
      if state.isResting { state.pause?.cancel() }
    }
  }

  /// Watches a folder from now on, instead of any other; nil for a target that cannot be watched.
  private func watch(_ folder: String?, isOwn: @escaping @Sendable (FileName) -> Bool) {
    // Anew each time: the folder itself may have been replaced.
    let arrivals = folder.flatMap { FolderArrivals($0) { [weak self] in if !isOwn($0) { self?.noteArrival() } } }
    state.withLock { $0.arrivals = $0.isEnded ? nil : arrivals }
  }

  private var isEnded: Bool { state.withLock(\.isEnded) }
  private var hasArrivals: Bool {
    get { state.withLock(\.hasArrivals) }
    set { state.withLock { $0.hasArrivals = newValue } }
  }

  /// Called after each group of commits, on the writer's thread.
  private func noteWrite() {
    state.withLock { state in
      state.hasWrites = true
      if state.isResting, !state.isGathering { state.pause?.cancel() }
    }
  }

  private func takeWrites() -> Bool {
    state.withLock { state in
      defer { state.hasWrites = false }
      return state.hasWrites
    }
  }

  private func wait(_ duration: Duration, untilWrite: Bool = false) async {
    let pause = state.withLock { state -> Task<Void, Never>? in
      guard !state.isEnded, !untilWrite || !state.isAwaited else { return nil }
      let pause = Task { [pace] in await pace.pause(duration) }
      (state.pause, state.isResting) = (pause, untilWrite)
      return pause
    }
    await pause?.value
    state.withLock { ($0.pause, $0.isResting) = (nil, false) }
  }
}

extension SyncSchedule {
  /// Runs as config.toml states it. Nothing runs while the library is not shared.
  func begin(with services: Services) {
    // Not retained while it waits: the daemon may shut down.
    let round = { @Sendable [weak services] () async -> Outcome? in
      guard let services else { return nil }
      return await Self.round(with: services)
    }
    begin(following: { services.library.follow($0) }, round)
  }

  private static func round(with services: Services) async -> Outcome {
    let settings = services.syncSettings
    guard let interval = settings.interval, settings.target != nil else { return .off }
    let library = SharedLibrary(services)
    guard let isPaused = try? await library.isPaused(), !isPaused else { return .off }
    var folder: String?
    if case .folder(let path) = settings.target { folder = path + "/log" }
    services.sync.schedule.watch(folder) { [weak engine = services.sync] in $0.file.writer == engine?.writer }
    do {
      let counts = try await services.sync.run(with: services, isRequested: false)
      if counts.isHeldBack, let rest = try await library.gathering(at: services.now()) {
        return .gathering(min(rest, interval))
      }
      return .done(interval: interval, hasUnwritten: try await library.hasUnwritten())
    } catch {
      let seconds = (error as? RPCError)?.data["retryAfter"]?.integerValue
      return .failed(retryAfter: seconds.map { .seconds($0) })
    }
  }
}
