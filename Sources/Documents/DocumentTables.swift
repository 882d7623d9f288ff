import PDF
import Store

/// The tables of documents and their marks.
///
///     document ── hash ──► pdf ──► pdfPage      the contents of the file's bytes, stored under their SHA-256
///        ├──► documentBytes                     every file that this document has or once had
///        └──► bookmark · highlight · memo       the user's marks, each with its anchor
enum DocumentTables {
  static let migrations = [
    Migration("documents/001", sql: first), Migration("documents/002", sql: days + ReadingTimes.table),
    Migration("documents/003", sql: versions + PagePrints.table),
    Migration("documents/004", sql: WorkerContents.table + marksOfFiles), Migration("documents/005", sql: titles),
    Migration("documents/006", sql: typed), Migration("documents/007", sql: extractorVersion),
    Migration("documents/008") { try TokenURLs.remove(in: $0) },
    Migration("documents/009") { try CatalogueColumns.add(to: $0) },
    Migration("documents/010", sql: WatchedFolder.tables),
    Migration("documents/011", sql: WatchedFolder.confinements),
    Migration("documents/012", sql: DocumentBibliography.columns),
    Migration("documents/013", sql: kinds),
    Migration("documents/014", sql: "ALTER TABLE bookmark ADD COLUMN title TEXT;"),
    Migration("documents/015", sql: ReadingTimes.amounts),
    Migration("documents/016", sql: DocumentProperties.table),
    Migration("documents/017", sql: DocumentRules.tables),
    Migration("documents/018", sql: ReadingTimes.shownPages),
    Migration("documents/019") { try DocumentBibliography.addImported(to: $0) },
    Migration("documents/020", sql: CatalogueColumns.untriggered + MarkTotals.table),
  ]

  /// The derived data of a file, by its hash. A file's worker returns no more than `HostileInput` accepts.
  static let derived: [ItemCollection.Derived] = [
    .init(
      table: "pdf", column: "hash",
      columns: [
        "hash": .text, "permanentID": .text, "updateID": .text, "title": .text, "author": .text,
        "permissions": .integer(.min ... .max), "signatures": .integer(0...100_000), "pageCount": .integer(counts),
        "failure": .text, "extractorVersion": .integer(.min ... .max),
      ]),
    .init(
      table: "pdfPage", column: "hash",
      columns: [
        "hash": .text, "page": .integer(counts), "width": .number(StoredPage.sides),
        "height": .number(StoredPage.sides),
        "rotation": .integer(0...270), "label": .text, "isBroken": .integer(0...1), "length": .integer(0...1 << 31),
        "placement": .integer(0...2), "unit": .number(PageText.units), "text": .text, "boxes": .bytes,
      ]),
    .init(
      table: PagePrints.tableName, column: "hash",
      columns: ["hash": .text, "page": .integer(counts), "print": .integer(.min ... .max)]),
    .init(
      table: "pdfSaid", column: "hash",
      columns: [
        "hash": .text, "part": .text, "page": .integer(counts), "form": .integer(.min ... .max), "bytes": .bytes,
      ]),
  ]

  private static let counts = Int64(0)...Int64(HostileInput.mostPages)

  /// Whether a person typed the URL of a document. Older documents have no such record, so they count as typed.
  private static let typed = "ALTER TABLE document ADD COLUMN isTyped INTEGER NOT NULL DEFAULT 1;"

  /// The `PageText.extractorVersion` that extracted the text of all pages; 0 for texts stored before the version
  /// existed.
  private static let extractorVersion = "ALTER TABLE pdf ADD COLUMN extractorVersion INTEGER NOT NULL DEFAULT 0;"

  /// The document's title when links led to it.
  private static let titles = "ALTER TABLE document ADD COLUMN formerTitles TEXT;"

  /// Marks that are no highlights of text. Before, only an imported mark had a kind.
  private static let kinds = """
    ALTER TABLE highlight ADD COLUMN kind TEXT NOT NULL DEFAULT 'highlight';
    ALTER TABLE highlight ADD COLUMN shape TEXT;
    ALTER TABLE highlight ADD COLUMN picture TEXT;
    UPDATE highlight SET kind = coalesce(json_extract(imported, '$.kind'), kind) WHERE imported IS NOT NULL;
    """

