import Synchronization

/// The numbers by which `cp_figures` names collections, in all libraries of the process.
enum CollectionNumbers {
  private static let known = Mutex<[String]>([])

  /// Nil where there is no number left.
  static func number(of name: UnsafeBufferPointer<UInt8>) -> UInt8? {
    known.withLock { names in
      if let number = names.firstIndex(where: { $0.utf8.elementsEqual(name) }) { return UInt8(number) }
      if names.count > UInt8.max { return nil }
      names.append(String(decoding: name, as: UTF8.self))
      return UInt8(names.count - 1)
    }
  }

  /// The names by their numbers.
  static var names: [String] { known.withLock(\.self) }
}
