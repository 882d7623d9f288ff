import Synchronization

/// The shapes learnt so far. A generic type cannot keep its own, and a request must not pay for the probe.
enum Shapes {
  private static let known = Mutex<[ObjectIdentifier: Shape]>([:])

  /// A type that cannot be described stops the program, with the type's name: the first test or start finds it.
  static func shape<Value: Decodable>(of type: Value.Type) -> Shape {
    let id = ObjectIdentifier(type)
    if let shape = known.withLock({ $0[id] }) { return shape }
    do {
      // Outside the lock: a payload's statics may ask for shapes themselves.
      let shape = try Probe.shape(of: type)
      known.withLock { $0[id] = shape }
      return shape
    } catch {
      fatalError("\(typeName(type)) cannot be described: \(error.type) \(error.reason)")
    }
  }
}

extension Shape {
  /// What a type looks like on the wire.
  package static func of<Value: Decodable>(_ type: Value.Type) -> Shape { Shapes.shape(of: type) }
}
