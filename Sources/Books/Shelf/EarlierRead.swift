import Contract
import Kit
import Store
import Wire

/// A read of a book before the current or last one. Its days may be unknown: other programs only count reads.
struct EarlierRead: Payload, Equatable {
  enum Outcome: String, Choice {
    case read, abandoned
  }

  var started: CalendarDay?
  var finished: CalendarDay?
  var status: Outcome?
  var progress: BookProgress?
  var rating: Double?
  static let example = EarlierRead(
    started: CalendarDay(daysSince1970: 18_000), finished: CalendarDay(daysSince1970: 18_014), status: .read,
    progress: nil, rating: 4)
  static let fields = [
    "started": "The day when reading began.", "finished": "The day when reading ended.",
    "status": "`read` to the end (default), or `abandoned`.",
    "progress": "How far it was read, if it was abandoned.", "rating": "The rating then: 0.5 to 5, in steps of 0.5.",
  ]
  static let limits: [String: FieldLimits] = ["rating": .range(0.5...5)]

  /// Whether the book was read to its end.
  var isWhole: Bool { status != .abandoned }
}

extension EarlierRead {
  /// The read that ends when a book is read again; nil if it has no end.
  ///
  /// - Parameter status: the status before.
  init?(_ content: ShelfContent, as status: BookStatus) {
    guard let finished = content.finished else { return nil }
    (started, self.finished, rating) = (content.started, finished, content.rating)
    // A book that is wanted again has the progress of its last read.
    let isWhole = status != .abandoned && (content.percent ?? 100) == 100 && content.page == nil
    self.status = isWhole ? .read : .abandoned
    if !isWhole { progress = BookProgress(content, pageCount: nil) }
  }

  /// The reads to store, oldest first; those without a day come first, in the given order.
  ///
  /// - Throws: `invalidParams` for a day that is in the future, an end before the start, or a rating that is not in
  ///   halves.
  static func checked(_ reads: [EarlierRead], in snapshot: Snapshot) throws(RPCError) -> [EarlierRead] {
    let newest = snapshot.services.now().newestDay.daysSince1970
    for (index, read) in reads.enumerated() {
      let field = "earlierReads[\(index)]"
      for (name, day) in [("started", read.started), ("finished", read.finished)] {
        if let day, day.daysSince1970 > newest {
          throw .invalidParams(field: "\(field).\(name)", reason: Text("books.dayToCome", ["day": day.description]))
        }
      }
      if let started = read.started, let finished = read.finished, finished.daysSince1970 < started.daysSince1970 {
        throw .invalidParams(field: "\(field).finished", reason: Text("books.finishedBeforeStarted"))
      }
      try Stars.require(read.rating, field: "\(field).\(Stars.name)")
    }
    return inOrder(reads)
  }

  /// The same reads, oldest first, each with a status.
  static func inOrder(_ reads: [EarlierRead]) -> [EarlierRead] {
    let dated = reads.enumerated().map { index, read in
      var read = read
      read.status = read.status ?? .read
      return (index: index, day: (read.finished ?? read.started)?.daysSince1970 ?? .min, read: read)
    }
    return dated.sorted { ($0.day, $0.index) < ($1.day, $1.index) }.map(\.read)
  }
}

extension ShelfContent {
  /// Adds the reads without a day by which the count of a file has grown since its last import. They are equal, and
  /// lists of reads are merged as sets.
  ///
  /// - Parameter shelf: the content before the merge.
  mutating func addCountedReads(since before: ShelfContent, by now: ShelfContent, on shelf: ShelfContent) {
    let read = EarlierRead(status: .read)
    func count(_ content: ShelfContent) -> Int { content.earlierReads.count { $0 == read } }
    let wanted = count(shelf) + max(count(now) - count(before), 0)
    let missing = wanted - count(self)
    guard missing > 0 else { return }
    earlierReads = EarlierRead.inOrder(earlierReads + (0..<missing).map { _ in read })
  }
}

extension FieldType where Value == [EarlierRead] {
  /// In replies only if there are any.
  static var reads: FieldType { Value.fieldType.traveling(as: Value.wireType.omitted { $0.isEmpty }) }
}
