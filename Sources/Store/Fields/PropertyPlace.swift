/// Reads and writes a stored property in place, by its offset: through its key path each access takes ten times as
/// long, and every row has a dozen.
package struct PropertyPlace<Root: Sendable, Value: Sendable>: Sendable {
  let path: any WritableKeyPath<Root, Value> & Sendable
  /// In bytes; nil for a computed property.
  let offset: Int?

  package init(_ path: any WritableKeyPath<Root, Value> & Sendable) {
    self.path = path
    offset = MemoryLayout<Root>.offset(of: path)
  }

  @inline(__always)
  package func value(in root: Root) -> Value {
    guard let offset else { return root[keyPath: path] }
    return withUnsafePointer(to: root) {
      UnsafeRawPointer($0).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee
    }
  }

  @inline(__always)
  package func set(_ value: Value, in root: inout Root) {
    guard let offset else {
      root[keyPath: path] = value
      return
    }
    withUnsafeMutablePointer(to: &root) {
      UnsafeMutableRawPointer($0).advanced(by: offset).assumingMemoryBound(to: Value.self).pointee = value
    }
  }
}
