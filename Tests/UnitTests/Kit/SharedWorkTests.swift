import Display
import Synchronization
import Testing

@testable import Kit

@Suite("Work that several requests share", .timeLimit(.minutes(10))) struct SharedWorkTests {
  private struct Refused: Error {}

  /// Work that runs until it is let go or cancelled, and notes each run.
  private final class Bench: Sendable {
    let shared = SharedWork<Int>()
    let runs = Mutex(0)
    let cancelled = Mutex(0)
    let reports = Mutex<[Int: [Int]]>([:])
    private let gate = AsyncStream.makeStream(of: Int.self)
    private let begun = AsyncStream.makeStream(of: Void.self)

    /// A request, which has joined the work when this returns.
    func request(_ number: Int = 0) -> Task<Int, any Error> {
      let progress = Progress { [self] report in
        reports.withLock { $0[number, default: []].append(report.percentage ?? -1) }
      }
      return Task.immediate { [self] in
        try await shared.value(for: "a", progress: progress) { [self] progress in
          let run = runs.withLock {
            $0 += 1
            return $0
          }
          begun.continuation.yield()
          for await value in gate.stream {
            if value < 0 { throw Refused() }
            if value < 100 { progress.report(percentage: value) } else { return value + run }
          }
          cancelled.withLock { $0 += 1 }
          throw CancellationError()
        }
      }
    }

    func begins() async { for await _ in begun.stream { return } }
    func give(_ value: Int) { gate.continuation.yield(value) }
  }

  private final class Order: Sendable {
    private let all = Mutex<[String]>([])
    var steps: [String] { all.withLock(\.self) }
    func add(_ step: String) { all.withLock { $0.append(step) } }
  }

  @Test("requests for one key share one run, its progress and its result, and the next request is a new run")
  func shared() async throws {
    let bench = Bench()
    let requests = [bench.request(1), bench.request(2)]
    await bench.begins()
    bench.give(7)
    bench.give(100)
    for request in requests { #expect(try await request.value == 101) }
    #expect(bench.runs.withLock(\.self) == 1 && bench.reports.withLock(\.self) == [1: [7], 2: [7]])
    let next = bench.request(3)
    await bench.begins()
    bench.give(200)
    #expect(try await next.value == 202)
  }

  @Test("requests for two keys are two runs")
  func keys() async throws {
    let bench = Bench()
    let first = bench.request()
    await bench.begins()
    #expect(try await bench.shared.value(for: "b") { _ in 5 } == 5)
    bench.give(100)
    #expect(try await first.value == 101)
  }

  @Test("an error is that of all requests")
  func failed() async {
    let bench = Bench()
    let requests = [bench.request(), bench.request()]
    await bench.begins()
    bench.give(-1)
    for request in requests { await #expect(throws: Refused.self) { try await request.value } }
  }

  @Test("a request that leaves is answered at once, and the work goes on for the others, without its progress for it")
  func left() async throws {
    let bench = Bench()
    let (one, other) = (bench.request(1), bench.request(2))
    await bench.begins()
    one.cancel()
    await #expect(throws: CancellationError.self) { try await one.value }
    bench.give(9)
    bench.give(100)
    #expect(try await other.value == 101 && bench.cancelled.withLock(\.self) == 0)
    #expect(bench.reports.withLock(\.self) == [2: [9]])
  }

  @Test("the last request that leaves cancels the work, and a new request waits until that has ended")
  func abandoned() async throws {
    let shared = SharedWork<Int>()
    let order = Order()
    let (begun, begins) = AsyncStream.makeStream(of: Void.self)
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let first = Task.immediate {
      try await shared.value(for: "a") { _ in
        begins.yield()
        await withTaskCancellationHandler {
          // It does not end as soon as it is cancelled.
          await Task.detached { for await _ in gate { return } }.value
        } onCancel: {
          order.add("cancelled")
        }
        order.add("ended")
        return 1
      }
    }
    for await _ in begun { break }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let second = Task.immediate {
      try await shared.value(for: "a") { _ in
        order.add("second")
        return 2
      }
    }
    #expect(order.steps == ["cancelled"])
    open.yield()
    #expect(try await second.value == 2)
    #expect(order.steps == ["cancelled", "ended", "second"])
  }

  @Test("a request that was cancelled before it came starts no work that lasts")
  func cancelledBefore() async {
    let bench = Bench()
    let request = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await bench.shared.value(for: "a") { _ in
        while !Task.isCancelled { await Task.yield() }
        throw Refused()
      }
    }
    await #expect(throws: CancellationError.self) { try await request.value }
  }

  @Test("an object of the daemon is made once, and is there for whom may see its type")
  func memory() {
    final class Cache: Sendable {}
    final class Other: Sendable {}
    let memory = Memory()
    #expect(memory.known(Cache.self) == nil)
    let made = memory.object(Cache.self) { Cache() }
    #expect(memory.object(Cache.self) { Cache() } === made && memory.known(Cache.self) === made)
    #expect(memory.known(Other.self) == nil)
  }

  @Test("a text is shared as it is, as Markdown, or as HTML without any of its own")
  func sharedTexts() {
    func text(_ format: ShareFormat) -> String {
      SharedText(title: "A <b>", body: "one & \"two\"\nthree\n \n\nfour\n", as: format).text
    }
    #expect(text(.text) == "A <b>\none & \"two\"\nthree\n \n\nfour\n")
    #expect(text(.markdown) == "# A <b>\n\none & \"two\"\nthree\n \n\nfour\n")
    #expect(
      text(.html)
        == "<h1>A &lt;b&gt;</h1>\n<p>one &amp; &quot;two&quot;<br>\nthree</p>\n<p>four</p>\n")
  }
}
