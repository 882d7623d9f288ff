import Foundation
import PDF
import TestSupport
import Testing

@Suite("The pool of workers", .serialized)
struct WorkerPoolTests {
  private static let page = PictureRequest(page: 0, size: .width(200))
  private static let plain = SamplePDF(pages: [SamplePDF.Page(["plain"])])

  @Test("A page that never ends is given up at its deadline, and its document is not lost for it")
  func deadline() async throws {
    let bench = try PDFBench { $0.timeout = .seconds(2) }
    let endless = try bench.source(.endless, named: "endless")
    try await bench.pool.warm()
    await #expect(throws: WorkerFailure.timedOut) {
      _ = try await bench.pool.render(endless, Self.page, into: bench.newPath())
    }
    #expect(bench.pool.status.timeouts == 1)
    #expect(bench.log.events.count == 1 && bench.log.events[0].contains("render of page 1 of endless"))
    #expect(try await bench.pool.extract(endless, pages: 1..<2)[0].text.hasPrefix("after"))
  }

  @Test("While one document hangs, another is served")
  func besides() async throws {
    let bench = try PDFBench()
    let endless = try bench.source(.endless, named: "endless")
    let plain = try bench.source(Self.plain)
    let drawing = Task { try await bench.pool.render(endless, Self.page, into: bench.newPath()) }
    try await bench.until { $0.workers.contains { $0.isBusy && $0.document == "endless" } }
    #expect(try await bench.pool.inspect(plain).pages.count == 1)
    #expect(bench.pool.status.workers.contains { $0.isBusy && $0.document == "endless" })
    drawing.cancel()
    await #expect(throws: WorkerFailure.cancelled) { _ = try await drawing.value }
  }

  @Test("A page that takes all memory fails alone")
  func greedy() async throws {
    let bench = try PDFBench { $0.memory = 256 }
    let greedy = try bench.source(.greedy, named: "greedy")
    do {
      // Splash, which is asked where cairo gives up, leaves out the letter that is drawn with itself.
      _ = try await bench.pool.render(greedy, Self.page, into: bench.newPath())
    } catch .outOfMemory, .crashed, .undrawable {
    }
    #expect(try await bench.pool.extract(greedy, pages: 1..<2)[0].text.hasPrefix("after"))
  }

  @Test("A crash is its request's answer, names the signal, and the pool lives on")
  func crash() async throws {
    let bench = try PDFBench()
    let endless = try bench.source(.endless, named: "endless")
    let drawing = Task { try await bench.pool.render(endless, Self.page, into: bench.newPath()) }
    try await bench.until { $0.workers.contains(where: \.isBusy) }
    let pid = try #require(bench.pool.status.workers.first(where: \.isBusy)?.pid)
    kill(pid, SIGSEGV)
    await #expect(throws: WorkerFailure.crashed(signal: SIGSEGV)) { _ = try await drawing.value }
    #expect(bench.pool.status.crashes == 1)
    #expect(try await bench.pool.extract(endless, pages: 1..<2)[0].text.hasPrefix("after"))
  }

  @Test("A document that crashed three workers is refused until it is forgiven")
  func dangerous() async throws {
    let script = try WorkerScript([WorkerScript.hello, .hear, .end(signal: 11)])
    let bench = try PDFBench(executable: script.path)
    let source = try bench.source(Self.plain, named: "dangerous")
    for _ in 0..<3 {
      await #expect(throws: WorkerFailure.crashed(signal: 11)) { _ = try await bench.pool.inspect(source) }
    }
    #expect(bench.pool.status.dangerous == ["dangerous"])
    // It cannot be opened, so nothing of it is tried.
    #expect(await marked { _ = try await bench.pool.inspect(source) } == .document)
    #expect(await marked { _ = try await bench.pool.outline(source) } == .document)
    #expect(bench.pool.status.crashes == 3)
    #expect(bench.log.events.count == 4 && bench.log.events.count { $0.contains("left alone") } == 1)
    let other = try bench.source(Self.plain, named: "other")
    await #expect(throws: WorkerFailure.crashed(signal: 11)) { _ = try await bench.pool.inspect(other) }
    await bench.pool.forget("dangerous")
    #expect(bench.pool.status.dangerous == [])
    await #expect(throws: WorkerFailure.crashed(signal: 11)) { _ = try await bench.pool.inspect(source) }
  }

  @Test("A page that cost three workers is left alone, and costs its document nothing else")
  func dangerousPage() async throws {
    let script = try WorkerScript([
      WorkerScript.hello, .hear, .say(.opened(pageCount: 2)), .hear, .end(signal: 11),
    ])
    let bench = try PDFBench(executable: script.path)
    let source = try bench.source(Self.plain, named: "dangerous")
    for _ in 0..<3 {
      await #expect(throws: WorkerFailure.crashed(signal: 11)) {
        _ = try await bench.pool.render(source, Self.page, into: bench.newPath())
      }
    }
    #expect(await marked { _ = try await bench.pool.render(source, Self.page, into: bench.newPath()) } == .page(0))
    // All else is tried: that this worker fails at it too is another matter.
    let other = PictureRequest(page: 1, size: .width(200))
    await #expect(throws: WorkerFailure.crashed(signal: 11)) {
      _ = try await bench.pool.render(source, other, into: bench.newPath())
    }
    await #expect(throws: WorkerFailure.crashed(signal: 11)) { _ = try await bench.pool.outline(source) }
    await #expect(throws: WorkerFailure.crashed(signal: 11)) { _ = try await bench.pool.extract(source, pages: 0..<1) }
    #expect(bench.pool.status.crashes == 6)
  }

  @Test("What was said of a document and cannot be true is counted, told of, and held against what was asked")
  func distrusted() async throws {
    let script = try WorkerScript([
      WorkerScript.hello, .hear, .say(.opened(pageCount: 1)), .hear, .say(.written(bytes: 1_000)),
    ])
    let bench = try PDFBench(executable: script.path)
    let source = try bench.source(Self.plain, named: "liar")
    for count in 1...3 {
      await #expect(throws: WorkerFailure.badReply("another length than announced")) {
        _ = try await bench.pool.outline(source)
      }
      try await bench.until { $0.badReplies == count }
    }
    #expect(await marked { _ = try await bench.pool.outline(source) } == .request)
    #expect(bench.pool.status.crashes == 0)
    #expect(bench.log.events.count { $0.contains("outline of liar") } == 4)
  }

  /// What of a document is left alone; nil for any other outcome.
  private func marked(_ ask: () async throws -> Void) async -> WorkerFailure.Part? {
    do {
      try await ask()
    } catch WorkerFailure.markedDangerous(let part, let seconds) {
      return (1...600).contains(seconds) ? part : nil
    } catch {}
    return nil
  }

  @Test("A cancelled request is answered at once, whether it runs or waits, and its worker does not go on")
  func cancellation() async throws {
    let bench = try PDFBench { $0.workers = 1 }
    let endless = try bench.source(.endless, named: "endless")
    let running = Task { try await bench.pool.render(endless, Self.page, into: bench.newPath()) }
    try await bench.until { $0.workers.contains(where: \.isBusy) }
    let pid = try #require(bench.pool.status.workers.first(where: \.isBusy)?.pid)
    let waiting = Task { try await bench.pool.inspect(endless) }
    try await bench.until { $0.waiting == 1 }
    waiting.cancel()
    await #expect(throws: WorkerFailure.cancelled) { _ = try await waiting.value }
    #expect(bench.pool.status.workers.contains { $0.pid == pid && $0.isBusy })
    running.cancel()
    await #expect(throws: WorkerFailure.cancelled) { _ = try await running.value }
    // Killed; or idle, if it had not begun to draw.
    try await bench.until { status in !status.workers.contains { $0.pid == pid && $0.isBusy } }
    #expect(bench.pool.status.timeouts == 0)
    #expect(bench.pool.status.crashes == 0)
    #expect(try await bench.pool.inspect(endless).pages.count == 2)
  }

  @Test("A request that was cancelled before it was made is not run")
  func cancelledBefore() async throws {
    let bench = try PDFBench()
    let source = try bench.source(Self.plain)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await bench.pool.inspect(source)
    }
    await #expect(throws: WorkerFailure.cancelled) { _ = try await task.value }
    #expect(bench.pool.status.workers.allSatisfy { $0.document == nil })
  }

  @Test("Who finds all workers busy waits, and is told so at a deadline of its own")
  func busy() async throws {
    let bench = try PDFBench {
      $0.workers = 1
      $0.timeout = .seconds(3)
    }
    let endless = try bench.source(.endless, named: "endless")
    let plain = try bench.source(Self.plain)
    let drawing = Task { try await bench.pool.render(endless, Self.page, into: bench.newPath()) }
    try await bench.until { $0.workers.contains(where: \.isBusy) }
    // One more for the hung document, in order before the other document's.
    let later = Urgency(.later)
    let second = Task { try await bench.pool.render(endless, Self.page, into: bench.newPath(), urgency: later) }
    try await bench.until { $0.waiting == 1 }
    let asked = Task { try await bench.pool.inspect(plain) }
    try await bench.until { $0.waiting == 2 }
    // Its time begins now, so the second still waits when the first has had its time, and takes the worker.
    bench.pool.hurry(later)
    await #expect(throws: WorkerFailure.busy) { _ = try await asked.value }
    await #expect(throws: WorkerFailure.timedOut) { _ = try await drawing.value }
    second.cancel()
    _ = await second.result
  }

  @Test("One document is served in the order asked, and the longest idle one makes room for another")
  func order() async throws {
    let bench = try PDFBench { $0.workers = 2 }
    let sources = try ["a", "b", "c"].map { try bench.source(Self.plain, named: $0) }
    for source in sources {
      _ = try await bench.pool.inspect(source)
    }
    #expect(Set(bench.pool.status.workers.compactMap(\.document)) == ["b", "c"])
    let worker = bench.pool.status.workers.first { $0.document == "b" }?.pid
    _ = try await bench.pool.inspect(sources[1])
    #expect(bench.pool.status.workers.first { $0.document == "b" }?.pid == worker)
    _ = try await bench.pool.inspect(sources[0])
    #expect(Set(bench.pool.status.workers.compactMap(\.document)) == ["a", "b"])
  }

  @Test("Shutting down answers what runs and what waits, and leaves no process")
  func shutDown() async throws {
    let bench = try PDFBench { $0.workers = 1 }
    let endless = try bench.source(.endless, named: "endless")
    let drawing = Task { try await bench.pool.render(endless, Self.page, into: bench.newPath()) }
    try await bench.until { $0.workers.contains(where: \.isBusy) }
    let waiting = Task { try await bench.pool.inspect(endless) }
    try await bench.until { $0.waiting == 1 }
    try await bench.pool.warm()
    let pids = bench.pool.status.workers.map(\.pid)
    #expect(pids.count == 2)
    await bench.pool.shutDown()
    await #expect(throws: WorkerFailure.shutDown) { _ = try await drawing.value }
    await #expect(throws: WorkerFailure.shutDown) { _ = try await waiting.value }
    for pid in pids {
      #expect(kill(pid, 0) == -1 && errno == ESRCH)
    }
    await #expect(throws: WorkerFailure.shutDown) { _ = try await bench.pool.inspect(endless) }
    await bench.pool.shutDown()
  }

  @Test("A spare that is killed is replaced without being asked for")
  func replacement() async throws {
    let bench = try PDFBench()
    try await bench.pool.warm()
    let pid = try #require(bench.pool.status.workers.first?.pid)
    kill(pid, SIGKILL)
    try await bench.until { status in status.spares == 1 && status.workers[0].pid != pid }
    #expect(bench.pool.status.crashes == 1)
    #expect(bench.pool.status.restarts == 1)
  }

  @Test("Where a document is about to come a worker starts, and none where one waits already")
  func expected() async throws {
    let bench = try PDFBench()
    bench.pool.expect()
    try await bench.until { $0.spares == 1 }
    let pids = bench.pool.status.workers.map(\.pid)
    bench.pool.expect()
    try await bench.pool.warm()
    #expect(bench.pool.status.workers.map(\.pid) == pids && pids.count == 1)
    let kept = try PDFBench()
    kept.pool.keepSpares()
    try await kept.until { $0.spares == 1 }
    // One that was started in haste reads and draws as the others do.
    let source = try bench.source(Self.plain)
    #expect(try await bench.pool.inspect(source).pages.count == 1)
    let drawn = try await bench.draw(source, PictureRequest(page: 0, size: .width(200)))
    let warm = try PDFBench()
    try await warm.pool.warm()
    #expect(try await warm.draw(try warm.source(Self.plain), PictureRequest(page: 0, size: .width(200))) == drawn)
  }

  @Test("A flood on stderr neither stops the worker nor is kept")
  func flood() async throws {
    let script = try WorkerScript([
      WorkerScript.hello, .hear, .complain(bytes: 1_000_000), .say(.opened(pageCount: 1)), .hear,
      .complain(bytes: 10), .end(signal: 6),
    ])
    let bench = try PDFBench(executable: script.path)
    // That the second request is heard shows that nobody had to read the megabyte first.
    await #expect(throws: WorkerFailure.crashed(signal: 6)) {
      _ = try await bench.pool.inspect(try bench.source(Self.plain))
    }
    let words = bench.pool.status.lastWords
    #expect(words.hasPrefix("xxx"))
    #expect(words.utf8.count <= 4_096)
  }

  @Test("A program that cannot be started, or ends at once, is an answer")
  func unavailable() async throws {
    for executable in ["/nonexistent/commonplace-pdf", "/bin/false"] {
      let bench = try PDFBench(executable: executable)
      let source = try bench.source(Self.plain)
      await #expect {
        _ = try await bench.pool.inspect(source)
      } throws: { error in
        if case .unavailable = error as? WorkerFailure { true } else { false }
      }
    }
  }
}
