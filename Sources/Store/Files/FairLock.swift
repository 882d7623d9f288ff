import Threads

/// A fair lock (first come, first served). A thread that locks it again and again, as a rebuild does for each of its
/// slices, lets waiting threads in between.
final class FairLock: @unchecked Sendable {
  // `@unchecked`: the fields below are only touched while `condition` is held.
  private let condition = Condition()
  private var next = 0
  private var current = 0

  /// Runs `body` when all earlier calls have ended. Must not be called within itself.
  func take<Result>(_ body: () throws -> Result) rethrows -> Result {
    condition.lock()
    let turn = next
    next += 1
    while turn != current { condition.wait() }
    condition.unlock()
    defer { end() }
    return try body()
  }

  private func end() {
    condition.lock()
    current += 1
    let isWanted = current != next
    condition.unlock()
    // All waiting threads are woken, since any of them may be the next.
    if isWanted { condition.broadcast() }
  }
}
