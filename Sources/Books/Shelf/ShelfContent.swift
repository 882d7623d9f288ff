import Contract
import Kit
import Store
import Wire

/// The user's own content of a book: the part that is added, changed, imported and merged.
struct ShelfContent: Codable, Sendable {
  var status = BookStatus.want
  var started: CalendarDay?
  var finished: CalendarDay?
  /// The reads before the one of `started` and `finished`, oldest first.
  var earlierReads: [EarlierRead] = []
  /// The page that the user has reached.
  var page: Int?
  /// The progress if no page states it: 0 to 100.
  var percent: Double?
  var rating: Double?
  var note = ""
  var quotes: [BookQuote] = []
  /// The ids of documents.
  var documents: [String] = []
  var tags: [String] = []
  /// Whether the user has a copy.
  var owned = false
  /// Where the copy stands.
  var place: String?
  /// Who has borrowed the copy.
  var lentTo: String?
  /// See `ReadingOrder`; nil for a book that is not in it.
  var rank: String?

  static let most = 1_000
  /// Unicode scalars.
  static let longestNote = 1_000_000
  private static let line = FieldLimits(minimumLength: 1, maximumLength: BookFacts.longestLine, notBlank: true)

  static let fields = Fields<Self> {
    Field("status", \.status, "The user's status for it.")
      .settable(
        as: BookStatus.self, "The user's status for it. Default for a new one: `want`.", clearable: false
      ) { status, content, snapshot in
        content.turn(to: status, on: snapshot.services.today(for: snapshot.reader))
      }.followed.shared(.latest, with: "started", "finished")
    Field("started", \.started, "The day when reading began.")
      .settable(
        as: GivenDay.self,
        "The day when reading began; a natural-language date is accepted. Default: today if it is being read."
      ) { day, content, snapshot in content.started = try day.dayOfReading("started", in: snapshot) }.followed
    Field("finished", \.finished, "The day when reading ended.")
      .settable(
        as: GivenDay.self, "The day when reading ended. Default: today if it was read or abandoned."
      ) { day, content, snapshot in content.finished = try day.dayOfReading("finished", in: snapshot) }.followed
    Field(
      "earlierReads", \.earlierReads, .reads,
      "The reads before the current or last one, oldest first; absent if none. Reading a book again adds one."
    ).settable(as: [EarlierRead].self, limits: .length(0...most)) { reads, content, snapshot in
      content.earlierReads = try EarlierRead.checked(reads, in: snapshot)
    }.followed.merged(.elements).shared(.latest)
    Field("page", \.page, .integer(0...BookProgress.mostPages))
      .settable(as: BookProgress.self, named: "progress", "The user's reading progress.") { progress, content, _ in
        (content.page, content.percent) = (progress.page, progress.percent)
      }.followed.with("percent")
    Field("percent", \.percent, .number(0...100))
    Field("rating", \.rating, .number(0.5...5), "The user's own rating: 0.5 to 5, in steps of 0.5.").settable().followed
    Field("note", \.note, .text(0...longestNote), "The user's note, stored byte for byte.").settable().followed
      .inAnyComposition.shared(.text)
    Field("quotes", \.quotes, "Passages that the user copied.")
      .settable(as: [BookQuote].self, limits: .length(0...most)) { quotes, content, _ in
        if quotes != content.quotes { content.quotes = quotes }
      }.followed.inAnyComposition.merged(.elements).shared(.latest)
    Field("documents", \.documents, .ids, "Documents that are this book.")
      .settable(as: [ItemID].self, limits: .length(0...most)) { documents, content, snapshot in
        content.documents = try checked(documents: documents, known: content.documents, in: snapshot)
      }.shared(.references("documents"))
    Field("tags", \.tags, "The user's own tags.")
      .settable(
        as: [String].self, limits: FieldLimits(minimumLength: 0, maximumLength: TagList.most, notBlank: true)
      ) { tags, content, _ in content.tags = try TagList.normalized(tags) }.followed.merged(.elements).searched(.tags)
    Field("owned", \.owned, .flag, "Whether the user has a copy; absent if not.").settable(clearable: false).followed
    Field("place", \.place, .text(1...BookFacts.longestLine, notBlank: true), "Where the copy stands.")
      .settable(as: String.self, limits: line) { text, content, _ in content.place = text.readable }
      .followed.inAnyComposition
    Field("lentTo", \.lentTo, .text(1...BookFacts.longestLine, notBlank: true), "Who has borrowed the copy.")
      .settable(as: String.self, limits: line) { text, content, _ in content.lentTo = text.readable }
      .followed.inAnyComposition
    Field(
      "rank", \.rank, .text(1...Rank.longest),
      "Its position among the books to read next, which are ordered by rank, byte by byte, then by id; `books/order` "
        + "sets it."
    ).place
  }
}

extension ShelfContent {
  /// Files and rows of earlier versions lack the newer fields.
  ///
  /// - Throws: the error of a missing value, or of one that its field does not have.
  init(from decoder: any Decoder) throws {
    self.init()
    let object = try JSONObject(from: decoder)
    for field in Self.fields.all {
      let value = object[field.name] ?? .null
      if !value.isNull || !field.isOptional { try field.assign(value, &self) }
    }
    if let rank, !Rank.isSound(rank) { self.rank = nil }
  }

