import Synchronization

/// The newest commits, in clock order, for all followers of the library.
///
/// The writer appends right after a commit, under the lock, so this order is the order of commits. A follower stores
/// only a clock; its delta is computed when it can receive it, and a follower that lags too far gets a reset. So a slow
/// client costs nothing but its number.
package final class ChangeFeed: Sendable {
  private struct State {
    var head: Int64
    /// The clock before the oldest stored commit.
    var floor: Int64
    var commits: [StoredCommit] = []
    /// Index of the oldest commit in `commits`; the unused part before it is removed from time to time.
    var first = 0
    var changeCount = 0
    var wakers: [Int: @Sendable () -> Void] = [:]
    var nextWaker = 0
  }

  /// A stored commit. If it changed more items than are reported one by one, only its collections are stored.
  private struct StoredCommit {
    var clock: Int64
    var changes: [Change]
    var bulk: Set<String> = []
    var counts: [ItemCount]

    init(_ commit: Commit) {
      clock = commit.clock
      counts = commit.counts
      changes = commit.isOfMany ? [] : commit.changes
      if changes.isEmpty { bulk = Set(commit.changes.map(\.collection)) }
    }

    /// The number of entries that count towards the capacity.
    var size: Int { changes.count + bulk.count + counts.count }
  }

  /// How many changes are stored for followers that lag: twice the number that would be reported one by one
  /// (`Delta.limit`).
  package static let usualCapacity = 2_048

  private let capacity: Int
  private let state: Mutex<State>

  package init(clock: Int64, capacity: Int = usualCapacity) {
    self.capacity = capacity
    state = Mutex(State(head: clock, floor: clock))
  }

  /// The newest published clock. A reply with clock N waits until this has reached N.
  package var head: Int64 {
    state.withLock(\.head)
  }

  /// Called by the writer only, right after COMMIT.
  func append(_ commits: [Commit]) {
    guard let last = commits.last else { return }
    let wakers = state.withLock { state in
      let stored = commits.map(StoredCommit.init)
      state.commits.append(contentsOf: stored)
      state.changeCount += stored.reduce(0) { $0 + $1.size }
      state.head = last.clock
      trim(&state)
      return Array(state.wakers.values)
    }
    for wake in wakers { wake() }
  }

  /// The merged changes after `clock`; nil if there are none.
  package func delta(since clock: Int64) -> Delta? {
    // Copied under the lock, merged outside of it, so that a lagging follower does not block the writer.
    let (head, commits) = state.withLock { state -> (Int64, [StoredCommit]?) in
      guard clock < state.head else { return (state.head, []) }
      guard clock >= state.floor else { return (state.head, nil) }
      return (state.head, Array(state.commits[(state.first + Int(clock - state.floor))...]))
    }
    guard let commits else { return Delta(since: clock, clock: head, content: .reset(nil)) }
    guard !commits.isEmpty else { return nil }
    let counts = ItemCount.merged(commits.flatMap(\.counts))
    guard commits.allSatisfy(\.bulk.isEmpty) else {
      let collections = commits.reduce(into: Set<String>()) { names, commit in
        names.formUnion(commit.bulk)
        for change in commit.changes { names.insert(change.collection) }
      }
      return Delta(since: clock, clock: head, content: .reset(collections.sorted()), counts: counts)
    }
    var merger = ChangeMerger()
    for commit in commits {
      for change in commit.changes { merger.add(change) }
    }
    var delta = merger.delta(since: clock, clock: head)
    delta.counts = counts
    return delta
  }

  /// Calls `wake` after every group of commits, on the writer's thread, so it must only schedule work. Returns a token
  /// for `unfollow`.
  package func follow(_ wake: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.nextWaker += 1
      state.wakers[state.nextWaker] = wake
      return state.nextWaker
    }
  }

  package func unfollow(_ token: Int) {
    state.withLock { $0.wakers[token] = nil }
  }

  /// Drops the oldest commits beyond the capacity. Commits have consecutive clocks, so a clock is an index into the
  /// array.
  private func trim(_ state: inout State) {
    while state.changeCount > capacity || state.commits.count - state.first > capacity {
      state.changeCount -= state.commits[state.first].size
      state.floor = state.commits[state.first].clock
      state.first += 1
    }
    if state.first > state.commits.count / 2, state.first > 1_024 {
      state.commits.removeFirst(state.first)
      state.first = 0
    }
  }
}
