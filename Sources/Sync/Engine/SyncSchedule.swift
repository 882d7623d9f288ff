import Kit
import Synchronization
import Wire

/// Starts runs: soon after a write, at intervals, and after failures in growing distances.
///
///     start ──► run ──► at least a minute ──► the interval, or a write ──► 10 seconds, if it was a write ──► run
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
    var firstRetry: Duration = .seconds(60)
    var longestRetry: Duration = .seconds(3_600)

    /// The distance of the next attempt after so many failures.
    func retry(_ failures: Int) -> Duration { min(firstRetry * (1 << min(failures - 1, 16)), longestRetry) }
  }

  private struct State {
    var isEnded = false
    var loop: Task<Void, Never>?
    var pause: Task<Void, Never>?
    /// Whether a write ends the pause.
    var isResting = false
    var hasWrites = false
    var failures = 0
  }

  private let pace: Pace
  private let state = Mutex(State())

  init(_ pace: Pace = Pace()) { self.pace = pace }

  /// Runs until the daemon ends. Nothing runs while the library is not shared.
  func begin(with services: Services) {
    state.withLock { state in
      guard state.loop == nil, !state.isEnded else { return }
      state.loop = Task { [weak services, pace] in
        await wait(pace.start)
        while !isEnded {
          // Not retained while it waits: the daemon may shut down.
          guard let next = await roundIfThere(services) else { return }
          await wait(next.least)
          await wait(next.rest, untilWrite: true)
          if takeWrites() { await wait(pace.afterWrite) }
        }
      }
    }
    services.library.follow { [weak self] in self?.noteWrite() }
  }

  func end() {
    state.withLock { state in
      state.isEnded = true
      state.pause?.cancel()
      state.loop?.cancel()
    }
  }

  private var isEnded: Bool { state.withLock(\.isEnded) }

  /// Called after each group of commits, on the writer's thread.
  private func noteWrite() {
    state.withLock { state in
      state.hasWrites = true
      if state.isResting { state.pause?.cancel() }
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
      guard !state.isEnded, !untilWrite || !state.hasWrites else { return nil }
      let pause = Task { [pace] in await pace.pause(duration) }
      (state.pause, state.isResting) = (pause, untilWrite)
      return pause
    }
    await pause?.value
    state.withLock { ($0.pause, $0.isResting) = (nil, false) }
  }

  private func roundIfThere(_ services: Services?) async -> (least: Duration, rest: Duration)? {
    guard let services else { return nil }
    return await round(with: services)
  }

  /// Runs if it is time. Returns how long to wait at least, and then until a write.
  private func round(with services: Services) async -> (least: Duration, rest: Duration) {
    let idle = (pace.least, Duration.seconds(3_600))
    guard let interval = services.settings().sync.interval, services.settings().sync.target != nil else { return idle }
    let library = SharedLibrary(services)
    guard let isPaused = try? await library.isPaused(), !isPaused else { return idle }
    do {
      _ = try await services.sync.run(with: services)
      // The run's own commits are no reason for another one.
      let hasUnwritten = try await library.hasUnwritten()
      state.withLock { ($0.hasWrites, $0.failures) = (hasUnwritten, 0) }
      return (pace.least, interval)
    } catch {
      let failures = state.withLock { state in
        state.failures += 1
        return state.failures
      }
      return (pace.retry(failures), .zero)
    }
  }
}
