import Contract
import Display
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// The journals of the diary. Triggers count their entries (`DiaryTables`), so that no list of them reads the entries.
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
  static let since = 1
  static let effects: Effects = .reads

  struct Params: Payload {
    static let example = Params()
    static let fields: [String: String] = [:]
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
    var none: Int
    static let example = Result(items: [.example], none: 30)
    static let fields = ["items": "The journals.", "none": "The number of entries that are in no journal."]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    var result = Result(items: [], none: 0)
    try snapshot.db.each(
      """
      SELECT journal, entries, (SELECT min(day) FROM diaryEntry WHERE journal = counted.journal AND journal <> ''),
        (SELECT max(day) FROM diaryEntry WHERE journal = counted.journal AND journal <> '')
      FROM diaryJournal AS counted WHERE entries > 0 ORDER BY fold(journal), journal LIMIT \(most)
      """
    ) { row in
      let (name, count) = (row.text(0), row.int(1))
      guard !name.isEmpty else {
        result.none = count
        return
      }
      guard let first = CalendarDay(row.text(2)), let last = CalendarDay(row.text(3)) else { return }
      result.items.append(
        Journal(
          journal: name, entries: count, firstDay: first, lastDay: last,
          display: .init(
            title: name, progress: snapshot.words(Text("diary.entries", ["count": String(count)])))))
    }
    return result
  }

  /// A reply is bounded, as any text may be a journal.
  private static let most = 10_000
}
