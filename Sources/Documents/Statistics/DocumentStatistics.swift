import Contract
import Display
import Kit
import SQLite
import Store
import Wire

/// How long documents were read, and how many pages.
enum DocumentStatistics: ReadMethod {
  static let name = "documents/statistics"
  static let summary =
    "How long documents, or one of them, were read between two days, and how many pages: by day and by document. With "
    + "`id` also how long the rest takes. The readings are those of this device: those of another one are counted there, "
    + "though it shares the reading position. A page counts if it was shown for three seconds, its time up to five minutes."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var id: DocumentID?
    var from: CalendarDay?
    var to: CalendarDay?
    static let example = Params(id: "0192", from: CalendarDay(daysSince1970: 20_758), to: nil)
    static let fields = [
      "id": "Only this document.", "from": "The first day. Default: the first of the last day's year.",
      "to": "The last day. Default: today.",
    ]
  }

  /// What was read on a day.
  struct Day: Payload {
    var day: CalendarDay
    var seconds: Int
    var pages: Int
    static let example = Day(day: CalendarDay(daysSince1970: 20_778), seconds: 1_860, pages: 12)
    static let fields = [
      "day": "The day on which a reading began.", "seconds": "How long was read.", "pages": "The pages that were read.",
    ]
  }

  /// What was read of a document.
  struct Part: Payload {
    var id: DocumentID
    var title: String
    var seconds: Int
    var pages: Int
    static let example = Part(id: "0192", title: "The R language", seconds: 1_860, pages: 12)
    static let fields = [
      "id": "The document.", "title": "Its title.", "seconds": "How long it was read.",
      "pages": "The pages that were read.",
    ]
  }

  /// The rest of a document.
  struct Rest: Payload {
    var pagesLeft: Int
    var secondsPerPage: Double?
    var secondsLeft: Int?
    var display: Display
    static let example = Rest(pagesLeft: 9, secondsPerPage: 155, secondsLeft: 1_395, display: Display(time: "23 min"))
    static let fields = [
      "pagesLeft": "The pages after that of the reading position.",
      "secondsPerPage":
        "The time for a page in all readings of the document; of all documents if fewer than five pages of it were read. "
        + "Absent if no page was read.",
      "secondsLeft": "The time for the pages that are left; absent if that for a page is.",
      "display": "Strings for people.",
    ]
  }

  /// A time for people.
  struct Display: Payload {
    var time: String?
    static let example = Display(time: "1 h 7 min")
    static let fields = ["time": "The time in hours and minutes; absent if it is unknown."]
  }

  struct Result: Payload {
    var from: CalendarDay
    var to: CalendarDay
    var seconds: Int
    var pages: Int
    var days: [Day]
    var documents: [Part]
    var left: Rest?
    var display: Display
    static let example = Result(
      from: CalendarDay(daysSince1970: 20_454), to: CalendarDay(daysSince1970: 20_779), seconds: 4_020, pages: 26,
      days: [.example], documents: [.example], left: .example, display: .example)
    static let fields = [
      "from": "The first day.", "to": "The last day.", "seconds": "How long was read.",
      "pages": "The pages that were read.", "days": "The days on which something was read, in order.",
      "documents": "The documents that were read, longest first, at most 100.",
      "left": "The rest of the document, if one is given.", "display": "The whole time, for people.",
    ]
  }

  private static let mostDocuments = 100

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let services = snapshot.services
    let document = try params.id.map { try snapshot.get(DocumentRecord.self, id: $0.text) }
    let to = params.to ?? services.today(for: snapshot.reader)
    let from = params.from ?? CalendarDay(year: to.year, month: 1, day: 1) ?? to
    guard from.daysSince1970 <= to.daysSince1970 else {
      throw RPCError.invalidParams(field: "to", reason: Text("documents.spanReversed"))
    }
    let span =
      services.instants(of: from, for: snapshot.reader)
      .lowerBound..<services.instants(of: to, for: snapshot.reader).upperBound
    let read = try ReadAmounts(of: document?.id, within: span, in: snapshot)
    let documents = read.documents.sorted { ($1.value.seconds, $0.key) < ($0.value.seconds, $1.key) }
    return Result(
      from: from, to: to, seconds: read.whole.seconds, pages: read.whole.pages,
      days: read.days.sorted { $0.key.daysSince1970 < $1.key.daysSince1970 }.map {
        Day(day: $0.key, seconds: $0.value.seconds, pages: $0.value.pages)
      },
      documents: documents.prefix(mostDocuments).map { id, amount in
        Part(
          id: DocumentID(unchecked: id), title: read.titles[id] ?? "", seconds: amount.seconds, pages: amount.pages)
      },
      left: try document.map { try rest(of: $0, in: snapshot) },
      display: Display(time: time(read.whole.seconds, in: snapshot)))
  }

  private static func rest(of document: DocumentRecord, in snapshot: Snapshot) throws -> Rest {
    let pages = max(0, document.pageCount - 1 - document.page)
    let pace = try ReadAmounts.pace(of: document.id, in: snapshot.db)
    let seconds = pace.map { Int((Double(pages) * $0).rounded()) }
    return Rest(
      pagesLeft: pages, secondsPerPage: pace.map { ($0 * 10).rounded() / 10 }, secondsLeft: seconds,
      display: Display(time: seconds.map { time($0, in: snapshot) }))
  }

  private static func time(_ seconds: Int, in snapshot: Snapshot) -> String {
    let minutes = (seconds + 30) / 60
    let parts = ["hours": grouped(minutes / 60), "minutes": String(minutes % 60)]
    return snapshot.words(Text(minutes < 60 ? "documents.readingMinutes" : "documents.readingHours", parts))
  }
}

