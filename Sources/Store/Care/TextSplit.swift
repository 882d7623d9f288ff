import Contract
import SQLite
import SearchEngine

/// The disk-space check and log lines of `SearchTables.splitTexts`, which copies every text of a library within one
/// transaction: in a large library that takes time, and disk space.
struct TextSplit {
  private let path: String
  /// An upper bound of the bytes needed.
  private let needed: Int64
  private let free: Int64?

  /// The texts are written once, and so are the pages that they leave, which are zeroed; both go into the WAL. Then the
  /// library grows by the texts.
  private static let times: Int64 = 3

  /// Nil if there is nothing to split.
  ///
  /// - Throws: `StoreError.noRoomForSteps` if the disk certainly has too little space, `DatabaseError`.
  init?(_ db: Database, path: String, freeBytes: (String) -> Int64?, log: Log) throws {
    let table = SearchTables.current.entry
    guard try db.tableExists(table), try db.columns(of: table).contains("body") else {
      return nil
    }
    let pages = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    let size = try db.first(pages) { $0.integer(0) } ?? 0
    log(
      "the texts of the search index get a table of their own in the library \(path), which has \(size >> 20) MiB: "
        + "that takes a moment, once", as: .info)
    self.path = path
    (needed, free) = (Self.times * size, freeBytes(path))
    guard let free, free < needed else { return }
    // An exact answer needs all texts to be read, and their layout in pages remains unknown; so a disk with slightly
    // more space than this estimate is not refused.
    let sum = "sum(length(CAST(title AS BLOB)) + length(CAST(tags AS BLOB)) + length(CAST(body AS BLOB)))"
    let texts = try db.first("SELECT ifnull(\(sum), 0) FROM \(table)") { $0.integer(0) } ?? 0
    // The library grows by no page as long as it has free pages.
    let spare = try db.first("SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size") {
      $0.integer(0)
    }
    if free < Self.times * texts - min(texts, spare ?? 0) {
      throw StoreError.noRoomForSteps(path: path, needed: needed, free: free)
    }
  }

  /// Maps a disk-full error of the steps to `noRoomForSteps`; returns other errors unchanged.
  func failure(_ error: any Error) -> any Error {
    guard StoreError.isDiskFull(error) else { return error }
    return StoreError.noRoomForSteps(path: path, needed: needed, free: free ?? 0)
  }
}
