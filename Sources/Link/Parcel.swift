import Synchronization

/// Something large on its way to another thread, from which it is taken once.
///
/// A thread may keep the last thing that it was told to do until it is told the next; what that carries would stay in
/// memory as long.
final class Parcel<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value) {
    self.value = Mutex(value)
  }

  func take() -> Value {
    value.withLock { $0.take() }!
  }
}
