import Glibc

/// A truncated database, as an interrupted copy or a damaged disk leaves it.
///
/// SQLite does not compare the lengths if there is a WAL, and takes missing pages for empty ones: each request would
/// detect the damage by itself, or not at all.
///
///     first page   16 page size, 24 change counter, 28 pages in the file, 92 the change counter when 28 was written
///     log          8 page size, 16 salt; from 32 on frames of 24 bytes and a page
///     frame        0 page number, 4 pages in the file after a commit, else zero, 8 salt
///
/// Source: https://www.sqlite.org/fileformat2.html, 1.3 and 4.1
extension LibraryFolder {
  /// Refuses a database that is shorter than its first page states. For an intact database, little more than that page
  /// is read.
  ///
  /// A checkpoint writes the first page before the last one. If it was killed between them, the WAL still has all
  /// missing pages, since it is reset only after a complete checkpoint; the same holds for a journal.
  ///
  /// - Throws: `StoreError.broken` with the reason `databaseCut`.
  func refuseCutDatabase() throws(StoreError) {
    let file = open(database, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    // In this order: frames that another process checkpoints meanwhile are in the file when its length is read.
    guard let head = Head(file), let length = file.length, length < head.length else { return }
    guard !hasJournal else { return }
    let log = readLog()
    guard let length = file.length, length < head.length else { return }
    let first = Int(length) / head.pageSize + 1
    let last = min(head.pages, log.size ?? head.pages)
    // The page of SQLite's locks is never written.
    guard first <= last, (first...last).contains(where: { $0 != head.lockPage && !log.pages.contains($0) }) else {
      return
    }
    throw .broken(path: path, reason: "databaseCut")
  }

  /// The file's size as its first page states it.
  private struct Head {
    var pageSize: Int
    var pages: Int

    var length: Int64 { Int64(pageSize) * Int64(pages) }
    var lockPage: Int { (1 << 30) / pageSize + 1 }

    /// Nil if the page has no valid header, or its page count is out of date.
    init?(_ file: Int32) {
      let bytes = file.read(100, at: 0)
      guard bytes.count == 100, bytes.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
      let size = Int(bytes[16]) << 8 | Int(bytes[17])
      pageSize = size == 1 ? 65_536 : size
      pages = bytes.number(at: 28)
      guard pageSize >= 512, pageSize.nonzeroBitCount == 1, bytes.number(at: 24) == bytes.number(at: 92) else {
        return nil
      }
    }
  }

  private var hasJournal: Bool {
    var information = stat()
    return stat(database + "-journal", &information) == 0 && information.st_size > 0
  }

  /// The pages of all commits in the WAL, and the database's size in pages after the last of them. SQLite itself checks
  /// the bytes of the pages when it opens the database.
  private func readLog() -> (pages: Set<Int>, size: Int?) {
    let file = open(database + "-wal", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return ([], nil) }
    defer { close(file) }
    let head = file.read(32, at: 0)
    guard head.count == 32, let length = file.length else { return ([], nil) }
    let (pageSize, salt) = (Int64(head.number(at: 8)), head[16..<24])
    guard pageSize >= 512 else { return ([], nil) }
    var pages: Set<Int> = []
    var size: Int?
    var uncommitted: [Int] = []
    var place: Int64 = 32
    while place + 24 + pageSize <= length {
      let frame = file.read(24, at: place)
      // The rest was left by an earlier cycle of the WAL.
      guard frame.count == 24, frame[8..<16].elementsEqual(salt) else { break }
      uncommitted.append(frame.number(at: 0))
      if frame.number(at: 4) != 0 {
        size = frame.number(at: 4)
        pages.formUnion(uncommitted)
        uncommitted = []
      }
      place += 24 + pageSize
    }
    return (pages, size)
  }
}

extension Int32 {
  /// The length of the open file; nil if the system does not report it.
  fileprivate var length: Int64? {
    var information = stat()
    return fstat(self, &information) == 0 ? Int64(information.st_size) : nil
  }

  /// Reads up to `count` bytes, fewer at the end of the file.
  fileprivate func read(_ count: Int, at place: Int64) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, read in
      read = Swift.max(0, pread(self, buffer.baseAddress, count, off_t(place)))
    }
  }
}

extension [UInt8] {
  /// Four bytes, big-endian.
  fileprivate func number(at place: Int) -> Int {
    self[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}
