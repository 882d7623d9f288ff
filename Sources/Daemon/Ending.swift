import Link
import Synchronization

/// Decides when a daemon exits: on request, when its only client has disconnected, or after being idle for too long.
final class Ending: Sendable {
  private struct State {
    var result: Bool?
    var waiting: [CheckedContinuation<Bool, Never>] = []
    var clients = 0
    var waitingForNobody: [CheckedContinuation<Void, Never>] = []
    var idle: (limit: Duration, loop: Loop)?
    var timer: Loop.Timer?
  }

  private let state = Mutex(State())

  func wait() async -> Bool {
    await withCheckedContinuation { continuation in
      let result = state.withLock { state -> Bool? in
        if state.result == nil { state.waiting.append(continuation) }
        return state.result
      }
      if let result { continuation.resume(returning: result) }
    }
  }

  /// The first call determines the result.
  func end(saidShutdown: Bool) {
    let waiting = state.withLock { state -> [CheckedContinuation<Bool, Never>] in
      guard state.result == nil else { return [] }
      state.result = saidShutdown
      state.timer?.cancel()
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: saidShutdown) }
  }

  func endWhenIdle(for limit: Duration, on loop: Loop) {
    state.withLock { state in
      state.idle = (limit, loop)
      startTimer(&state)
    }
  }

  func clientConnected() {
    state.withLock { state in
      state.clients += 1
      state.timer?.cancel()
      state.timer = nil
    }
  }

  func clientDisconnected() {
    let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.clients -= 1
      startTimer(&state)
      guard state.clients == 0 else { return [] }
      defer { state.waitingForNobody = [] }
      return state.waitingForNobody
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Returns when the last client has disconnected.
  func waitForNobody() async {
    await withCheckedContinuation { continuation in
      let isAlone = state.withLock { state in
        if state.clients > 0 { state.waitingForNobody.append(continuation) }
        return state.clients == 0
      }
      if isAlone { continuation.resume() }
    }
  }

  private func startTimer(_ state: inout State) {
    guard let idle = state.idle, state.clients == 0, state.timer == nil else { return }
    state.timer = idle.loop.schedule(after: idle.limit) { [weak self] in self?.end(saidShutdown: true) }
  }
}
