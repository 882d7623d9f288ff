import Contract
import Kit
import SQLite
import Store
import Wire

/// How far KOReader has read a document, as its device sent it last.
///
/// Part of no collection: places are KOReader's own. What a person sees of them is the progress of a book.
struct ReaderPosition: Sendable {
  /// The MD5 sum of parts of the document's file, or of its name.
  var document: String
  /// A page, or a place in the XML of an EPUB.
  var place: String
  /// 0 to 1.
  var share: Double
  var device: String
  var deviceID: String

  /// The most documents whose positions are stored; older ones are dropped.
  static let most = 10_000
  private static let longestPlace = 4_096
  private static let longestName = 255

  /// - Returns: nil for a body of another form.
  init?(_ body: String) {
    guard let json = try? JSONParser.parse(body), let document = json["document"]?.givenText,
      Self.isDocument(document), let place = json["progress"]?.givenText, place.utf8.count <= Self.longestPlace,
      let share = json["percentage"]?.givenNumber, (0...1).contains(share)
    else { return nil }
    func name(_ member: String) -> String? {
      let text = json[member]?.givenText ?? ""
      return text.utf8.count <= Self.longestName ? text : nil
    }
    guard let device = name("device"), let deviceID = name("device_id") else { return nil }
    (self.document, self.place, self.share) = (document, place, share)
    (self.device, self.deviceID) = (device, deviceID)
  }

  static func isDocument(_ text: String) -> Bool { (1...longestName).contains(text.utf8.count) }

  /// The stored position of a document as KOReader reads it; an empty object if there is none.
  static func json(of document: String, in db: Database) throws -> JSONValue {
    let row = try db.first(
      "SELECT place, share, device, deviceID, at FROM readerPosition WHERE document = ?", [.text(document)]
    ) { row -> JSONValue in
      [
        "document": .string(document), "progress": .string(row.text(0)), "percentage": .number(row.real(1)),
        "device": .string(row.text(2)), "device_id": .string(row.text(3)),
        "timestamp": .integer(row.integer(4) / 1_000),
      ]
    }
    return row ?? [:]
  }

  /// Stores the position, which becomes the progress of the book.
  func store(in transaction: Transaction) throws {
    transaction.keepSilent()
    try transaction.db.run(
      "INSERT OR REPLACE INTO readerPosition VALUES (?, ?, ?, ?, ?, ?)",
      [
        .text(document), .text(place), .real(share), .text(device), .text(deviceID),
        .integer(transaction.now.milliseconds),
      ])
    try transaction.db.run(
      """
      DELETE FROM readerPosition
      WHERE document IN (SELECT document FROM readerPosition ORDER BY at DESC, document DESC LIMIT -1 OFFSET ?)
      """, [.integer(Int64(Self.most))])
    try setProgress(in: transaction)
  }

  /// The book is the one that the metadata of KOReader was imported into. A book that was read or given up stays so:
  /// KOReader opens it also to look something up.
  private func setProgress(in transaction: Transaction) throws {
    let snapshot = transaction.snapshot
    let origin = KOReaderFormat.origin(ofSum: document)
    let id = try snapshot.db.first(
      "SELECT book FROM bookName WHERE kind = 'origin' AND name = ? LIMIT 1", [.text(origin)]
    ) { $0.text(0) }
    guard share > 0, let id, let record = try snapshot.find(BookRecord.self, id: id),
      [.want, .reading].contains(record.content.status)
    else { return }
    let percent = Self.percent(of: share)
    let turns = record.content.status == .want
    guard turns || record.content.percent != percent else { return }
    // KOReader sends it with every few pages. Only that a book is begun is a step of its own.
    transaction.isUndoable = turns
    try transaction.change(record) { record in
      record.content.turn(to: .reading, on: snapshot.services.today(for: snapshot.reader))
      // A page of KOReader is one of its screen.
      (record.content.page, record.content.percent) = (nil, percent)
    }
  }

  private static func percent(of share: Double) -> Double { (share * 1_000).rounded() / 10 }

  /// What KOReader has stated about a book: the row of its metadata, with the position that it sent since if the shelf
  /// shows that one. The next import of the metadata is no conflict with it: both are KOReader's.
  static func row(_ row: ImportedBook, on shelf: ShelfContent, in db: Database) throws -> ImportedBook {
    guard shelf.status == .reading, shelf.page == nil, let document = KOReaderFormat.sum(ofOrigin: row.origin),
      let share = try db.first(
        "SELECT share FROM readerPosition WHERE document = ?", [.text(document)], { $0.real(0) }),
      shelf.percent == percent(of: share)
    else { return row }
    var row = row
    (row.content.status, row.content.page, row.content.percent) = (.reading, nil, shelf.percent)
    return row
  }
}
