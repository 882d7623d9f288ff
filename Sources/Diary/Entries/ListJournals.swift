import Contract
import Display
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// The journals of the diary. Their entries are counted (`DiaryTables`), so that no list of them reads the entries.
enum Journals {
  /// The names that entries write for a journal; they may differ in case and width, as several devices may begin one.
  ///
  /// - Throws: `DatabaseError`.
  static func spellings(of name: String, in db: Database) throws -> [String] {
    if name.isEmpty { return [] }
    return try db.texts(
      "SELECT journal FROM diaryJournal WHERE entries > 0 AND fold(journal) = ? ORDER BY entries DESC, journal",
      [.text(foldedText(name))])
  }

  /// The name under which an entry is added to a journal: one line within the limit, in the usual spelling of a journal
  /// that is there already.
  ///
  /// - Throws: `DatabaseError`.
  static func name(_ given: String, in db: Database) throws -> String {
    if given.isEmpty { return given }
    let name = EntryDetails.shortLine(given)
    return try spellings(of: name, in: db).first ?? name
  }

  /// The condition for the entries of a journal; without a name, for those of none.
  ///
  /// - Throws: `RPCError` of the kind `notFound` if no entry has the journal, `DatabaseError`.
  static func condition(of name: String, in db: Database) throws -> (sql: String, values: [SQLValue]) {
    let name = EntryDetails.oneLine(name)
    if name.isEmpty { return ("journal = ''", []) }
    let names = try spellings(of: name, in: db)
    guard !names.isEmpty else { throw RPCError(.notFound, text: Text("diary.noJournal", ["journal": name])) }
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    return ("journal <> '' AND journal IN (\(marks))", names.map { .text($0) })
  }
}

enum ListJournals: ReadMethod {
  static let name = "diary/journals"
  static let summary =
    "The journals of the diary with their numbers of entries, in alphabetical order. An entry is in at most one."
  static let effects: Effects = .reads

  struct Params: Payload {
    var offset: Int?
    var limit: Int?
    static let example = Params(offset: nil, limit: nil)
    static let fields = [
      "offset": "The number of journals to skip.", "limit": "Maximum number of journals. Default 10,000.",
    ]
    static let limits: [String: FieldLimits] = ["offset": .atLeast(0), "limit": .range(1...Double(most))]
  }

  struct Journal: Payload {
    var journal: String
    var entries: Int
    var firstDay: CalendarDay
    var lastDay: CalendarDay
    var display: Display

    struct Display: Payload {
      var title: String
      var progress: String
      static let example = Display(title: "Work", progress: "12 entries")
      static let fields = ["title": "Its name.", "progress": "How many entries it has."]
    }

    static let example = Journal(
      journal: "Work", entries: 12, firstDay: CalendarDay(year: 2026, month: 1, day: 7)!,
      lastDay: CalendarDay(year: 2026, month: 11, day: 21)!, display: .example)
    static let fields = [
      "journal": "Its name.", "entries": "The number of its entries.", "firstDay": "The first day with an entry of it.",
      "lastDay": "The last day with an entry of it.", "display": "Strings for people.",
    ]
  }

  struct Result: Payload {
    var items: [Journal]
    var offset: Int
    var limit: Int
    var total: Int
    var hasMore: Bool
    var none: Int
    static let example = Result(items: [.example], offset: 0, limit: 10_000, total: 1, hasMore: false, none: 30)
    static let fields = [
      "items": "The journals. One that several devices spell differently is one.",
      "offset": "The number of journals before the first one here.", "limit": "The requested number of journals.",
      "total": "The total number of journals.", "hasMore": "Whether more journals follow.",
      "none": "The number of entries that are in no journal.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let (db, offset, limit) = (snapshot.db, params.offset ?? 0, params.limit ?? most)
    let counted = "FROM diaryJournal WHERE entries > 0 AND journal <> ''"
    let total = try db.integers("SELECT count(DISTINCT fold(journal)) \(counted)").first ?? 0
    let none = try db.integers("SELECT entries FROM diaryJournal WHERE journal = ''").first ?? 0
    // The spellings of a journal are adjacent, the most frequent one first.
    var journals: [(key: String, journal: Journal)] = []
    try db.each(
      """
      SELECT fold(journal), journal, entries,
        (SELECT min(day) FROM diaryEntry WHERE journal = spelling.journal AND journal <> ''),
        (SELECT max(day) FROM diaryEntry WHERE journal = spelling.journal AND journal <> '')
      FROM diaryJournal AS spelling WHERE entries > 0 AND journal <> '' AND fold(journal) IN (
        SELECT DISTINCT fold(journal) \(counted) ORDER BY fold(journal) LIMIT ? OFFSET ?)
      ORDER BY fold(journal), entries DESC, journal
      """, [.integer(Int64(limit)), .integer(Int64(offset))]
    ) { row in
      let (key, name, count) = (row.text(0), row.text(1), row.int(2))
      guard let first = CalendarDay(row.text(3)), let last = CalendarDay(row.text(4)) else { return }
      if let previous = journals.last, sameBytes(previous.key, key) {
        let index = journals.count - 1
        journals[index].journal.entries += count
        journals[index].journal.firstDay = min(previous.journal.firstDay, first)
        journals[index].journal.lastDay = max(previous.journal.lastDay, last)
      } else {
        let journal = Journal(
          journal: name, entries: count, firstDay: first, lastDay: last, display: .init(title: name, progress: ""))
        journals.append((key, journal))
      }
    }
    let items = journals.map { _, journal in
      var journal = journal
      journal.display.progress = snapshot.words(Text("diary.entries", ["count": String(journal.entries)]))
      return journal
    }
    return Result(
      items: items, offset: offset, limit: limit, total: Int(total), hasMore: offset < Int(total) - items.count,
      none: Int(none))
  }

  /// A reply is bounded, as any text may be a journal.
  private static let most = 10_000
}
