import Synchronization

/// A value that is created when it is first read.
package final class Deferred<Value: Sendable>: Sendable {
  private let make: @Sendable () -> Value
  private let created = Mutex<Value?>(nil)

  package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  package var value: Value {
    created.withLock { created in
      if let created { return created }
      let value = make()
      created = value
      return value
    }
  }
}
