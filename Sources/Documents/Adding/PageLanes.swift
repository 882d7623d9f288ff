import PDF
import Synchronization

/// The pages of a file whose text is to be taken out, shared by two workers.
///
///     lane 0   0 ═══►              │
///     lane 1                   600 ═══════►             1,200
///
/// Each goes through a range of its own, since a worker that reads on finds the fonts of the page before. One that has
/// come to its end takes the second half of what is left of the other.
///
/// A page that hangs a worker costs a whole deadline. So where two in a row have failed a lane leaps, each time twice as
/// far, until it finds a page that can be read; what it has leapt over is set aside until all else is done:
///
///     lane 0   ════►✗✗┈┈┈✗┈┈┈┈┈┈┈════════►
///                     └─ aside ─┘ read from its end, where the good pages are
final class PageLanes: Sendable {
  private struct Lane {
    /// What of it nobody has begun with.
    var rest: Range<Int>
    /// How many pages have failed, one behind the other.
    var failed = 0
    var leap = PageLanes.step
    /// What it has leapt over last.
    var leapt: Range<Int>?
  }

  private struct State {
    var lanes: [Lane]
    /// What was leapt over, in the order in which it is gone back to: first that behind which comes a page that can be
    /// read.
    var aside: [Range<Int>] = []
    var failures = 0
    var spent = Duration.zero
    var lastFailure: WorkerFailure?
    var isHalted = false

    var isHopeless: Bool { failures >= PageLanes.mostFailures || (failures > 0 && spent >= PageLanes.mostSpent) }
    var isOver: Bool { isHalted || isHopeless }

    func step(in lane: Int) -> Int {
      lanes.count == 1
        ? PageLanes.step : min(PageLanes.step, max(PageLanes.leastStep, lanes[lane].rest.count / 2))
    }
  }

  /// Pages of one request to a worker: some 60 ms of work. A write is of as many, or of two requests. Towards the end of a
  /// lane fewer, so that no worker is done long before the other.
  static let step = 24
  static let leastStep = 4
  /// Requests of each lane that are begun with before the document is there: with one alone, workers would wait for the
  /// end of the write that adds it.
  private static let ahead = 2
  /// Behind so many pages that failed one behind the other, the next are not tried one by one.
  static let mostInRow = 2
  /// When so many pages of a file have failed, or its failures have taken so long, what is left is given up: other
  /// documents wait for their turn.
  static let mostFailures = 64
  static let mostSpent = Duration.seconds(300)

  private let state: Mutex<State>

  /// - Parameters:
  ///   - pages: where pages without text may lie.
  ///   - least: the fewest pages for which a lane is worth a worker that has to begin with the file.
  init(_ pages: Range<Int>, least: Int = 2 * step) {
    let middle = pages.lowerBound + pages.count / 2
    let rest = pages.count < 2 * least ? [pages] : [pages.lowerBound..<middle, middle..<pages.upperBound]
    state = Mutex(State(lanes: rest.map { Lane(rest: $0) }))
  }

  var lanes: Range<Int> { state.withLock { $0.lanes.indices } }

  /// Where a lane goes on, and with how many pages at once; nil at its end.
  func next(of lane: Int) -> (range: Range<Int>, limit: Int)? {
    state.withLock { state in
      guard !state.isOver else { return nil }
      let own = state.lanes[lane]
      if !own.rest.isEmpty { return (own.rest, own.failed < Self.mostInRow ? state.step(in: lane) : 1) }
      guard let other = state.lanes.indices.max(by: { state.lanes[$0].rest.count < state.lanes[$1].rest.count }),
        state.lanes[other].rest.count >= 2 * Self.leastStep
      else { return nil }
      let shared = state.lanes[other].rest
      let middle = shared.lowerBound + shared.count / 2
      state.lanes[other].rest = shared.lowerBound..<middle
      state.lanes[lane] = Lane(rest: middle..<shared.upperBound)
      return (state.lanes[lane].rest, state.step(in: lane))
    }
  }

  /// What the lanes of these pages begin with and go on with: the first requests of each, in the order in which they are
  /// wanted.
  static func beginnings(of pages: Range<Int>) -> [Range<Int>] {
    let lanes = PageLanes(pages)
    return (0..<ahead).flatMap { _ in
      lanes.lanes.compactMap { lane in
        lanes.next(of: lane).map { range, limit in
          lanes.begin((range.lowerBound..<range.lowerBound + limit).clamped(to: range), in: lane)
        }
      }
    }
  }

  /// Begins with pages of a lane, of which the other may have taken some meanwhile; all before them are done.
  func begin(_ pages: Range<Int>, in lane: Int) -> Range<Int> {
    state.withLock { state in
      let rest = state.lanes[lane].rest
      let own = pages.clamped(to: rest)
      state.lanes[lane].rest = min(rest.upperBound, max(rest.lowerBound, pages.upperBound))..<rest.upperBound
      return state.isOver ? own.lowerBound..<own.lowerBound : own
    }
  }

  /// There is nothing to do in this range.
  func skip(_ range: Range<Int>, in lane: Int) {
    _ = begin(range, in: lane)
  }

  /// Pages of a lane could be read.
  func read(in lane: Int) {
    state.withLock { state in
      if let leapt = state.lanes[lane].leapt, let index = state.aside.firstIndex(of: leapt) {
        state.aside.insert(state.aside.remove(at: index), at: 0)
      }
      state.lanes[lane] = Lane(rest: state.lanes[lane].rest)
    }
  }

  /// A page that a lane had begun with has failed. The lane may leap from there, and what it had begun with behind the
  /// page is set aside too.
  func fail(at page: Int, in lane: Int, because failure: WorkerFailure) {
    state.withLock { state in
      state.failures += 1
      state.lastFailure = failure
      state.lanes[lane].failed += 1
      let own = state.lanes[lane]
      guard own.failed >= Self.mostInRow else { return }
      let target = min(own.rest.upperBound, max(own.rest.lowerBound, page + 1 + own.leap))
      if page + 1 < target { state.aside.append(page + 1..<target) }
      state.lanes[lane].leapt = page + 1..<target
      state.lanes[lane].rest = target..<own.rest.upperBound
      state.lanes[lane].leap *= 2
    }
  }

  /// Whether the last pages of a lane have failed, so that it goes on elsewhere.
  func hasLeapt(_ lane: Int) -> Bool {
    state.withLock { $0.lanes[lane].failed >= Self.mostInRow }
  }

  /// A page of those that were set aside has failed.
  func failAside(because failure: WorkerFailure) {
    state.withLock { state in
      state.failures += 1
      state.lastFailure = failure
    }
  }

  /// The next pages that were set aside; nil at the end.
  func takeAside() -> Range<Int>? {
    state.withLock { state in
      state.isOver || state.aside.isEmpty ? nil : state.aside.removeFirst()
    }
  }

  /// Behind all that are set aside already, so that one rotten stretch does not keep the others waiting.
  func setAside(_ pages: Range<Int>) {
    if !pages.isEmpty { state.withLock { $0.aside.append(pages) } }
  }

  /// A request that failed has taken so long.
  func spend(_ time: Duration) {
    state.withLock { $0.spent += time }
  }

  /// Nothing more is begun, and what is missing stays missing.
  func halt() {
    state.withLock { $0.isHalted = true }
  }

  var isOver: Bool { state.withLock(\.isOver) }
  var isHalted: Bool { state.withLock(\.isHalted) }
  /// Why nothing more is begun, where too much has failed.
  var hopeless: WorkerFailure? { state.withLock { $0.isHopeless ? $0.lastFailure : nil } }
}
