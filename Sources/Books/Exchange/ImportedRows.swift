import Contract
import Store
import Wire

extension BookRecord {
  /// The number of rows from other files that are stored besides the last one.
  private static let mostOthers = 7

  /// The imported rows of the book, one per origin, the newest first.
  var importedRows: [ImportedBook] {
    guard let foreign, let stored = try? JSONParser.parse(foreign) else { return [] }
    // One by one: a row of an older version that no shelf has any more costs none of the others.
    let rows = [stored] + (stored["others"]?.arrayValue ?? [])
    return rows.compactMap { row in
      let members = (row.objectValue?.members ?? []).filter { $0.key != "others" }
      return try? JSONDecoding.decode(ImportedBook.self, from: .object(JSONObject(members)))
    }
  }

  /// Stores the row of an import. Rows of other origins stay, so that each file is compared with its own earlier row.
  mutating func keep(_ row: ImportedBook) throws {
    coverFile = row.cover ?? coverFile
    var newest = row
    let others = importedRows.filter { !sameBytes($0.origin, row.origin) }.prefix(Self.mostOthers).map { other in
      var other = other
      other.others = nil
      return other
    }
    newest.others = others.isEmpty ? nil : others
    foreign = String(decoding: try JSONEncoding.bytes(of: newest), as: UTF8.self)
  }
}
