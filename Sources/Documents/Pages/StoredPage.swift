import PDF
import SQLite
import Store
import Wire

/// The stored data of one page of a file, by the file's hash.
struct StoredPage {
  var page: Int
  /// In points, as displayed.
  var width: Double
  var height: Double
  var rotation: Int
  /// As the file numbers it, such as "iv".
  var label: String?
  var isBroken: Bool

  /// The width and height as replies have them, in points with two decimals: the difference of two edges of a page box
  /// has binary noise (595.58 - 0.3 is 595.2800000000001).
  var shownSize: (width: Double, height: Double) { (width.rounded(toPlaces: 2), height.rounded(toPlaces: 2)) }

  /// The width or height of a page, in points; 0 for a broken one.
  static let sides = 0...PictureRequest.farthest

  static func find(_ page: Int, of hash: String, in db: Database) throws -> StoredPage? {
    guard page < DocumentRecord.mostPages else { return nil }
    return try all(page..<page + 1, of: hash, in: db).first
  }

  private static let select = CachedStatement(
    """
    SELECT page, width, height, rotation, label, isBroken FROM pdfPage
    WHERE hash = ? AND page >= ? AND page < ? ORDER BY page
    """)

  /// The stored pages of a range, in order.
  ///
  /// - Throws: `StoreError.broken` for an invalid row: another program may have written the library.
  static func all(_ pages: Range<Int>, of hash: String, in db: Database) throws -> [StoredPage] {
    var all: [StoredPage] = []
    try db.each(
      select,
      {
        $0.add(hash)
        $0.add(pages.lowerBound)
        $0.add(pages.upperBound)
      },
      { row in
        let stored = StoredPage(
          page: row.int(0), width: row.real(1), height: row.real(2), rotation: row.int(3), label: row.optionalText(4),
          isBroken: row.bool(5))
        guard sides.contains(stored.width), sides.contains(stored.height), [0, 90, 180, 270].contains(stored.rotation)
        else {
          throw StoreError.broken(path: "", reason: "pdfPage")
        }
        all.append(stored)
      })
    return all
  }

  /// The page.
  ///
  /// - Throws: `pageOutOfRange`; `elsewhere` if only another device has the document's file, `noFile` if it has none.
  static func get(_ page: Int, of document: DocumentRecord, in snapshot: Snapshot) throws -> StoredPage {
    try document.requireAnyFile()
    guard page >= 0, page < document.pageCount else {
      throw RPCError.pageOutOfRange(page, count: document.pageCount)
    }
    guard let stored = try find(page, of: document.hash, in: snapshot.db) else {
      try document.requireFile(in: snapshot)
      throw RPCError.pageOutOfRange(page, count: document.pageCount)
    }
    return stored
  }
}

/// The text of pages in the library: UTF-8, and four Int16 per character in little endian.
enum PageTextCoding {
  static func find(_ page: Int, of hash: String, in db: Database) throws -> PageText? {
    try read(page, of: hash, in: db) { stored, _ in
      PageText(
        page: page, text: String(decoding: stored.text, as: UTF8.self), placement: stored.placement,
        boxes: boxes(in: stored.boxes), unit: stored.unit)
    }
  }

  // A page whose text was unavailable is extracted again: an empty text would be a disguised error.
  private static let columns = "text, placement, unit, boxes, rowid FROM pdfPage"
  private static let isThere = "text IS NOT NULL AND placement <> 0"
  private static let select = CachedStatement("SELECT \(columns) WHERE hash = ? AND page = ? AND \(isThere)")
  private static let selectAt = CachedStatement(
    "SELECT \(columns) WHERE +hash = ? AND +page = ? AND \(isThere) AND rowid = ?")

  /// - Parameter body: reads the page in place; the bytes are valid until it returns.
  static func read<Value>(
    _ page: Int, of hash: String, in snapshot: Snapshot, _ body: (PageBytes) throws -> Value
  ) throws -> Value? {
    let places = snapshot.services.pagePlaces
    if let row = places.row(of: page, of: hash) {
      let fill = { (places: inout Binding) in
        places.add(hash)
        places.add(page)
        places.add(row)
      }
      if let value = try read(selectAt, fill, in: snapshot.db, { stored, _ in try body(stored) }) { return value }
    }
    return try read(page, of: hash, in: snapshot.db) { stored, row in
      places.note(row, of: page, of: hash)
      return try body(stored)
    }
  }

  private static func read<Value>(
    _ page: Int, of hash: String, in db: Database, _ body: (PageBytes, _ row: Int64) throws -> Value
  ) throws -> Value? {
    let fill = { (places: inout Binding) in
      places.add(hash)
      places.add(page)
    }
    return try read(select, fill, in: db, body)
  }

