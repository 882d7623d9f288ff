import Contract
import Display
import Exchange
import Kit
import SQLite
import Store
import Wire

enum BookStatistics: ReadMethod {
  static let name = "books/statistics"
  static let summary =
    "What was read in a year, or between two days: books, pages, months, tags, languages and authors, and how far the "
    + "year's goal is reached. Each read of a book counts, on the day when it ended."
  static let effects: Effects = .reads

  struct Params: Payload {
    var year: Int?
    var from: CalendarDay?
    var to: CalendarDay?
    static let example = Params(year: 2026, from: nil, to: nil)
    static let fields = [
      "year": "The year. Default: this year.", "from": "The first day, instead of a year. Default: the first of all.",
      "to": "The last day. Default: the last of all.",
    ]
    static let limits: [String: FieldLimits] = ["year": .range(1...9_999)]
    static let atMostOne = [["year", "from"], ["year", "to"]]
  }

  struct Result: Payload {
    var from: CalendarDay
    var to: CalendarDay
    var books: Int
    var rereads: Int
    var abandoned: Int
    var pages: Int
    var booksWithoutPages: Int
    var averageRating: Double?
    var averageDays: Double?
    var months: [Month]
    var tags: [Count]
    var languages: [Count]
    var authors: [Count]
    var goal: GoalProgress?
    static let example = Result(
      from: CalendarDay(daysSince1970: 20_454), to: CalendarDay(daysSince1970: 20_818), books: 12, rereads: 1,
      abandoned: 1, pages: 3_600, booksWithoutPages: 2, averageRating: 3.8, averageDays: 9.5, months: [.example],
      tags: [.example], languages: [Count(name: "ko", books: 7)], authors: [Count(name: "Han Kang", books: 2)],
      goal: .example)
    static let fields = [
      "from": "The first day.", "to": "The last day.", "books": "The number of reads that reached the end of a book.",
      "rereads": "How many of them were not the first read of their book.",
      "abandoned": "The number of reads that were given up.",
      "pages": "The pages of `books`, as far as they are known.",
      "booksWithoutPages": "How many of `books` have no number of pages.",
      "averageRating": "The average of the user's ratings.",
      "averageDays": "The average number of days from the first to the last day of a read, if both are known.",
      "months": "The months with reads, in order.", "tags": "The most frequent tags.",
      "languages": "The languages.", "authors": "The most frequent authors.",
      "goal": "The goal of the year, if it has one.",
    ]
  }

  /// What was read in a month.
  struct Month: Payload {
    var month: String
    var books: Int
    var pages: Int
    static let example = Month(month: "2026-11", books: 2, pages: 610)
    static let fields = [
      "month": "The month.", "books": "The number of reads that ended in it.", "pages": "Their pages, if known.",
    ]
  }

  /// How many of the books have a tag, a language or an author.
  struct Count: Payload {
    var name: String
    var books: Int
    static let example = Count(name: "fantasy", books: 5)
    static let fields = ["name": "The tag, the language or the author.", "books": "The number of reads."]
  }

  /// How far the goal of a year is reached.
  struct GoalProgress: Payload {
    var books: Int?
    var pages: Int?
    var percent: Double
    var booksAhead: Int?
    var pagesAhead: Int?
    var display: Display
    static let example = GoalProgress(
      books: 30, pages: nil, percent: 40, booksAhead: -2, pagesAhead: nil, display: .example)
    static let fields = [
      "books": "The number of books to read.", "pages": "The number of pages to read.",
      "percent": "How much of it is read, 0 to 100; of two goals, the one that is less reached.",
      "booksAhead": "In the current year: the books read beyond those that the goal needs by today; negative if fewer.",
      "pagesAhead": "The same of pages.", "display": "Strings for people.",
    ]
  }

  /// The goal for people.
  struct Display: Payload {
    var goal: String
    static let example = Display(goal: "12 of 30 books")
    static let fields = ["goal": "The goal and how far it is reached."]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let today = snapshot.services.today(for: snapshot.reader)
    let isYear = params.from == nil && params.to == nil
    let year = params.year ?? today.year
    let first = isYear ? CalendarDay(year: year, month: 1, day: 1) : params.from
    let last = isYear ? CalendarDay(year: year, month: 12, day: 31) : params.to
    let (from, to) = (first ?? CalendarDay(daysSince1970: .min), last ?? CalendarDay(daysSince1970: .max))
    if from.daysSince1970 > to.daysSince1970 {
      throw RPCError.invalidParams(field: "to", reason: Text("books.spanReversed"))
    }
    let reads = try CountedReads(from: from, to: to, in: snapshot)
    var result = Result(
      from: from, to: to, books: reads.books, rereads: reads.rereads, abandoned: reads.abandoned, pages: reads.pages,
      booksWithoutPages: reads.withoutPages, averageRating: reads.ratings.average, averageDays: reads.days.average,
      months: reads.months.sorted { $0.key < $1.key }.map {
        Month(month: $0.key, books: $0.value.0, pages: $0.value.1)
      },
      tags: reads.tags.list, languages: reads.languages.list, authors: reads.authors.list, goal: nil)
    if isYear, let goal = try snapshot.find(ReadingGoalRecord.self, id: String(year)) {
      result.goal = GoalProgress(goal, books: reads.books, pages: reads.pages, year: year, today: today, in: snapshot)
    }
    return result
  }
}

