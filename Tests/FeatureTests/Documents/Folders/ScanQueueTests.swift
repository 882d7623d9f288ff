import Synchronization
import TestSupport
import Testing

@testable import Documents

@Suite("Documents: scans one after another", .timeLimit(.minutes(10))) struct ScanQueueTests {
  private final class Runs: Sendable {
    let paths = Mutex<[String]>([])

    func note(_ path: String) { paths.withLock { $0.append(path) } }
  }

  /// Begins a scan of "/a" that waits at the gate.
  private func begin(_ queue: ScanQueue, _ gate: ToyGate, _ runs: Runs) async -> Task<Void, Never>? {
    let scan = queue.request("/a") { _ in
      runs.note("/a")
      try? await gate.passOrCancel()
    }
    await gate.reached()
    return scan
  }

  private func request(_ path: String, _ queue: ScanQueue, _ runs: Runs) -> Task<Void, Never>? {
    queue.request(path) { _ in runs.note(path) }
  }

  @Test("requests for one path while it is scanned are one more scan")
  func joined() async {
    let (queue, gate, runs) = (ScanQueue(), ToyGate.make(), Runs())
    let first = await begin(queue, gate, runs)
    let waiting = (1...50).map { _ in request("/a", queue, runs) }
    let other = request("/b", queue, runs)
    gate.open()
    for task in [first, other] + waiting { await task?.value }
    #expect(runs.paths.withLock(\.self) == ["/a", "/a", "/b"])
  }

  @Test("cancelled scans end, those that wait do not begin, and other paths go on")
  func cancelled() async {
    let (queue, gate, runs) = (ScanQueue(), ToyGate.make(), Runs())
    let first = await begin(queue, gate, runs)
    let tasks = [first, request("/a", queue, runs), request("/b", queue, runs)]
    queue.cancel("/a")
    for task in tasks { await task?.value }
    #expect(runs.paths.withLock(\.self) == ["/a", "/b"])
  }

  @Test("after the end no scan begins, and all that were requested are cancelled")
  func ended() async {
    let (queue, gate, runs) = (ScanQueue(), ToyGate.make(), Runs())
    let first = await begin(queue, gate, runs)
    let tasks = [first, request("/a", queue, runs), request("/b", queue, runs)]
    queue.end()
    for task in tasks { await task?.value }
    #expect(request("/c", queue, runs) == nil)
    #expect(runs.paths.withLock(\.self) == ["/a"])
  }
}
