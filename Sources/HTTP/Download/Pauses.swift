import Synchronization

/// The pauses of downloads between a loss and the next request; all of them end when the client shuts down.
final class Pauses: Sendable {
  private struct State {
    var running: [Int: Task<Void, Never>] = [:]
    var count = 0
    var isOver = false
  }

  private let state = Mutex(State())

  /// Waits for `pause`; returns early when the calling task is cancelled or `end` is called.
  func run(_ pause: @escaping @Sendable () async -> Void) async {
    let task = Task { await pause() }
    let number = state.withLock { state in
      state.count += 1
      state.running[state.count] = task
      if state.isOver { task.cancel() }
      return state.count
    }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    state.withLock { _ = $0.running.removeValue(forKey: number) }
  }

  /// Ends all pauses; later ones return immediately.
  func end() {
    state.withLock { state in
      state.isOver = true
      for task in state.running.values { task.cancel() }
    }
  }
}
