import CStore
import CTokenizer
import Glibc
import SQLite

/// What the texts of a library are ranked by, in memory for all of its connections: see figures.h.
///
///     idle      the rows that nobody has read yet are read, some thousand at a time
///     write     a row that it touches is not known from then on, whether the write is committed or not
///     commit    these are read again, behind the replies
///
/// Of a row that is not known a question reads what it needs from the tables. What is known is of the newest state: who reads
/// an older one may rank a text by what it has become, and reads what it is a text of from the tables. None of it is kept on
/// disk.
package final class TextFigures: @unchecked Sendable {
  // `@unchecked`: the table is made to be read by anybody; all else is touched only where the writer's connection is.
  let table: OpaquePointer?

  /// Rows that a write has touched.
  private var touched: Set<Int64> = []
  /// Rows behind this one nobody has read yet, unless all are.
  private var last: Int64 = -1
  private var isWhole = false

  /// Where memory is short there are none, and every question reads the tables.
  package init() {
    table = cp_figure_table_make()
  }

  deinit {
    cp_figure_table_release(table)
  }

  // MARK: - The writer's connection

  /// Follows what it writes, until `detach`. SQLite has one place for this.
  package func attach(to db: Database) {
    guard table != nil else { return }
    sqlite3_update_hook(
      db.sqliteConnection,
      { context, operation, _, name, row in
        guard let context, let name else { return }
        let figures = Unmanaged<TextFigures>.fromOpaque(context).takeUnretainedValue()
        if strcmp(name, SearchTables.current.entry) == 0 { figures.touch(row) }
        // A rebuild has ended, and its rows have other numbers: nothing else puts a row there.
        if operation == SQLITE_INSERT, strcmp(name, "search_state") == 0 { figures.forget() }
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

  /// Between two slices, for whoever writes meanwhile.
  package static let pause: Duration = .milliseconds(5)
  /// Whoever writes next waits for one of these at most: some eight milliseconds.
  private static let slice = 10_000
  /// What is read at once behind a commit.
  private static let few = 200

  private static let columns = """
    entry.rowid, at, lists, collection, item, part, sz, folds
    FROM search_entry AS entry CROSS JOIN search_text_docsize AS sizes ON sizes.id = entry.rowid
    """
  private static let again = KeptStatement("SELECT \(columns) WHERE entry.rowid = ?")
  private static let further = KeptStatement("SELECT \(columns) WHERE entry.rowid > ? ORDER BY entry.rowid LIMIT ?")

  /// Behind a commit: the rows that it has touched.
  package func follow(_ db: Database) {
    if !touched.isEmpty { readTouched(db, most: Self.few) }
  }

  /// Some of what is still to be read. Whether that is all; also where it cannot be read, and the tables have to do.
  package func step(_ db: Database) -> Bool {
    if table == nil { return true }
    guard readTouched(db, most: Self.slice) else { return true }
    if !isWhole { readFurther(db) }
    return isWhole && touched.isEmpty
  }

  /// False where it failed: these stay unknown until somebody tries again.
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
    // Of more collections than have a number there, the others stay unknown.
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
