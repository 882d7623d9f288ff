import PDF
import Synchronization
import TestSupport
import Testing

@testable import Documents

/// What becomes of the text of a file some of whose pages cannot be read, and when it is written.
@Suite("Documents: taking out text", .timeLimit(.minutes(10))) struct TextExtractionTests {
  /// A file whose pages are read without a worker, and the library that they are written into.
  private final class File: Sendable {
    struct State {
      var read: Set<Int> = []
      var unread: Set<Int> = []
      /// Whether the rest was given up, and what was written behind that.
      var isGivenUp = false
      var late: [Int] = []
      var time = ContinuousClock.now
    }

    let state = Mutex(State())
    let count: Int
    let bad: Set<Int>
    /// What a request costs that fails.
    let cost: Duration

    init(_ count: Int, bad: Set<Int> = [], cost: Duration = .zero) {
      (self.count, self.bad, self.cost) = (count, bad, cost)
    }

    var steps: TextExtraction.Steps {
      TextExtraction.Steps(
        missing: { [self] range, limit in
          state.withLock { state in
            Array(range.filter { !state.read.contains($0) && !state.unread.contains($0) }.prefix(limit))
          }
        },
        extract: { [self] pages throws(WorkerFailure) in
          if !bad.isDisjoint(with: pages) {
            state.withLock { $0.time += cost }
            throw .timedOut
          }
          return pages.map { PageText(page: $0, text: "\($0)", placement: .unknown, boxes: [], unit: 1) }
        },
        write: { [self] texts in
          state.withLock { state in
            state.read.formUnion(texts.map(\.page))
            if state.isGivenUp { state.late += texts.map(\.page) }
          }
        },
        giveUp: { [self] page, _ in
          state.withLock { state in
            if let page { state.unread.insert(page) } else { state.isGivenUp = true }
          }
        },
        forgetFailures: {}, pause: {}, now: { [self] in state.withLock(\.time) })
    }

    func take() async throws -> Bool { try await TextExtraction(0..<count, steps: steps).run() }
  }

  @Test(
    "a rotten stretch of pages costs no other page its text",
    arguments: [100..<101, 100..<105, 100..<130, 0..<7, 393..<400, 190..<210])
  func stretch(bad: Range<Int>) async throws {
    let file = File(400, bad: Set(bad), cost: .seconds(2))
    #expect(try await file.take())
    let state = file.state.withLock(\.self)
    #expect(state.read == Set(0..<400).subtracting(bad) && state.unread == Set(bad) && !state.isGivenUp)
  }

  @Test("scattered pages that cannot be read cost no other its text")
  func scattered() async throws {
    let bad = Set(stride(from: 5, to: 400, by: 13)).union([6, 57, 214])
    let file = File(400, bad: bad)
    #expect(try await file.take())
    let state = file.state.withLock(\.self)
    #expect(state.read == Set(0..<400).subtracting(bad) && state.unread == bad && !state.isGivenUp)
  }

  @Test("what fails is bounded: then the pages that can be read have their text, and the rest is given up at the end")
  func bounded() async throws {
    let bad = Set(100..<400)
    let file = File(600, bad: bad, cost: .seconds(5))
    let began = file.state.withLock(\.time)
    #expect(try await file.take())
    let state = file.state.withLock(\.self)
    #expect(state.read == Set(0..<600).subtracting(bad))
    #expect(state.isGivenUp && state.late == [])
    // Two lanes may each be at one more when the time is over.
    #expect(state.time - began <= PageLanes.mostSpent + .seconds(10))
    // A file of which nothing can be read.
    let hopeless = File(2_000, bad: Set(0..<2_000), cost: .seconds(20))
    #expect(try await hopeless.take())
    let end = hopeless.state.withLock(\.self)
    #expect(end.isGivenUp && end.read.isEmpty && end.unread.count <= 16)
  }

  @Test("a batch is written while the next is taken out")
  func together() async throws {
    let file = File(30)
    let next = ServerGate()
    var steps = file.steps
    let (extract, write) = (steps.extract, steps.write)
    steps.extract = { pages throws(WorkerFailure) in
      if pages.lowerBound > 0 { next.open() }
      return try await extract(pages)
    }
    steps.write = { texts in
      // Whoever wrote it before taking out the next would wait here for ever.
      await next.opened()
      try await write(texts)
    }
    #expect(try await TextExtraction(0..<30, steps: steps).run())
    #expect(file.state.withLock(\.read) == Set(0..<30))
  }

  @Test("who takes out is not kept waiting by a slow library, up to two batches; what has come meanwhile is one write")
  func ahead() async throws {
    let file = File(94)
    let third = ServerGate()
    let last = Mutex(false)
    let written = Mutex<[[Int]]>([])
    var steps = file.steps
    let (extract, write) = (steps.extract, steps.write)
    steps.extract = { pages throws(WorkerFailure) in
      if pages.lowerBound == 48 { third.open() }
      if pages.lowerBound == 72 { last.withLock { $0 = true } }
      return try await extract(pages)
    }
    steps.write = { texts in
      // Whoever waited for the first write before taking out the third batch would wait here for ever.
      await third.opened()
      let isLast = last.withLock(\.self)
      if texts.first?.page == 0 { #expect(!isLast, "more waits for the library than two batches") }
      written.withLock { $0.append(texts.map(\.page)) }
      try await write(texts)
    }
    #expect(try await TextExtraction(0..<94, steps: steps).run())
    #expect(file.state.withLock(\.read) == Set(0..<94))
    let writes = written.withLock(\.self)
    #expect(Array(writes.joined()) == Array(0..<94), "each page once, in their order")
    #expect(writes.count < 4)
  }

  @Test(
    "what was taken out is written though the next batch fails, ends with the daemon or wants a password",
    arguments: [WorkerFailure.shutDown, .passwordRequired, .wrongPassword, .cancelled])
  func halted(failure: WorkerFailure) async throws {
    let file = File(30)
    var steps = file.steps
    let extract = steps.extract
    steps.extract = { pages throws(WorkerFailure) in
      guard pages.lowerBound == 0 else { throw failure }
      return try await extract(pages)
    }
    #expect(try await !TextExtraction(0..<30, steps: steps).run(), "it is gone on with")
    let state = file.state.withLock(\.self)
    #expect(state.read == Set(0..<24) && state.unread.isEmpty && !state.isGivenUp)
  }

  @Test("where the library refuses a batch it ends with that error, and the batches before it stay")
  func refused() async throws {
    struct Full: Error {}
    let file = File(72)
    var steps = file.steps
    let write = steps.write
    steps.write = { texts in
      guard texts.first?.page != 24 else { throw Full() }
      try await write(texts)
    }
    await #expect(throws: Full.self) { _ = try await TextExtraction(0..<72, steps: steps).run() }
    let state = file.state.withLock(\.self)
    #expect(state.read == Set(0..<24) && !state.isGivenUp)
  }

  @Test("busy workers are waited for, and what others failed at is tried again")
  func patient() async throws {
    let file = File(10)
    var steps = file.steps
    let extract = steps.extract
    let refusals = Mutex<[WorkerFailure]>([.busy, .markedDangerous(.request, retryAfter: 600), .busy])
    let waited = Mutex<[String]>([])
    steps.extract = { pages throws(WorkerFailure) in
      if let refusal = refusals.withLock({ $0.popLast() }) { throw refusal }
      return try await extract(pages)
    }
    steps.pause = { waited.withLock { $0.append("pause") } }
    steps.forgetFailures = { waited.withLock { $0.append("forget") } }
    #expect(try await TextExtraction(0..<10, steps: steps).run())
    #expect(file.state.withLock(\.read) == Set(0..<10))
    #expect(waited.withLock(\.self) == ["pause", "forget", "pause"])
  }
}
