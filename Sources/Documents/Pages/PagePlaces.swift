import Kit
import Store
import Synchronization

/// The row numbers of a file's pages in the library: consecutive, in the order in which they were written.
///
/// Pages are found by their file's hash, 64 characters, in an index over all pages, which takes twenty thousand
/// database pages for a million entries. Finding a row by its number costs half as much. Every lookup by number
/// verifies the row, so an outdated number only costs a second lookup.
final class PagePlaces: Sendable {
  /// The row of the first page of each file.
  private let first = Mutex<[String: Int64]>([:])

  /// Beyond this number of files the cache is emptied: two megabytes.
  private static let most = 10_000

  func row(of page: Int, of hash: String) -> Int64? {
    first.withLock { $0[hash] }.map { $0 + Int64(page) }
  }

  func note(_ row: Int64, of page: Int, of hash: String) {
    first.withLock { first in
      if first.count >= Self.most, first[hash] == nil { first = [:] }
      first[hash] = row - Int64(page)
    }
  }
}

extension Services {
  var pagePlaces: PagePlaces { memory.object(PagePlaces.self) { PagePlaces() } }
}
