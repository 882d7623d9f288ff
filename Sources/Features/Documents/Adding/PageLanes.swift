import Synchronization

/// The pages of a file whose text is to be taken out, shared by two workers.
///
///     lane 0   0 ═══►              │
///     lane 1                   600 ═══════►             1,200
///
/// Each goes through a range of its own, since a worker that reads on finds the fonts of the page before. One that has
/// come to its end takes the second half of what is left of the other.
final class PageLanes: Sendable {
  private struct State {
    /// What of each lane nobody has begun with.
    var rest: [Range<Int>]
    var failures = 0
    var isOver = false
    var isHalted = false
  }

  private let state: Mutex<State>
  private let least: Int

  /// - Parameters:
  ///   - pages: where pages without text may lie.
  ///   - least: the fewest pages for which a lane is worth a worker.
  init(_ pages: Range<Int>, least: Int) {
    self.least = least
    let middle = pages.lowerBound + pages.count / 2
    let rest = pages.count < 2 * least ? [pages] : [pages.lowerBound..<middle, middle..<pages.upperBound]
    state = Mutex(State(rest: rest))
  }

  var lanes: Range<Int> { state.withLock { $0.rest.indices } }

  /// Where a lane goes on; nil at its end.
  func range(of lane: Int) -> Range<Int>? {
    state.withLock { state in
      guard !state.isOver else { return nil }
      if !state.rest[lane].isEmpty { return state.rest[lane] }
      guard let other = state.rest.indices.max(by: { state.rest[$0].count < state.rest[$1].count }),
        state.rest[other].count >= 2 * least
      else { return nil }
      let shared = state.rest[other]
      let middle = shared.lowerBound + shared.count / 2
      state.rest[other] = shared.lowerBound..<middle
      state.rest[lane] = middle..<shared.upperBound
      return state.rest[lane]
    }
  }

  /// Begins with pages of a lane, of which the other may have taken some meanwhile; all before them are done.
  func begin(_ pages: Range<Int>, in lane: Int) -> Range<Int> {
    state.withLock { state in
      let rest = state.rest[lane]
      let own = pages.clamped(to: rest)
      state.rest[lane] = min(rest.upperBound, max(rest.lowerBound, pages.upperBound))..<rest.upperBound
      return state.isOver ? own.lowerBound..<own.lowerBound : own
    }
  }

  /// There is nothing to do in this range.
  func skip(_ range: Range<Int>, in lane: Int) {
    _ = begin(range, in: lane)
  }

  /// One more page has failed. Returns true for the one that makes the rest hopeless: nothing more is begun then.
  func fail(most: Int) -> Bool {
    state.withLock { state in
      state.failures += 1
      guard state.failures >= most, !state.isOver else { return false }
      state.isOver = true
      return true
    }
  }

  /// Nothing more is begun, and what is missing stays missing.
  func halt() {
    state.withLock { state in
      state.isOver = true
      state.isHalted = true
    }
  }

  var isOver: Bool { state.withLock(\.isOver) }
  var isHalted: Bool { state.withLock(\.isHalted) }
}
