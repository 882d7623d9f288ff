import Synchronization

/// Objects by type, each created on first use and retained until the daemon exits: caches, queues, secrets. A type can
/// only be used where it is visible, so features cannot access each other's objects.
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

  /// The object, if it was created.
  package func known<Object: AnyObject & Sendable>(_ type: Object.Type) -> Object? {
    objects.withLock { $0[ObjectIdentifier(type)] as? Object }
  }
}
