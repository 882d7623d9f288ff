import Kit
import SearchEngine
import Store
import Synchronization
import Wire

/// The hits of the questions that were asked last, so that what is written meanwhile moves nothing while a client pages
/// through them. In memory: after a restart the question is asked again, as of the same moment.
final class QueryLists: Sendable {
  private struct List {
    var question: String
    var findings: QueryFindings
  }

  private struct State {
    var lists: [Int: List] = [:]
    /// The numbers of the lists, the oldest first.
    var order: [Int] = []
    var numbers = 0
  }

  private static let limit = 32

  private let state = Mutex(State())

  /// Keeps a list; the number stands for it.
  func keep(_ findings: QueryFindings, of question: String) -> Int {
    state.withLock { state in
      state.numbers += 1
      state.lists[state.numbers] = List(question: question, findings: findings)
      state.order.append(state.numbers)
      if state.order.count > Self.limit { state.lists[state.order.removeFirst()] = nil }
      return state.numbers
    }
  }

  /// Nil for one that was let go, and for one of another question.
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

/// Where a list of hits goes on: in a list that is kept, or, where that has gone, behind a text in the same list made anew.
struct QueryCursor: Sendable {
  /// The mark of the question whose hits these are: in the list of another the place means nothing.
  var question: String
  var list: Int
  /// What the age of texts is counted from, UTC milliseconds.
  var now: Int64
  /// How many hits come before.
  var offset: Int
  /// The row of the last of them.
  var row: Int64
  /// Whether that hit is none of the ranked ones, but of those that follow them.
  var isFurther = false

  /// `question/list/now/offset/row`, and `/further` after the ranked hits.
  var text: String { "\(question)/\(list)/\(now)/\(offset)/\(row)" + (isFurther ? "/further" : "") }

  /// The mark of a question: the beginning of its hash, the same after a restart.
  static func mark(of question: String) -> String { String(Blobs.hash(of: Array(question.utf8)).prefix(16)) }

  /// How many of these come before the part that is wanted.
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
      let offset = Int(parts[3]), let row = Int64(parts[4]),
      (0...(isFurther ? Int(Int32.max) : SearchIndex.mostHits)).contains(offset)
    else { return nil }
    self.init(question: String(parts[0]), list: list, now: now, offset: offset, row: row, isFurther: isFurther)
  }
}
