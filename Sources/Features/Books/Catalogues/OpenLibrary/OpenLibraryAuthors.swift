import Synchronization

/// The names of authors by their keys; they change once in years.
final class OpenLibraryAuthors: Sendable {
  private static let most = 1_000
  private let names = Mutex<[String: String]>([:])

  subscript(key: String) -> String? {
    get { names.withLock { $0[key] } }
    set {
      names.withLock { names in
        if names.count >= Self.most { names.removeAll() }
        names[key] = newValue
      }
    }
  }
}
