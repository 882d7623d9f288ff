import Kit
import Store
import Synchronization

/// Where the rows of a file's pages lie in the library: one behind the other, as they were written.
///
/// Pages are found by their file's hash, 64 letters, in an index over all pages, which of a million fills twenty thousand
/// pages of the disk. To find a row by its number costs half as much. Whoever looks there also asks whether it is the
/// right one, so a number that is not right any more costs a second look, and nothing else.
final class PagePlaces: Sendable {
  /// The row of the first page of each file.
  private let first = Mutex<[String: Int64]>([:])

  /// Of more files than these all are forgotten: two megabytes.
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
