import Synchronization

/// A large value that is passed to another thread and moved out of the box there.
///
/// A thread may retain its last closure until it gets the next; a captured value would stay in memory as long.
final class OneShotBox<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value) {
    self.value = Mutex(value)
  }

  func take() -> Value {
    value.withLock { $0.take() }!
  }
}
