import Synchronization

/// Runs rounds of background work for as long as the daemon runs, each as long after the previous one as that returned.
///
///     wait ──► a round ──► how long until something is due? ──► wait
///       ▲                                                       │
///       └──────────── woken: something was added or changed ────┘
package final class DueLoop: Sendable {
  /// How it waits; tests supply gates.
  package struct Pace: Sendable {
    /// Returns after so long, or when its task is cancelled.
    package var pause: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    /// The delay of the first round after the daemon's start: the starting client has other requests first.
    package var start: Duration = .seconds(10)
    /// The longest wait: the clock may have been set, the machine may have slept.
    package var longest: Duration = .seconds(300)

    package init() {}
  }

  private struct State {
    var isEnded = false
    var isWoken = false
    var loop: Task<Void, Never>?
    var pause: Task<Void, Never>?
  }

  private let pace: Pace
  private let state = Mutex(State())

  package init(_ pace: Pace = Pace()) {
    self.pace = pace
  }

  /// Begins rounds of an object. Neither it nor the services are retained between them: the daemon may shut down.
  ///
  /// - Parameter round: returns the time until the next round.
  package func begin<Owner: AnyObject & Sendable>(
    of owner: Owner, with services: Services, _ round: @escaping @Sendable (Owner, Services) async -> Duration
  ) {
    begin { [weak owner, weak services] in
      guard let owner, let services else { return nil }
      return await round(owner, services)
    }
  }

  /// Does nothing if the loop has begun or ended.
  ///
  /// - Parameter round: returns the time until the next round; nil ends the loop. It must not retain the daemon's
  ///   services between rounds, since the daemon may shut down.
  package func begin(_ round: @escaping @Sendable () async -> Duration?) {
    state.withLock { state in
      guard state.loop == nil, !state.isEnded else { return }
      state.loop = Task { [self, pace] in
        await wait(pace.start)
        while !isEnded {
          guard let next = await round() else { return }
          await wait(next)
        }
      }
    }
  }

  package func end() {
    state.withLock { state in
      state.isEnded = true
      state.pause?.cancel()
      state.loop?.cancel()
    }
  }

  /// Something may be due sooner than was thought.
  package func wake() {
    state.withLock { state in
      state.isWoken = true
      state.pause?.cancel()
    }
  }

  package var isEnded: Bool { state.withLock(\.isEnded) }

  private func wait(_ duration: Duration) async {
    let pause = state.withLock { state -> Task<Void, Never>? in
      guard !state.isWoken, !state.isEnded else {
        state.isWoken = false
        return nil
      }
      let pause = Task { [pace] in await pace.pause(min(duration, pace.longest)) }
      state.pause = pause
      return pause
    }
    await pause?.value
    state.withLock { state in
      state.pause = nil
      state.isWoken = false
    }
  }
}