  /// The example of the reference.
  static let example: ShelfContent = {
    var content = ShelfContent()
    (content.status, content.started) = (.reading, CalendarDay(daysSince1970: 20_758))
    (content.rating, content.note) = (4.5, "For the winter.")
    (content.quotes, content.documents, content.tags) = ([.example], ["0193"], ["korean"])
    return content
  }()
}

extension ShelfContent: Equatable {
  /// Texts are compared by their bytes.
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

  /// The documents among `others` that are not linked, as many as have room.
  func unlinked(_ others: [String]) -> [String] {
    Array(others.filter { !documents.contains($0) }.prefix(max(0, Self.most - documents.count)))
  }

  /// Whether the progress is only what the status implies.
  var isSimplyRead: Bool { status == .read && page == nil && percent == 100 }

  /// The content with missing values filled from `other`; tags and documents are added to existing ones.
  func filled(from other: ShelfContent) throws -> ShelfContent {
    var (content, other) = (self, other)
    // The progress that a status implies is copied only with that status.
    if other.isSimplyRead, status != .want, status != other.status { other.percent = nil }
    try Self.fields.fill(&content, from: other, empty: ShelfContent())
    content.documents += unlinked(other.documents)
    // The days of another read do not fit.
    if let started = content.started, let finished = content.finished, finished.daysSince1970 < started.daysSince1970 {
      (content.started, content.finished) = (self.started, self.finished)
    }
    return content
  }

  /// Imports a star rating: rounded to the next half, from 0.5 to 5. 0 means none, as many programs write it. Numbers
  /// above 5 are rejected: they are on another scale.
  ///
  /// - Returns: the field and the text of a note, if the value was rounded or rejected.
  mutating func take(stars text: String) -> (field: String, text: Text)? {
    guard let number = Double(text.replacing(",", with: ".")), number.isFinite, number > 0 else { return nil }
    guard number <= 5 else { return (Stars.name, Text("books.import.notTaken", ["value": text])) }
    let stars = max(0.5, (number * 2).rounded() / 2)
    rating = stars
    return number == stars ? nil : (Stars.name, Text("books.import.rounded", ["value": text, "taken": String(stars)]))
  }

  /// The stars in a table: `4.5`.
  var stars: String? { rating.map { String($0) } }

  /// The same for programs that have whole stars, and 0 for none.
  var wholeStars: String { rating.map { String(Int($0.rounded())) } ?? "0" }

  /// Sets the status and the days that follow from it: reading starts today, and a book that is read or given up is
  /// finished today, unless it has days already.
  mutating func turn(to status: BookStatus, on today: CalendarDay) {
    guard status != self.status else { return }
    let before = self.status
    self.status = status
    if status != .want { rank = nil }
    switch status {
    case .want: break
    case .reading:
      // Reading it again starts from its beginning.
      if let read = EarlierRead(self, as: before) {
        earlierReads = Array((earlierReads + [read]).suffix(Self.most))
        (started, finished, page, percent) = (nil, nil, nil, nil)
      }
      started = started ?? today
    case .read, .abandoned:
      if finished == nil {
        finished = started.map { max($0.daysSince1970, today.daysSince1970) }.map(CalendarDay.init) ?? today
      }
    }
    if status == .read { (page, percent) = (nil, 100) }
  }

  /// Adds quotes without duplicates.
  ///
  /// - Parameter field: the field that the error names.
  /// - Throws: `invalidParams` if there are too many together.
  mutating func add(quotes given: [BookQuote], _ field: String) throws(RPCError) {
    for quote in given where !quotes.contains(quote) { quotes.append(quote) }
    guard given.isEmpty || quotes.count <= Self.most else {
      throw .invalidParams(field: field, reason: Text("books.tooManyQuotes", ["maximum": String(Self.most)]))
    }
  }

  /// Checks the fields that depend on each other.
  ///
  /// - Throws: `invalidParams` for half a half star, an end before the start, or a page after the last one.
  func requireSense(pageCount: Int?) throws(RPCError) {
    try Stars.require(rating)
    if let started, let finished, finished.daysSince1970 < started.daysSince1970 {
      throw .invalidParams(field: "finished", reason: Text("books.finishedBeforeStarted"))
    }
    if let page, let pageCount, page > pageCount {
      throw .invalidParams(field: "progress", reason: Text("books.pageBehindEnd", ["count": String(pageCount)]))
    }
  }

  /// The documents to store: each must exist or be in the list already; without duplicates.
  ///
  /// - Throws: `invalidParams` for a document that does not exist.
  static func checked(documents: [ItemID], known: [String], in snapshot: Snapshot) throws -> [String] {
    var checked: [String] = []
    // A feature accesses other features' items only by their collections.
    guard let table = snapshot.services.library.collection("documents")?.table else { return checked }
    for (index, id) in documents.enumerated() where !checked.contains(id.text) {
      let isThere =
        try snapshot.db.first("SELECT 1 FROM \(table) WHERE id = ?", [.text(id.text)]) { _ in true } ?? false
      guard isThere || known.contains(id.text) else {
        throw RPCError.invalidParams(
          field: "documents[\(index)]",
          reason: Text("error.notFound", ["collection": "documents", "id": id.text]))
      }
      checked.append(id.text)
    }
    return checked
  }
}
