import Synchronization

/// Scans that run one after another, each of one path. A request for a path joins the scan of it that waits to begin, so
/// a path has at most a running and a waiting scan, however many requests there are.
final class ScanQueue: Sendable {
  private struct Scan {
    var key: PathKey
    var task: Task<Void, Never>
    var isWaiting = true
  }

  private struct State {
    var scans: [Int: Scan] = [:]
    var numbers = 0
    var last: Task<Void, Never>?
    var isEnded = false
  }

  private let state = Mutex(State())

  /// The task of a scan that begins after this call; nil after the end.
  ///
  /// - Parameter body: gets the number of the scan. Not called if the scan is cancelled before it begins.
  func request(_ path: String, _ body: @escaping @Sendable (Int) async -> Void) -> Task<Void, Never>? {
    let key = PathKey(path)
    return state.withLock { state in
      if state.isEnded { return nil }
      if let waiting = state.scans.values.first(where: { $0.key == key && $0.isWaiting }) { return waiting.task }
      state.numbers += 1
      let (number, previous) = (state.numbers, state.last)
      let task = Task {
        await previous?.value
        if begin(number) { await body(number) }
        finish(number)
      }
      state.scans[number] = Scan(key: key, task: task)
      state.last = task
      return task
    }
  }

  /// Runs `body` unless the scan was cancelled. A later `cancel` waits for it.
  func unlessCancelled(_ number: Int, _ body: () -> Void) {
    state.withLock { if $0.scans[number] != nil { body() } }
  }

  /// Cancels the scans of a path. They may still be running when it returns.
  func cancel(_ path: String) {
    let key = PathKey(path)
    cancel { $0.key == key }
  }

  /// Cancels all scans; none begins any more.
  func end() {
    state.withLock { $0.isEnded = true }
    cancel { _ in true }
  }

  private func cancel(_ isMeant: (Scan) -> Bool) {
    let cancelled = state.withLock { state in
      let cancelled = state.scans.filter { isMeant($0.value) }
      for number in cancelled.keys { state.scans[number] = nil }
      return cancelled.values
    }
    for scan in cancelled { scan.task.cancel() }
  }

  private func begin(_ number: Int) -> Bool {
    state.withLock { state in
      state.scans[number]?.isWaiting = false
      return state.scans[number] != nil
    }
  }

  private func finish(_ number: Int) { state.withLock { $0.scans[number] = nil } }
}
