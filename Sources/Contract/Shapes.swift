import Synchronization

/// The computed shapes. A generic type cannot store its own, and a request must not run the probe.
enum Shapes {
  private static let known = Mutex<[ObjectIdentifier: Shape]>([:])

  /// The shape of a type. A type that cannot be described ends the program with its name: a programming error, detected
  /// by the first test or start.
  static func shape<Value: Decodable>(of type: Value.Type) -> Shape {
    let id = ObjectIdentifier(type)
    if let shape = known.withLock({ $0[id] }) { return shape }
    do {
      // Outside the lock: a payload's static members may request shapes themselves.
      let shape = try Probe.shape(of: type)
      known.withLock { $0[id] = shape }
      return shape
    } catch {
      fatalError("\(typeName(type)) cannot be described: \(error.type) \(error.reason)")
    }
  }
}

extension Shape {
  /// The shape of a type.
  package static func of<Value: Decodable>(_ type: Value.Type) -> Shape { Shapes.shape(of: type) }
}