  private static func read<Value>(
    _ statement: CachedStatement, _ fill: (inout Binding) throws -> Void, in db: Database,
    _ body: (PageBytes, _ row: Int64) throws -> Value
  ) throws -> Value? {
    try db.first(statement, fill) { row in
      let page = PageBytes(
        text: row.bytes(0), placement: UInt8(exactly: row.int(1)).flatMap(PageText.Placement.init) ?? .unknown,
        boxes: row.bytes(3), unit: row.real(2))
      // Another program may have written the library, and a place is multiplied by its unit.
      guard PageText.units.contains(page.unit) else { throw StoreError.broken(path: "", reason: "unit") }
      return try body(page, row.integer(4))
    }
  }

  /// Copied as bytes: an Int16 must not be read from SQLite's blob, which may begin at an odd address.
  static func boxes(in bytes: UnsafeBufferPointer<UInt8>) -> [CharacterBox] {
    let size = MemoryLayout<CharacterBox>.stride
    let count = bytes.count / size
    return Array(unsafeUninitializedCapacity: count) { boxes, initialized in
      UnsafeMutableRawBufferPointer(boxes).copyBytes(from: bytes.prefix(count * size))
      initialized = count
    }
  }

  /// The text alone, without the places of its characters, which are eight times as large.
  static func string(_ page: Int, of hash: String, in db: Database) throws -> String? {
    try db.first(
      "SELECT text FROM pdfPage WHERE hash = ? AND page = ? AND text IS NOT NULL AND placement <> 0",
      [.text(hash), .integer(page)]
    ) { $0.text(0) }
  }

  private static let update = CachedStatement(
    "UPDATE pdfPage SET text = ?, length = ?, placement = ?, unit = ?, boxes = ? WHERE hash = ? AND page = ?")

  static func write(_ text: PageText, of hash: String, in db: Database) throws {
    try db.run(update) { row in
      row.add(text.text)
      row.add(text.text.unicodeScalars.count)
      row.add(Int64(text.placement.rawValue))
      row.add(text.unit)
      text.boxes.withUnsafeBytes { row.add($0) }
      row.add(hash)
      row.add(text.page)
    }
    try PagePrints.write(text, of: hash, in: db)
  }

  /// The number of characters before a page, or nil if the text of a preceding page is missing.
  static func offset(of page: Int, in hash: String, db: Database) throws -> Int? {
    try db.first(
      "SELECT count(length), coalesce(sum(length), 0) FROM pdfPage WHERE hash = ? AND page < ?",
      [.text(hash), .integer(page)]
    ) { row in row.int(0) == page ? row.int(1) : nil } ?? nil
  }

  /// From the first page without text to the last; nil if there is none. Pages that no file has are left out: another
  /// program may have written the library.
  static func missing(in hash: String, db: Database) throws -> Range<Int>? {
    try db.first(
      """
      SELECT min(page), max(page) FROM pdfPage
      WHERE hash = ? AND text IS NULL AND page BETWEEN 0 AND \(HostileInput.mostPages)
      """, [.text(hash)]
    ) { row in row.isNull(0) ? nil : row.int(0)..<row.int(1) + 1 } ?? nil
  }

  /// The first pages of a range that have no text, at most `limit`.
  static func missing(in hash: String, _ range: Range<Int>, limit: Int, db: Database) throws -> [Int] {
    try db.integers(
      "SELECT page FROM pdfPage WHERE hash = ? AND page >= ? AND page < ? AND text IS NULL ORDER BY page LIMIT ?",
      [.text(hash), .integer(range.lowerBound), .integer(range.upperBound), .integer(limit)]
    ).map { Int($0) }
  }
}

extension Snapshot {
  /// The text of a page from the library or memory; nil if it must be extracted first.
  func text(of page: Int, in document: DocumentRecord) throws -> PageText? {
    document.keepsText
      ? try PageTextCoding.find(page, of: document.hash, in: db)
      : services.documents.page(page, of: document.hash)
  }

  /// The same, for callers that cannot wait for a worker.
  ///
  /// - Throws: an error that states what the client has to do first.
  func requireText(of page: Int, in document: DocumentRecord) throws -> PageText {
    if let text = try text(of: page, in: document) { return text }
    if document.isProtected, services.documents.password(of: document.hash) == nil {
      throw RPCError(.passwordRequired, text: Text("documents.passwordRequired", ["source": document.title]))
    }
    throw RPCError(.busy, text: Text("documents.notIndexed", ["page": String(page + 1)]))
  }
}
