import NIOPosix

/// What one thread hands to loops, kept back to be handed over together.
///
/// To wake a loop is a system call, and one that runs anything between two hands-over is woken for each. Whoever answers
/// many clients at once wakes each of their loops once.
final class Gathering: @unchecked Sendable {
  // `@unchecked`: only the thread that it belongs to comes by it.
  private static let current = ThreadSpecificVariable<Gathering>()
  private var bodies: [(loop: Loop, bodies: [@Sendable () -> Void])] = []

  /// Those of `body` that this thread hands to loops run when it has ended, in their order.
  static func whileRunning(_ body: () -> Void) {
    guard current.currentValue == nil else { return body() }
    let gathering = Gathering()
    current.currentValue = gathering
    body()
    current.currentValue = nil
    for (loop, bodies) in gathering.bodies {
      loop.execute { for body in bodies { body() } }
    }
  }

  /// False when this thread keeps nothing back.
  static func take(_ body: @escaping @Sendable () -> Void, for loop: Loop) -> Bool {
    guard let gathering = current.currentValue else { return false }
    // As many as a machine has cores.
    if let place = gathering.bodies.firstIndex(where: { $0.loop == loop }) {
      gathering.bodies[place].bodies.append(body)
    } else {
      gathering.bodies.append((loop, [body]))
    }
    return true
  }
}
