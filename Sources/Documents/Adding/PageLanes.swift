import PDF
import Synchronization

/// The pages of a file whose text is to be extracted, shared by two workers.
///
///     lane 0   0 ═══►              │
///     lane 1                   600 ═══════►             1,200
///
/// Each goes through a range of its own, since a worker that reads on finds the fonts of the page before. A lane that
/// has reached its end takes the second half of the other lane's remaining pages.
///
/// A page that hangs a worker costs a whole timeout. So after two failures in a row a lane leaps, each time twice as
/// far, until it finds a readable page. The pages it has leapt over are set aside until all others are done:
///
///     lane 0   ════►✗✗┈┈┈✗┈┈┈┈┈┈┈════════►
///                     └─ aside ─┘ read from its end, where the good pages are
final class PageLanes: Sendable {
  private struct Lane {
    /// The pages of the lane that have not been started.
    var rest: Range<Int>
    /// How many pages have failed in a row.
    var failed = 0
    var leap = PageLanes.step
    /// The pages it has leapt over last.
    var leapt: Range<Int>?
  }

  private struct State {
    var lanes: [Lane]
    /// The pages that were leapt over, in the order in which they are read later: first the range that a readable
    /// page follows.
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

  /// Pages of one request to a worker: some 60 ms of work. A write has as many, or those of two requests. Fewer
  /// towards the end of a lane, so that no worker is done long before the other.
  static let step = 24
  static let leastStep = 4
  /// Requests of each lane that are started before the document exists: with only one, workers would wait for the end
  /// of the write that adds it.
  private static let ahead = 2
  /// After so many failures in a row, the next pages are not tried one by one.
  static let mostInRow = 2
  /// When so many pages of a file have failed, or its failures have taken so long, the remaining pages are given up:
  /// other documents wait for their turn.
  static let mostFailures = 64
  static let mostSpent = Duration.seconds(300)

  private let state: Mutex<State>

  /// - Parameters:
  ///   - pages: the range of pages to check for missing text.
  ///   - least: the fewest pages for which a lane is worth a worker that has to open the file.
  init(_ pages: Range<Int>, least: Int = 2 * step) {
    let middle = pages.lowerBound + pages.count / 2
    let rest = pages.count < 2 * least ? [pages] : [pages.lowerBound..<middle, middle..<pages.upperBound]
    state = Mutex(State(lanes: rest.map { Lane(rest: $0) }))
  }

  var lanes: Range<Int> { state.withLock { $0.lanes.indices } }

  /// Where a lane continues, and with how many pages at once; nil at its end.
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

  /// The first requests of each lane of these pages, in the order in which the lanes make them.
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

  /// Starts pages of a lane, of which the other lane may have taken some meanwhile; all pages before them are done.
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

  /// Notes that pages of a lane could be read.
  func read(in lane: Int) {
    state.withLock { state in
      if let leapt = state.lanes[lane].leapt, let index = state.aside.firstIndex(of: leapt) {
        state.aside.insert(state.aside.remove(at: index), at: 0)
      }
      state.lanes[lane] = Lane(rest: state.lanes[lane].rest)
    }
  }

  /// Notes that a page that a lane had started has failed. The lane may leap from there; the pages it had started
  /// after this one are set aside too.
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

  /// Whether the last pages of a lane have failed, so that it continues elsewhere.
  func hasLeapt(_ lane: Int) -> Bool {
    state.withLock { $0.lanes[lane].failed >= Self.mostInRow }
  }

  /// Notes that a page that was set aside has failed.
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

  /// Appended after all pages that are set aside already, so that one bad range does not delay the others.
  func setAside(_ pages: Range<Int>) {
    if !pages.isEmpty { state.withLock { $0.aside.append(pages) } }
  }

  /// Adds the time that a failed request has taken.
  func spend(_ time: Duration) {
    state.withLock { $0.spent += time }
  }

  /// Starts nothing more; missing text stays missing.
  func halt() {
    state.withLock { $0.isHalted = true }
  }

  var isOver: Bool { state.withLock(\.isOver) }
  var isHalted: Bool { state.withLock(\.isHalted) }
  /// The failure that stopped the extraction; nil while not too much has failed.
  var hopeless: WorkerFailure? { state.withLock { $0.isHopeless ? $0.lastFailure : nil } }
}