extension BookStatistics.GoalProgress {
  fileprivate init(
    _ goal: ReadingGoalRecord, books read: Int, pages: Int, year: Int, today: CalendarDay, in snapshot: Snapshot
  ) {
    let parts = [(read, goal.books), (pages, goal.pages)].compactMap { done, wanted in
      wanted.map { 100 * Double(done) / Double(max($0, 1)) }
    }
    self.init(
      books: goal.books, pages: goal.pages, percent: (min(parts.min() ?? 0, 100) * 10).rounded() / 10,
      display: .init(goal: ""))
    if year == today.year, let first = CalendarDay(year: year, month: 1, day: 1),
      let last = CalendarDay(year: year, month: 12, day: 31)
    {
      let share =
        Double(today.daysSince1970 - first.daysSince1970 + 1) / Double(last.daysSince1970 - first.daysSince1970 + 1)
      // Whole books: half a book is not behind yet.
      booksAhead = goal.books.map { read - Int(Double($0) * share) }
      pagesAhead = goal.pages.map { pages - Int(Double($0) * share) }
    }
    var lines: [String] = []
    if let books = goal.books {
      lines.append(snapshot.words(Text("books.goal.books", ["done": grouped(read), "count": grouped(books)])))
    }
    if let wanted = goal.pages {
      lines.append(snapshot.words(Text("books.goal.pages", ["done": grouped(pages), "count": grouped(wanted)])))
    }
    display.goal = lines.joined(separator: ", ")
  }
}

/// The reads that ended within a span of days.
private struct CountedReads {
  var books = 0
  var rereads = 0
  var abandoned = 0
  var pages = 0
  var withoutPages = 0
  var ratings = Average()
  var days = Average()
  var months: [String: (Int, Int)] = [:]
  var tags = NameCounts()
  var languages = NameCounts()
  var authors = NameCounts()

  /// The current reads, then the earlier ones.
  private static let select = CachedStatement(
    """
    SELECT started, finished, status = 'abandoned', \(Stars.name), facts, tags, earlierReads, 1 FROM book
    WHERE finished BETWEEN ?1 AND ?2 AND status <> 'reading'
    UNION ALL
    SELECT json_extract(value, '$.started'), json_extract(value, '$.finished'),
      json_extract(value, '$.status') = 'abandoned', json_extract(value, '$.\(Stars.name)'), facts, tags, earlierReads, 0
    FROM (SELECT DISTINCT book AS other FROM bookName WHERE kind IN ('read', 'abandoned') AND name BETWEEN ?1 AND ?2)
      JOIN book ON book.id = other, json_each(earlierReads)
    WHERE json_extract(value, '$.finished') BETWEEN ?1 AND ?2
    """)

  init(from: CalendarDay, to: CalendarDay, in snapshot: Snapshot) throws {
    try snapshot.db.each(
      Self.select,
      {
        $0.add(from.description)
        $0.add(to.description)
      },
      { row in
        let (started, finished) = (row.optionalText(0).flatMap { CalendarDay($0) }, CalendarDay(row.text(1)))
        let isAbandoned = row.bool(2)
        if isAbandoned {
          abandoned += 1
          return
        }
        let facts = try StoredJSON<BookFacts>(stored: row.text(4)).value()
        books += 1
        let earlier = row.isNull(6) ? [] : try StoredJSON<[EarlierRead]>(stored: row.text(6)).value()
        if Self.isReread(finished, earlier, isCurrent: row.bool(7)) { rereads += 1 }
        pages += facts.pageCount ?? 0
        if facts.pageCount == nil { withoutPages += 1 }
        if !row.isNull(3) { ratings.add(row.real(3)) }
        if let started, let finished { days.add(Double(finished.daysSince1970 - started.daysSince1970 + 1)) }
        let month = String(row.text(1).prefix(7))
        months[month, default: (0, 0)].0 += 1
        months[month, default: (0, 0)].1 += facts.pageCount ?? 0
        for tag in try StoredJSON<[String]>(stored: row.text(5)).value() { tags.add(tag) }
        if let language = facts.language { languages.add(language) }
        for author in facts.authors { authors.add(author) }
      })
  }

  /// Whether the book was read to its end before.
  private static func isReread(_ finished: CalendarDay?, _ earlier: [EarlierRead], isCurrent: Bool) -> Bool {
    let whole = earlier.filter(\.isWhole)
    if isCurrent { return !whole.isEmpty }
    return whole.contains { ($0.finished?.daysSince1970 ?? .min) < (finished?.daysSince1970 ?? .min) }
  }

  struct Average {
    private var sum = 0.0
    private var count = 0

    mutating func add(_ number: Double) {
      sum += number
      count += 1
    }

    /// In tenths; nil without numbers.
    var average: Double? { count == 0 ? nil : (sum / Double(count) * 10).rounded() / 10 }
  }

  /// How often each name occurs.
  struct NameCounts {
    private var counts: [String: Int] = [:]
    /// The most names in a reply.
    private static let most = 100

    mutating func add(_ name: String) { counts[name, default: 0] += 1 }

    var list: [BookStatistics.Count] {
      counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.most).map {
        BookStatistics.Count(name: $0.key, books: $0.value)
      }
    }
  }
}
