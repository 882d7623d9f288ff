import Synchronization

/// One object of each type that asks for one, made at its first use and kept until the daemon ends: caches, queues,
/// secrets. A type names only its own, so no feature sees another's.
package final class Memory: Sendable {
  private let objects = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  package init() {}

  package func object<Object: AnyObject & Sendable>(_ type: Object.Type, make: () -> Object) -> Object {
    objects.withLock { objects in
      if let known = objects[ObjectIdentifier(type)] as? Object { return known }
      let made = make()
      objects[ObjectIdentifier(type)] = made
      return made
    }
  }

  /// The object, if there was a use for one.
  package func known<Object: AnyObject & Sendable>(_ type: Object.Type) -> Object? {
    objects.withLock { $0[ObjectIdentifier(type)] as? Object }
  }
}