/// The sums of readings that began within a span of time.
private struct ReadAmounts {
  struct Amount {
    var milliseconds: Int64 = 0
    var pages = 0
    var seconds: Int { Int((milliseconds + 500) / 1_000) }

    static func += (sum: inout Amount, other: Amount) {
      sum.milliseconds += other.milliseconds
      sum.pages += other.pages
    }
  }

  var whole = Amount()
  var days: [CalendarDay: Amount] = [:]
  var documents: [String: Amount] = [:]
  var titles: [String: String] = [:]

  /// A reading is found by its end, which is at most `ReadingTimes.longest` after its beginning.
  private static let select = CachedStatement(
    """
    SELECT r.document, r.startedAt, r.duration, r.pages, d.title
    FROM documentReading r CROSS JOIN document d ON d.id = r.document
    WHERE r.endedAt >= ?1 AND r.endedAt < ?2 + \(ReadingTimes.longest) AND r.startedAt >= ?1 AND r.startedAt < ?2
      AND (?3 IS NULL OR r.document = ?3)
    """)

  /// - Parameter document: nil for all.
  /// - Throws: `DatabaseError`.
  init(of document: String?, within span: Range<Int64>, in snapshot: Snapshot) throws {
    let (services, zone) = (snapshot.services, snapshot.reader.zone)
    try snapshot.db.each(
      Self.select,
      {
        $0.add(span.lowerBound)
        $0.add(span.upperBound)
        $0.add(document)
      },
      { row in
        let amount = Self.amount(row.integer(2), row.int(3))
        whole += amount
        days[services.day(of: Instant(milliseconds: row.integer(1)), in: zone), default: Amount()] += amount
        documents[row.text(0), default: Amount()] += amount
        titles[row.text(0)] = row.text(4)
      })
  }

  /// Another program may have written the library.
  private static func amount(_ duration: Int64, _ pages: Int) -> Amount {
    Amount(
      milliseconds: min(max(duration, 0), ReadingTimes.longest), pages: min(max(pages, 0), DocumentRecord.mostPages))
  }

  /// The readings whose pages are known.
  private static let selectPace = CachedStatement(
    """
    SELECT total(min(max(duration, 0), \(ReadingTimes.longest))),
      total(min(max(pages, 0), \(DocumentRecord.mostPages)))
    FROM documentReading WHERE pages > 0 AND (?1 IS NULL OR document = ?1)
    """)
  private static let fewestPages = 5.0

  /// The seconds for a page of a document; nil if no page of any was read.
  ///
  /// - Throws: `DatabaseError`.
  static func pace(of document: String, in db: Database) throws -> Double? {
    func sums(of document: String?) throws -> (milliseconds: Double, pages: Double) {
      try db.first(selectPace, { $0.add(document) }, { ($0.real(0), $0.real(1)) }) ?? (0, 0)
    }
    var own = try sums(of: document)
    if own.pages < fewestPages { own = try sums(of: nil) }
    return own.pages > 0 ? own.milliseconds / 1_000 / own.pages : nil
  }
}
