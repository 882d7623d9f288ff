import Synchronization

/// A collection as a number, the same in all libraries of the process: hundreds of hits are copied, compared and
/// counted by it.
package struct CollectionNumber: Hashable, Sendable {
  let value: UInt32

  private static let known = Mutex<[String]>([])

  package init(_ name: String) {
    var name = name
    self = name.withUTF8 { Self($0) }
  }

  init(_ name: UnsafeBufferPointer<UInt8>) {
    value = Self.known.withLock { names in
      if let number = names.firstIndex(where: { $0.utf8.elementsEqual(name) }) { return UInt32(number) }
      names.append(String(decoding: name, as: UTF8.self))
      return UInt32(names.count - 1)
    }
  }

  /// The number as `cp_figures` stores it.
  init(figure: UInt8) {
    value = UInt32(figure)
  }

  package var name: String {
    Self.known.withLock { $0[Int(value)] }
  }
}
