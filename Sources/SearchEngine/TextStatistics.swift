import CStore
import CTokenizer
import Glibc
import SQLite

/// The ranking statistics of a library's texts, in memory, shared by all of its connections: see figures.h.
///
///     idle      unread rows are read, some thousand at a time
///     write     a row that it touches is unknown from then on, whether the write is committed or not
///     commit    these rows are read again, after the replies
///
/// For an unknown row a query reads the tables. The statistics have the newest state: a reader with an older snapshot
/// may rank a text by its new state, and reads its item from the tables. They are not stored on disk.
package final class TextStatistics: @unchecked Sendable {
  // `@unchecked`: the table is thread-safe for readers; all else is touched only while the writing connection is held.
  let table: OpaquePointer?

  /// Rows that a write has touched.
  private var touched: Set<Int64> = []
  /// Rows after this one have not been read yet, unless `isWhole`.
  private var last: Int64 = -1
  private var isWhole = false

  /// Without enough memory there is no table, and every query reads the database.
  package init() {
    table = cp_figure_table_make()
  }

  deinit {
    cp_figure_table_release(table)
  }

  // MARK: - The writer's connection

  /// Follows the connection's writes, until `detach`. SQLite supports only one such hook.
  package func attach(to db: Database) {
    guard table != nil else { return }
    sqlite3_update_hook(
      db.sqliteConnection,
      { context, operation, _, name, row in
        guard let context, let name else { return }
        let statistics = Unmanaged<TextStatistics>.fromOpaque(context).takeUnretainedValue()
        if strcmp(name, SearchTables.current.entry) == 0 { statistics.touch(row) }
        // A rebuild has finished, and its rows have other numbers: nothing else inserts a row there.
        if operation == SQLITE_INSERT, strcmp(name, "search_state") == 0 { statistics.forget() }
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  package func detach(from db: Database) {
    sqlite3_update_hook(db.sqliteConnection, nil, nil)
  }

  private func touch(_ row: Int64) {
    guard isWhole || row <= last else { return }
    cp_figures_set(table, row, nil)
    touched.insert(row)
  }

  func forget() {
    cp_figures_forget(table)
    touched = []
    (last, isWhole) = (-1, false)
  }

  // MARK: - Reading

  /// The pause between two slices, for other writes.
  package static let pause: Duration = .milliseconds(5)
  /// The most rows of a slice. A waiting write is delayed by at most one of these: some eight milliseconds.
  private static let slice = 10_000
  /// The most rows that are read at once after a commit.
  private static let few = 200

  private static let columns = """
    entry.rowid, at, lists, collection, item, part, sz, folds
    FROM search_entry AS entry CROSS JOIN search_text_docsize AS sizes ON sizes.id = entry.rowid
    """
  private static let again = CachedStatement("SELECT \(columns) WHERE entry.rowid = ?")
  private static let further = CachedStatement("SELECT \(columns) WHERE entry.rowid > ? ORDER BY entry.rowid LIMIT ?")

  /// Called after a commit: reads the rows that it has touched.
  package func follow(_ db: Database) {
    if !touched.isEmpty { readTouched(db, most: Self.few) }
  }

  /// Reads the next slice. Returns whether all rows are read, also if they cannot be read and queries have to use the
  /// tables.
  package func step(_ db: Database) -> Bool {
    if table == nil { return true }
    guard readTouched(db, most: Self.slice) else { return true }
    if !isWhole { readFurther(db) }
    return isWhole && touched.isEmpty
  }

  /// Returns false if reading failed: these rows stay unknown until the next attempt.
  @discardableResult
  private func readTouched(_ db: Database, most: Int) -> Bool {
    let rows = touched.count <= most ? touched.sorted() : touched.prefix(most).sorted()
    do {
      try db.each(Self.again, of: rows) { _, row in keep(row) }
      touched.subtract(rows)
      return true
    } catch {
      return false
    }
  }

  private func readFurther(_ db: Database) {
    let first = last
    var found = 0
    do {
      try db.each(
        Self.further,
        {
          $0.add(first)
          $0.add(Self.slice)
        },
        { row in
          found += 1
          last = keep(row)
        })
      isWhole = found < Self.slice
    } catch {
      isWhole = true
    }
  }

  @discardableResult
  private func keep(_ row: Columns) -> Int64 {
    let number = row.integer(0)
    // Texts of collections beyond the range of the number stay unknown.
    guard let collection = UInt8(exactly: CollectionNumber(row.bytes(3)).value) else { return number }
    let (item, sizes) = (row.bytes(4), row.bytes(6))
    var figures = cp_figures()
    figures.at = row.integer(1)
    figures.lists = row.bool(2)
    figures.may_fold = row.bool(7)
    figures.collection = collection
    figures.item = cp_figures_mark(item.baseAddress, item.count)
    figures.is_page = row.integer(5) > 0
    cp_figures_read_sizes(&figures, sizes.baseAddress, sizes.count)
    cp_figures_set(table, number, &figures)
    return number
  }
}
