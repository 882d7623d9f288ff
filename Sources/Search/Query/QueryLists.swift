import Contract
import Kit
import SearchEngine
import Store
import Synchronization
import Wire

/// The hits of recent queries, so that later writes shift nothing while a client pages through them. In memory: after
/// a restart the query is executed again, as of the same moment.
final class QueryLists: Sendable {
  private struct List {
    var question: String
    var findings: QueryFindings
    var client: String
    var view: String?
  }

  private struct State {
    var lists: [Int: List] = [:]
    /// The numbers of the lists, the oldest first.
    var order: [Int] = []
    var numbers = 0

    mutating func evict(where isEvicted: (List) -> Bool) {
      guard let place = order.firstIndex(where: { lists[$0].map(isEvicted) ?? false }) else { return }
      lists[order.remove(at: place)] = nil
    }

    /// Evicts the oldest list of the client that has the most: it leaves the lists of the others alone.
    mutating func evictOne() {
      let counts = Dictionary(lists.values.map { ($0.client, 1) }, uniquingKeysWith: +)
      let most = counts.values.max()
      evict { counts[$0.client] == most }
    }
  }

  private static let limit = 32

  private let state = Mutex(State())

  /// Stores a list and returns its number. A client's list in a view takes the place of the one before it: while its
  /// user types, each keystroke has another.
  ///
  /// - Parameters:
  ///   - client: the id of the client's connection.
  ///   - view: the view of the request.
  func store(_ findings: QueryFindings, of question: String, for client: String, in view: String?) -> Int {
    state.withLock { state in
      if let view { state.evict { sameBytes($0.client, client) && $0.view.map { sameBytes($0, view) } ?? false } }
      state.numbers += 1
      state.lists[state.numbers] = List(question: question, findings: findings, client: client, view: view)
      state.order.append(state.numbers)
      if state.order.count > Self.limit { state.evictOne() }
      return state.numbers
    }
  }

  /// Nil for a list that was evicted, and for a list of another query.
  func findings(_ number: Int, of question: String) -> QueryFindings? {
    state.withLock { state in
      guard let list = state.lists[number], sameBytes(list.question, question) else { return nil }
      return list.findings
    }
  }
}

extension Services {
  var queryLists: QueryLists { memory.object(QueryLists.self) { QueryLists() } }
}

/// Where a list of hits continues: in a stored list, or, if that was evicted, after a text in the same list created
/// anew.
struct QueryCursor: Sendable {
  /// The mark of the query whose hits these are: in the list of another query the place is invalid.
  var question: String
  var list: Int
  /// The time relative to which the age of texts is computed, UTC milliseconds.
  var now: Int64
  /// How many hits precede it.
  var offset: Int
  /// The row of the last of them.
  var row: Int64
  /// Whether that hit is not ranked, but is one of the further matches.
  var isFurther = false

  /// `question/list/now/offset/row`, and `/further` after the ranked hits.
  var text: String { "\(question)/\(list)/\(now)/\(offset)/\(row)" + (isFurther ? "/further" : "") }

  /// The mark of a query: the beginning of its hash, the same after a restart.
  static func mark(of question: String) -> String { String(Blobs.hash(of: Array(question.utf8)).prefix(16)) }

  /// How many of these precede the requested part.
  func start(in hits: [RankedText]) -> Int {
    if offset <= hits.count, offset > 0, hits[offset - 1].row == row { return offset }
    return hits.firstIndex { $0.row == row }.map { $0 + 1 } ?? min(offset, hits.count)
  }
}

extension QueryCursor {
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isFurther = parts.count == 6 && parts[5] == "further"
    guard parts.count == 5 || isFurther, let list = Int(parts[1]), let now = Int64(parts[2]),
      let offset = Int(parts[3]), let row = Int64(parts[4]), Instant(exactly: now) != nil,
      (0...(isFurther ? Int(Int32.max) : SearchIndex.mostHits)).contains(offset)
    else { return nil }
    self.init(question: String(parts[0]), list: list, now: now, offset: offset, row: row, isFurther: isFurther)
  }
}
