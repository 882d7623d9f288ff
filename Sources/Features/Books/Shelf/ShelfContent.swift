import Contract
import Store
import Wire

/// What a reader says of a book, before it is checked together: the same for adding, changing and importing.
struct ShelfContent: Codable, Sendable, Equatable {
  var status = BookStatus.want
  var started: CalendarDay?
  var finished: CalendarDay?
  var page: Int?
  var percent: Double?
  var rating: Double?
  var note = ""
  var quotes: [BookQuote] = []
  var documents: [String] = []
  var tags: [String] = []

  static let most = 1_000
  /// Unicode scalars.
  static let longestNote = 1_000_000

  static let limits: [String: FieldLimits] = [
    "rating": .range(0.5...5), "note": .length(0...longestNote), "quotes": .length(0...most),
    "documents": .length(0...most),
    "tags": FieldLimits(minimumLength: 0, maximumLength: TagList.most, notBlank: true),
  ]

  init() {}

  init(_ record: BookRecord) throws {
    status = record.status
    (started, finished) = (record.started, record.finished)
    (page, percent, rating, note) = (record.page, record.percent, record.rating, record.note)
    quotes = try record.quotes.value()
    documents = try record.documents.value()
    tags = try record.tags.value()
  }

  static func == (left: ShelfContent, right: ShelfContent) -> Bool {
    // Texts by their bytes.
    (try? JSONEncoding.bytes(of: left)) == (try? JSONEncoding.bytes(of: right))
  }

  func with(documents: [String]) -> ShelfContent {
    var content = self
    content.documents = documents
    return content
  }

  /// Whether how far the reader has come is no more than what the status says.
  var isSimplyRead: Bool { status == .read && page == nil && percent == 100 }

  /// What a change of status says of days: reading that begins begins today, and what is read or given up ends today,
  /// unless the reader says otherwise.
  mutating func turn(to status: BookStatus, on today: CalendarDay) {
    guard status != self.status else { return }
    self.status = status
    switch status {
    case .want: break
    case .reading:
      // Read once more, from its beginning.
      if finished != nil { (started, finished, page, percent) = (nil, nil, nil, nil) }
      started = started ?? today
    case .read, .abandoned:
      if finished == nil {
        finished = started.map { max($0.daysSince1970, today.daysSince1970) }.map(CalendarDay.init) ?? today
      }
    }
    if status == .read { (page, percent) = (nil, 100) }
  }

  /// Those that are there already do not come twice.
  ///
  /// - Parameter field: what the error names if they are too many together.
  mutating func add(quotes given: [BookQuote], _ field: String) throws(RPCError) {
    for quote in given where !quotes.contains(quote) { quotes.append(quote) }
    guard given.isEmpty || quotes.count <= Self.most else {
      throw .invalidParams(field: field, reason: Text("books.tooManyQuotes", ["maximum": String(Self.most)]))
    }
  }

  /// What the fields must be together.
  func requireSense(pageCount: Int?) throws(RPCError) {
    if let rating, (rating * 2).rounded() != rating * 2 {
      throw .invalidParams(field: "rating", reason: Text("books.halves"))
    }
    if let started, let finished, finished.daysSince1970 < started.daysSince1970 {
      throw .invalidParams(field: "finished", reason: Text("books.finishedBeforeStarted"))
    }
    if let page, let pageCount, page > pageCount {
      throw .invalidParams(field: "progress", reason: Text("books.pageBehindEnd", ["count": String(pageCount)]))
    }
  }

  func put(into record: inout BookRecord) throws {
    record.status = status
    (record.started, record.finished) = (started, finished)
    (record.page, record.percent, record.rating, record.note) = (page, percent, rating, note)
    if try record.quotes.value() != quotes { record.quotes = try StoredJSON(quotes) }
    if try record.documents.value() != documents { record.documents = try StoredJSON(documents) }
    if try record.tags.value() != tags { record.tags = try StoredJSON(tags) }
  }

  /// The documents as they are kept: each is there, none twice.
  static func kept(documents: [ItemID], known: [String], in snapshot: Snapshot) throws -> [String] {
    var kept: [String] = []
    // A feature knows the others' items by their collections only.
    guard let table = snapshot.services.library.table(of: "documents") else { return kept }
    for (index, id) in documents.enumerated() where !kept.contains(id.text) {
      let isThere =
        try snapshot.db.first("SELECT 1 FROM \(table) WHERE id = ?", [.text(id.text)]) { _ in true } ?? false
      guard isThere || known.contains(id.text) else {
        throw RPCError.invalidParams(
          field: "documents[\(index)]",
          reason: Text("error.notFound", ["collection": "documents", "id": id.text]))
      }
      kept.append(id.text)
    }
    return kept
  }
}
