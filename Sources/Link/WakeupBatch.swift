import NIOPosix

/// Collects the closures that one thread schedules on loops, to submit them together.
///
/// Waking a loop is a system call, and a loop that runs a closure between two submissions is woken for each. A thread
/// that replies to many clients at once wakes each of their loops once.
final class WakeupBatch: @unchecked Sendable {
  // `@unchecked`: only accessible on its own thread.
  private static let current = ThreadSpecificVariable<WakeupBatch>()
  private var bodies: [(loop: Loop, bodies: [@Sendable () -> Void])] = []

  /// Closures that this thread schedules in `body` run after it returns, in order.
  static func whileRunning(_ body: () -> Void) {
    guard current.currentValue == nil else { return body() }
    let batch = WakeupBatch()
    current.currentValue = batch
    body()
    current.currentValue = nil
    for (loop, bodies) in batch.bodies {
      loop.execute { for body in bodies { body() } }
    }
  }

  /// Returns false if this thread does not collect closures.
  static func take(_ body: @escaping @Sendable () -> Void, for loop: Loop) -> Bool {
    guard let batch = current.currentValue else { return false }
    // A linear search: there are as many loops as cores.
    if let place = batch.bodies.firstIndex(where: { $0.loop == loop }) {
      batch.bodies[place].bodies.append(body)
    } else {
      batch.bodies.append((loop, [body]))
    }
    return true
  }
}
