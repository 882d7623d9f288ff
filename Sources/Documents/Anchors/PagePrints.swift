import PDF
import SQLite
import Store

/// Fingerprints that identify pages with the same text, over the whole library, so that a file that was saved again
/// is recognised.
enum PagePrints {
  static let tableName = "pdfPrint"
  static let table = """
    CREATE TABLE pdfPrint (hash TEXT NOT NULL, page INTEGER NOT NULL, print INTEGER NOT NULL, PRIMARY KEY (hash, page))
      WITHOUT ROWID;
    CREATE INDEX pdfPrintByText ON pdfPrint (print, hash);

    """

  /// Pages with less text, such as blank ones or those with only their number, resemble too many others.
  private static let leastLetters = 24

  static func write(_ text: PageText, of hash: String, in db: Database) throws {
    guard let print = fingerprint(of: text.text) else {
      return try db.run("DELETE FROM pdfPrint WHERE hash = ? AND page = ?", [.text(hash), .integer(text.page)])
    }
    try db.run(
      "INSERT OR REPLACE INTO pdfPrint (hash, page, print) VALUES (?, ?, ?)",
      [.text(hash), .integer(text.page), .integer(print)])
  }

  /// Half of the hash of the folded text: among a million pages a collision occurs by chance once in ten million
  /// libraries.
  private static func fingerprint(of text: String) -> Int64? {
    let letters = text.unicodeScalars.lazy.filter { !$0.properties.isWhitespace }.prefix(leastLetters)
    guard letters.count == leastLetters else { return nil }
    return UInt64(Anchor.pageHash(of: text).prefix(16), radix: 16).map(Int64.init(bitPattern:))
  }

  /// Documents that have at least nine tenths of the pages of these bytes, as far as their text is available; the
  /// most similar first.
  static func documents(like hash: String, except document: String, in snapshot: Snapshot) throws -> [String] {
    return try snapshot.db.texts(
      """
      SELECT d.id FROM pdfPrint p JOIN pdfPrint q ON q.print = p.print AND q.hash <> p.hash
      JOIN document d ON d.hash = q.hash
      WHERE p.hash = ?1 AND d.id <> ?2 GROUP BY d.id
      HAVING count(DISTINCT p.page) * 10 >= 9 * (SELECT count(*) FROM pdfPrint WHERE hash = ?1)
      ORDER BY count(DISTINCT p.page) DESC, d.id LIMIT 20
      """, [.text(hash), .text(document)])
  }
}
