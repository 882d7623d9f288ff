import Contract
import Kit
import Store
import Wire

/// What a reader says of a book: the part of it that is added, changed, imported and merged.
struct ShelfContent: Codable, Sendable {
  var status = BookStatus.want
  var started: CalendarDay?
  var finished: CalendarDay?
  /// The page that the reader has come to.
  var page: Int?
  /// How far, where no page says it: 0 to 100.
  var percent: Double?
  var rating: Double?
  var note = ""
  var quotes: [BookQuote] = []
  /// The ids of documents.
  var documents: [String] = []
  var tags: [String] = []

  static let most = 1_000
  /// Unicode scalars.
  static let longestNote = 1_000_000

  static let fields = Fields<Self> {
    Field("status", \.status, "What the reader does with it.")
      .settable(
        as: BookStatus.self, "What the reader does with it. Default of a new one: `want`.", clearable: false
      ) { status, content, snapshot in
        content.turn(to: status, on: snapshot.services.today(for: snapshot.reader))
      }.followed
    Field("started", \.started, "The day on which reading began.")
      .settable(
        as: GivenDay.self,
        "The day on which reading began, also in words. Default: today for a book that is being read."
      ) { day, content, snapshot in content.started = try day.dayOfReading("started", in: snapshot) }.followed
    Field("finished", \.finished, "The day on which it ended.")
      .settable(
        as: GivenDay.self, "The day on which it ended. Default: today for a book that was read or given up."
      ) { day, content, snapshot in content.finished = try day.dayOfReading("finished", in: snapshot) }.followed
    Field("page", \.page)
      .settable(as: BookProgress.self, named: "progress", "How far the reader has come.") { progress, content, _ in
        (content.page, content.percent) = (progress.page, progress.percent)
      }.followed.with("percent")
    Field("percent", \.percent)
    Field("rating", \.rating, .number(0.5...5), "The reader's own: 0.5 to 5, in halves.").settable().followed
    Field("note", \.note, .text(0...longestNote), "What the reader says of it, kept byte for byte.").settable().followed
      .inAnyComposition
    Field("quotes", \.quotes, "Passages that the reader wrote out.")
      .settable(as: [BookQuote].self, limits: .length(0...most)) { quotes, content, _ in
        if quotes != content.quotes { content.quotes = quotes }
      }.followed.inAnyComposition
    Field("documents", \.documents, .ids, "Documents that are this book.")
      .settable(as: [ItemID].self, limits: .length(0...most)) { documents, content, snapshot in
        content.documents = try kept(documents: documents, known: content.documents, in: snapshot)
      }
    Field("tags", \.tags, "The reader's own tags.")
      .settable(
        as: [String].self, limits: FieldLimits(minimumLength: 0, maximumLength: TagList.most, notBlank: true)
      ) { tags, content, _ in content.tags = try TagList.normalized(tags) }.followed.merged(.elements)
  }
}

extension ShelfContent {
  /// What the reference shows.
  static let example: ShelfContent = {
    var content = ShelfContent()
    (content.status, content.started) = (.reading, CalendarDay(daysSince1970: 20_758))
    (content.rating, content.note) = (4.5, "For the winter.")
    (content.quotes, content.documents, content.tags) = ([.example], ["0193"], ["korean"])
    return content
  }()
}

extension ShelfContent: Equatable {
  /// Texts by their bytes.
  static func == (left: ShelfContent, right: ShelfContent) -> Bool {
    (try? fields.all.allSatisfy { try $0.isSame(left, right) }) ?? false
  }
}

extension ShelfContent {
  func with(documents: [String]) -> ShelfContent {
    var content = self
    content.documents = documents
    return content
  }

  /// Whether how far the reader has come is no more than what the status says.
  var isSimplyRead: Bool { status == .read && page == nil && percent == 100 }

  /// What is not said here is taken from another; tags come to those that are here.
  func filled(from other: ShelfContent) throws -> ShelfContent {
    var (content, other) = (self, other)
    // The end that follows from a status comes with it alone.
    if other.isSimplyRead, status != .want, status != other.status { other.percent = nil }
    try Self.fields.fill(&content, from: other, empty: ShelfContent())
    return content
  }

  /// Takes over stars as a file has them: to the next half, from 0.5 to 5. 0, which programs write for none, are none, and
  /// who counts to ten means other stars.
  ///
  /// - Returns: the field of which there is something to say, and what.
  mutating func take(stars text: String) -> (field: String, text: Text)? {
    guard let number = Double(text.replacing(",", with: ".")), number.isFinite, number > 0 else { return nil }
    guard number <= 5 else { return ("rating", Text("books.import.notTaken", ["value": text])) }
    let stars = max(0.5, (number * 2).rounded() / 2)
    rating = stars
    return number == stars ? nil : ("rating", Text("books.import.rounded", ["value": text, "taken": String(stars)]))
  }

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

  /// The documents as they are kept: each is there, none twice.
  static func kept(documents: [ItemID], known: [String], in snapshot: Snapshot) throws -> [String] {
    var kept: [String] = []
    // A feature knows the others' items by their collections only.
    guard let table = snapshot.services.library.collection("documents")?.table else { return kept }
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