  private static let marksOfFiles = """
    ALTER TABLE highlight ADD COLUMN imported TEXT;
    ALTER TABLE document ADD COLUMN credential TEXT;
    """

  /// A document may get other bytes, in which a mark may not be found: then its `state` is `orphan`, and its page is
  /// not one of the present pages. While marks move, two may be on one page for a moment, and again while that is
  /// undone. So no index enforces that a page has one bookmark and one memo. The methods do, and `PageMark.restored`.
  private static let versions =
    """
    ALTER TABLE documentBytes ADD COLUMN validators TEXT;
    ALTER TABLE highlight ADD COLUMN state TEXT;

    """
    + withoutUniquePages("bookmark") + withoutUniquePages("memo", text: true)

  private static func withoutUniquePages(_ table: String, text: Bool = false) -> String {
    let columns = "id, revision, createdAt, updatedAt, document, page, \(text ? "text, " : "")anchor"
    return """
      CREATE TABLE \(table)New (
        id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
        document TEXT NOT NULL, page INTEGER NOT NULL, \(text ? "text TEXT NOT NULL, " : "")anchor TEXT NOT NULL,
        state TEXT);
      INSERT INTO \(table)New (\(columns)) SELECT \(columns) FROM \(table);
      DROP TABLE \(table);
      ALTER TABLE \(table)New RENAME TO \(table);
      CREATE INDEX \(table)ByPage ON \(table) (document, page, id);
      CREATE INDEX \(table)ByCreation ON \(table) (createdAt, id);

      """
  }

  /// The items that were added or made on a day.
  private static let days = ["document", "bookmark", "highlight", "memo"]
    .map { "CREATE INDEX \($0)ByCreation ON \($0) (createdAt, id);\n" }.joined()

  private static let first = """
    CREATE TABLE document (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      title TEXT NOT NULL, url TEXT, hash TEXT NOT NULL, size INTEGER NOT NULL,
      pageCount INTEGER NOT NULL, isProtected INTEGER NOT NULL, keepsText INTEGER NOT NULL,
      page INTEGER NOT NULL, y REAL NOT NULL, origins TEXT NOT NULL);
    CREATE INDEX documentByTitle ON document (fold(title), id);
    CREATE UNIQUE INDEX documentByHash ON document (hash);
    CREATE TABLE documentBytes (
      hash TEXT NOT NULL, document TEXT NOT NULL, PRIMARY KEY (hash, document)) WITHOUT ROWID;
    CREATE TABLE pdf (
      hash TEXT PRIMARY KEY, permanentID TEXT, updateID TEXT, title TEXT, author TEXT, permissions INTEGER NOT NULL,
      signatures INTEGER NOT NULL, pageCount INTEGER NOT NULL, failure TEXT) WITHOUT ROWID;
    CREATE INDEX pdfByPermanentID ON pdf (permanentID) WHERE permanentID IS NOT NULL;
    CREATE TABLE pdfPage (
      hash TEXT NOT NULL, page INTEGER NOT NULL, width REAL NOT NULL, height REAL NOT NULL, rotation INTEGER NOT NULL,
      label TEXT, isBroken INTEGER NOT NULL, length INTEGER, placement INTEGER, unit REAL, text TEXT, boxes BLOB,
      PRIMARY KEY (hash, page));
    CREATE INDEX pdfPageWithoutText ON pdfPage (hash, page) WHERE text IS NULL;
    CREATE TABLE bookmark (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      document TEXT NOT NULL, page INTEGER NOT NULL, anchor TEXT NOT NULL, UNIQUE (document, page));
    CREATE TABLE memo (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      document TEXT NOT NULL, page INTEGER NOT NULL, text TEXT NOT NULL, anchor TEXT NOT NULL,
      UNIQUE (document, page));
    CREATE TABLE highlight (
      id TEXT PRIMARY KEY, revision INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL,
      document TEXT NOT NULL, page INTEGER NOT NULL, color TEXT NOT NULL, note TEXT, lines TEXT NOT NULL,
      anchor TEXT NOT NULL);
    CREATE INDEX highlightByPage ON highlight (document, page, id);
    """
}
