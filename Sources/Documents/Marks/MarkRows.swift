import Contract
import Exchange
import Store
import Wire

/// The common properties of the three types of marks: they are on a page of a document.
protocol Mark: StoredItem {
  var document: String { get set }
  var page: Int { get set }
  var anchor: StoredJSON<Anchor> { get set }
  /// Nil, or `orphan`; see `isOrphan`.
  var state: String? { get set }
  /// Where it begins on its page, in Unicode scalars.
  var offset: Int { get }
}

extension Mark {
  /// The common fields of all types.
  ///
  /// - Parameter others: the other fields that describe its place, by name.
  @FieldsBuilder<Self> static func markFields(placedWith others: [String] = []) -> [Field<Self>] {
    Field("document", \.document, .form(.id), "The document that it belongs to.")
      .shared(.reference(DocumentRecord.collectionName))
    Field("page", \.page, .integer(0...DocumentRecord.mostPages), "The page, from 0.")
      .shared(.latest, with: ["anchor", "state"] + others)
    Field("anchor", \.anchor)
    Field("state", \.state)
  }
}

extension BookmarkRecord: Mark {
  var offset: Int { 0 }
}

extension HighlightRecord: Mark {
  var offset: Int { lines.first?.offset ?? shape?.offset ?? 0 }
}

extension HighlightRecord {
  /// It marks no lines of text: it has a shape, or was imported from a file that has no text there, such as a scan.
  var isDrawing: Bool { lines.allSatisfy { $0.length == 0 } }

  /// The marked text as far as it is stored in the library; that of protected documents is not. For a mark that is not
  /// of text, the text in it or beside it.
  var keptWords: String? { Self.keptWords(of: lines, shape, anchor) }

  static func text(in values: JSONValue) -> String? {
    func stored<Value: Codable & Sendable>(_ name: String, as type: Value.Type) -> StoredJSON<Value>? {
      values[name]?.stringValue.map { StoredJSON(stored: $0) }
    }
    let lines = try? stored("lines", as: [Line].self)?.value()
    let shape = try? stored("shape", as: PageShape.self)?.value()
    return keptWords(of: lines ?? [], shape, stored("anchor", as: Anchor.self))
  }

  private static func keptWords(of lines: [Line], _ shape: PageShape?, _ anchor: StoredJSON<Anchor>?) -> String? {
    if shape?.text != nil, let quote = try? anchor?.value().quote, !quote.isEmpty { return quote }
    return lines.allSatisfy(\.text.isEmpty) ? nil : lines.map(\.text).joined(separator: "\n")
  }

  /// It marks text that was not stored.
  var lacksWords: Bool { !isDrawing && keptWords == nil }

  /// The stored form of the marked lines; without their text if it may not be on disk.
  static func lines(_ pieces: [PageLayout.Piece], keepingText: Bool) -> [Line] {
    pieces.map { piece in
      Line(
        text: keepingText ? piece.text : "", quad: piece.box?.quad ?? [], offset: piece.range.lowerBound,
        length: piece.range.count)
    }
  }
}

extension MemoRecord: Mark {
  var offset: Int { 0 }
}

extension Mark {
  /// Whether its text is not in the document's present bytes: its page, and the places of its lines, refer to earlier
  /// bytes.
  var isOrphan: Bool {
    get { state == MarkState.orphan.rawValue }
    set { state = newValue ? MarkState.orphan.rawValue : nil }
  }

  /// The id of a new mark of a page that has at most one of its type: computed, so that devices that mark the same page
  /// have one mark, unless the id was used before.
  static func newID(on page: Int, of document: String, in transaction: Transaction) throws -> String {
    let id = DerivedID.text(of: "\(collectionName)/\(document)/\(page)")
    let isUsed =
      try transaction.db.first(
        """
        SELECT 1 WHERE EXISTS (SELECT 1 FROM changes WHERE collection = ?1 AND id = ?2)
          OR EXISTS (SELECT 1 FROM \(tableName) WHERE id = ?2)
        """, [.text(collectionName), .text(id)]
      ) { _ in true } ?? false
    return isUsed ? transaction.services.newID() : id
  }

  /// In the order of the pages; on one page in the order of creation. Orphans are on no page.
  static func all(of document: String, page: Int? = nil, in snapshot: Snapshot) throws -> [Self] {
    guard let page else {
      return try all(in: snapshot.db, "WHERE document = ? ORDER BY page, createdAt, id", [.text(document)])
    }
    return try all(
      in: snapshot.db, "WHERE document = ? AND page = ? AND state IS NULL ORDER BY createdAt, id",
      [.text(document), .integer(page)])
  }
}
