import Foundation
import TestSupport
import Testing

@testable import PDF

@Suite("The pool of workers: what nobody asked for", .serialized)
struct WorkerUrgencyTests {
  private static let page = PictureRequest(page: 0, size: .width(200))
  private static let plain = SamplePDF(pages: [SamplePDF.Page(["plain"])])

  private static func isBusy(_ status: WorkerStatus, _ document: String, _ count: Int = 1) -> Bool {
    status.workers.count { $0.isBusy && $0.document == document } == count
  }

  @Test("what is drawn ahead makes way for who asks, and is held neither against its document nor its worker's count")
  func makesWay() async throws {
    let bench = try PDFBench()
    let endless = try bench.source(.endless, named: "endless")
    for _ in 0..<4 {
      _ = try await bench.pool.inspect(endless)
      let path = bench.newPath()
      let ahead = Task { try await bench.pool.render(endless, Self.page, into: path, urgency: Urgency(.ahead)) }
      try await bench.until { Self.isBusy($0, "endless") }
      #expect(try await bench.pool.extract(endless, pages: 1..<2)[0].text.hasPrefix("after"))
      await #expect(throws: WorkerFailure.cancelled) { _ = try await ahead.value }
      #expect(!FileManager.default.fileExists(atPath: path))
    }
    let status = bench.pool.status
    #expect(status.timeouts == 0 && status.crashes == 0 && status.dangerous == [])
  }

  @Test("what is drawn ahead opens no document: it waits for one that somebody opens")
  func opensNothing() async throws {
    let bench = try PDFBench()
    let source = try bench.source(Self.plain)
    let path = bench.newPath()
    let ahead = Task { try await bench.pool.render(source, Self.page, into: path, urgency: Urgency(.ahead)) }
    try await bench.until { $0.waiting == 1 && $0.spares == 1 }
    #expect(bench.pool.status.workers.allSatisfy { $0.document == nil })
    _ = try await bench.pool.inspect(source)
    #expect(try await ahead.value.width == 200)
  }

  @Test("a page that never ends is given up ahead after two seconds, and as any other once somebody waits for it")
  func givenUp() async throws {
    let bench = try PDFBench { $0.timeout = .seconds(4) }
    let endless = try bench.source(.endless, named: "endless")
    _ = try await bench.pool.inspect(endless)
    await #expect(throws: WorkerFailure.timedOut) {
      _ = try await bench.pool.render(endless, Self.page, into: bench.newPath(), urgency: Urgency(.ahead))
    }
    #expect(bench.pool.status.timeouts == 0)
    _ = try await bench.pool.inspect(endless)
    let urgency = Urgency(.ahead)
    let path = bench.newPath()
    let start = ContinuousClock.now
    let ahead = Task { try await bench.pool.render(endless, Self.page, into: path, urgency: urgency) }
    try await bench.until { Self.isBusy($0, "endless") }
    bench.pool.hurry(urgency)
    await #expect(throws: WorkerFailure.timedOut) { _ = try await ahead.value }
    #expect(ContinuousClock.now - start >= .seconds(4))
    #expect(bench.pool.status.timeouts == 1)
  }

  @Test("two workers take out the text of one document, and who asks for it or for another is served meanwhile")
  func twoOfOne() async throws {
    let bench = try PDFBench()
    try await bench.pool.warm()
    let endless = try bench.source(.endless, named: "endless")
    let plain = try bench.source(Self.plain)
    let later = (0..<3).map { _ in
      let path = bench.newPath()
      return Task { try await bench.pool.render(endless, Self.page, into: path, urgency: Urgency(.later)) }
    }
    try await bench.until { Self.isBusy($0, "endless", 2) && $0.waiting == 1 }
    #expect(bench.pool.status.restarts == 0, "those that are there beside the first have replaced nobody")
    #expect(try await bench.pool.extract(endless, pages: 1..<2)[0].text.hasPrefix("after"))
    #expect(Self.isBusy(bench.pool.status, "endless", 2), "the last worker is nobody's who waits for nothing")
    #expect(try await bench.pool.inspect(plain).pages.count == 1)
    #expect(try await bench.pool.extract(endless, pages: 1..<2)[0].text.hasPrefix("after"))
    #expect(bench.pool.status.workers.count <= 3, "two that were configured and a spare")
    for task in later {
      task.cancel()
      await #expect(throws: WorkerFailure.cancelled) { _ = try await task.value }
    }
    try await bench.until { !Self.isBusy($0, "endless", 2) && $0.spares == 1 }
    #expect(bench.pool.status.crashes == 0)
  }

  @Test("a spare that nobody needs yet is not started while all workers have just begun, and is there when they rest")
  func spareWaits() async throws {
    let bench = try PDFBench()
    try await bench.pool.warm()
    let plain = try bench.source(Self.plain)
    _ = try await bench.pool.inspect(plain)
    try await bench.until { $0.spares == 1 }
    let endless = try bench.source(.endless, named: "endless")
    let other = try bench.source(.endless, named: "other")
    let busy = [endless, other].map { source in
      let path = bench.newPath()
      return Task { try await bench.pool.render(source, Self.page, into: path, urgency: Urgency(.later)) }
    }
    try await bench.until { Self.isBusy($0, "endless") && Self.isBusy($0, "other") }
    // When it has been long enough one comes, though they are busy still.
    try await bench.until { $0.spares == 1 }
    #expect(Self.isBusy(bench.pool.status, "endless") && Self.isBusy(bench.pool.status, "other"))
    for task in busy { task.cancel() }
    for task in busy { _ = await task.result }
  }

  @Test("a worker that has just answered is about to be asked again, and is not disturbed by one that warms up")
  func settling() {
    let taken = ContinuousClock.now
    #expect(PoolLoop.settled(taken: taken, answered: nil) == taken + .milliseconds(500))
    #expect(PoolLoop.settled(taken: taken, answered: taken + .milliseconds(30)) == taken + .milliseconds(80))
    #expect(PoolLoop.settled(taken: taken, answered: taken + .seconds(9)) == taken + .milliseconds(500))
  }

  @Test("a worker that was to open a file that is not there has seen nothing, and stays a spare")
  func staysSpare() async throws {
    let bench = try PDFBench()
    try await bench.pool.warm()
    let before = bench.pool.status.workers.map(\.pid)
    let missing = DocumentSource(key: "missing", path: bench.newPath())
    await #expect(throws: WorkerFailure.unreadable(errno: 2)) { _ = try await bench.pool.inspect(missing) }
    #expect(bench.pool.status.workers.map(\.pid) == before && bench.pool.status.spares == 1)
  }

  @Test("with one worker the text of a document waits for nobody, and nobody waits for it")
  func oneWorker() async throws {
    let bench = try PDFBench { $0.workers = 1 }
    let endless = try bench.source(.endless, named: "endless")
    let later = (0..<2).map { _ in
      let path = bench.newPath()
      return Task { try await bench.pool.render(endless, Self.page, into: path, urgency: Urgency(.later)) }
    }
    try await bench.until { Self.isBusy($0, "endless") && $0.waiting == 1 }
    #expect(try await bench.pool.inspect(endless).pages.count == 2)
    #expect(bench.pool.status.waiting == 1)
    for task in later { task.cancel() }
    for task in later { _ = await task.result }
  }
}
