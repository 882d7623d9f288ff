import Contract
import SQLite
import SearchEngine

/// What is told and asked before `SearchTables.splitTexts`, which copies every text of a library within one transaction: in a
/// large one that takes a while, and room on the disk.
struct TextSplit {
  private let path: String
  /// Bytes that are surely enough.
  private let needed: Int64
  private let free: Int64?

  /// The texts are written once, and so are the pages in which they were, which are zeroed; both lie in the write-ahead
  /// log. Then the library grows by the former.
  private static let times: Int64 = 3

  /// Nil where nothing is to be split.
  ///
  /// - Throws: `noRoomForSteps` where the disk is certainly too full.
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
    // To know more all texts must be read. How they lie in their pages remains unknown, so whoever has a little more room
    // than this is not refused.
    let sum = "sum(length(CAST(title AS BLOB)) + length(CAST(tags AS BLOB)) + length(CAST(body AS BLOB)))"
    let texts = try db.first("SELECT ifnull(\(sum), 0) FROM \(table)") { $0.integer(0) } ?? 0
    // The library grows by no page as long as it has pages that are free.
    let spare = try db.first("SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size") {
      $0.integer(0)
    }
    if free < Self.times * texts - min(texts, spare ?? 0) {
      throw StoreError.noRoomForSteps(path: path, needed: needed, free: free)
    }
  }

  /// What is said where the steps met this.
  func failure(_ error: any Error) -> any Error {
    guard StoreError.isDiskFull(error) else { return error }
    return StoreError.noRoomForSteps(path: path, needed: needed, free: free ?? 0)
  }
}
