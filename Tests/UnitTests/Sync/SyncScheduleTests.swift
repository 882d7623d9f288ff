import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Sync

@Suite("Sync: when runs begin") struct SyncScheduleTests {
  /// The pauses of a schedule, each of which lasts until the test ends it, or a write does.
  private final class Pauses: Sendable {
    private struct State {
      var asked: [Duration] = []
      var isEnded = false
      var waiter: CheckedContinuation<Duration, Never>?
      var pause: CheckedContinuation<Void, Never>?
    }
    private let state = Mutex(State())

    func pause(_ duration: Duration) async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let waiter = state.withLock { state in
            if Task.isCancelled {
              continuation.resume()
            } else {
              state.pause = continuation
            }
            guard let waiter = state.waiter else {
              state.asked.append(duration)
              return nil as CheckedContinuation<Duration, Never>?
            }
            state.waiter = nil
            return waiter
          }
          waiter?.resume(returning: duration)
        }
      } onCancel: {
        end()
      }
    }

    /// The next pause, once it has begun.
    func next() async -> Duration {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> Duration? in
          if !state.asked.isEmpty { return state.asked.removeFirst() }
          state.waiter = continuation
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    }

    var isPausing: Bool { state.withLock { $0.pause != nil } }

    func end() {
      let pause = state.withLock { state in
        defer { state.pause = nil }
        return state.pause
      }
      pause?.resume()
    }
  }

  /// A schedule whose rounds come to what the test says, one after the other.
  private final class Bench: Sendable {
    let pauses = Pauses()
    let schedule: SyncSchedule
    private let outcomes: Mutex<[SyncSchedule.Outcome]>
    private let wake = Mutex<(@Sendable () -> Void)?>(nil)

    init(_ outcomes: [SyncSchedule.Outcome]) {
      self.outcomes = Mutex(outcomes)
      schedule = SyncSchedule(SyncSchedule.Pace(pause: { [pauses] in await pauses.pause($0) }))
    }

    func begin() {
      schedule.begin(
        following: { wake in self.wake.withLock { $0 = wake } },
        { self.outcomes.withLock { $0.isEmpty ? nil : $0.removeFirst() } })
    }

    func write() { wake.withLock(\.self)?() }

    /// The next pause, which then ends.
    func step() async -> Duration {
      let duration = await pauses.next()
      pauses.end()
      return duration
    }
  }

  private let done = SyncSchedule.Outcome.done(interval: .seconds(300), hasUnwritten: false)

  @Test("a run follows the start, and then the interval")
  func interval() async {
    let bench = Bench([done, done])
    bench.begin()
    defer { bench.schedule.end() }
    var pauses: [Duration] = []
    for _ in 0..<5 { pauses.append(await bench.step()) }
    #expect(pauses == [5, 50, 250, 50, 250].map { .seconds($0) })
  }

  @Test("while changes are gathered, no write starts a run, but the end of that time and an arrival do")
  func gathering() async {
    let bench = Bench([.gathering(.seconds(1_700)), .gathering(.seconds(600)), done])
    bench.begin()
    defer { bench.schedule.end() }
    for pause in [5, 50] { #expect(await bench.step() == .seconds(pause)) }
    #expect(await bench.pauses.next() == .seconds(1_650))
    bench.write()
    #expect(bench.pauses.isPausing)
    bench.pauses.end()
    for pause in [10, 50] { #expect(await bench.step() == .seconds(pause)) }
    #expect(await bench.pauses.next() == .seconds(550))
    bench.schedule.noteArrival()
    for pause in [10, 50, 250] { #expect(await bench.step() == .seconds(pause)) }
  }

  @Test("a write starts a run ten seconds later, and never two within a minute")
  func writes() async {
    let bench = Bench([done, done, done])
    bench.begin()
    defer { bench.schedule.end() }
    #expect(await bench.step() == .seconds(5))
    // Not before the least distance is over.
    #expect(await bench.pauses.next() == .seconds(50))
    bench.write()
    bench.pauses.end()
    #expect(await bench.step() == .seconds(10))
    #expect(await bench.step() == .seconds(50))
    // While it waits for the interval.
    #expect(await bench.pauses.next() == .seconds(250))
    bench.write()
    #expect(await bench.step() == .seconds(10))
    #expect(await bench.step() == .seconds(50))
    #expect(await bench.step() == .seconds(250))
  }

  @Test("what was written during a run is a reason for the next one, the run's own commits are none")
  func unwritten() async {
    let bench = Bench([.done(interval: .seconds(300), hasUnwritten: true), done])
    bench.begin()
    defer { bench.schedule.end() }
    #expect(await bench.step() == .seconds(5))
    #expect(await bench.step() == .seconds(50))
    #expect(await bench.step() == .seconds(10))
    #expect(await bench.step() == .seconds(50))
    #expect(await bench.step() == .seconds(250))
  }

  @Test("a file of another device starts a run two seconds later, also one that arrived during a run")
  func arrivals() async {
    let bench = Bench([done, done, done])
    bench.begin()
    defer { bench.schedule.end() }
    #expect(await bench.step() == .seconds(5))
    // After the run has listed the folder, for all that it knows.
    #expect(await bench.pauses.next() == .seconds(50))
    bench.schedule.noteArrival()
    bench.pauses.end()
    #expect(await bench.step() == .seconds(2))
    #expect(await bench.step() == .seconds(50))
    #expect(await bench.pauses.next() == .seconds(250))
    bench.schedule.noteArrival()
    #expect(await bench.step() == .seconds(2))
    #expect(await bench.step() == .seconds(50))
    #expect(await bench.step() == .seconds(250))
  }

  @Test("files that are put or carried into a folder are reported, other files are not")
  func folder() async throws {
    let place = TemporaryFolder()
    #expect(FolderArrivals(place.file("log"), arrived: { _ in }) == nil)
    let target = FolderTarget(path: place.path)
    try await target.put([1], at: "log/first")
    let (names, found) = AsyncStream.makeStream(of: FileName.self)
    let arrivals = try #require(FolderArrivals(place.file("log")) { found.yield($0) })
    let files = (1...3).map { FileName(FileID(WriterID(7), $0), of: [UInt8($0)]) }
    // As this program puts it, as one that writes in place, and as one that renames.
    try await target.put(files[0].description, [1])
    try await target.put([1], at: "log/notes.txt")
    try Data([2]).write(to: URL(fileURLWithPath: place.file("log/\(files[1])")))
    try Data([3]).write(to: URL(fileURLWithPath: place.file("carried")))
    try FileManager.default.moveItem(atPath: place.file("carried"), toPath: place.file("log/\(files[2])"))
    var seen: [FileName] = []
    for await name in names {
      // A file that is renamed before it is closed is reported for both.
      if seen.last != name { seen.append(name) }
      if seen.count == files.count { break }
    }
    #expect(seen == files)
    withExtendedLifetime(arrivals) {}
  }

  @Test("failures are repeated in growing distances up to an hour, whatever is written, and a success ends that")
  func failures() async {
    let failed = SyncSchedule.Outcome.failed(retryAfter: nil)
    let bench = Bench(Array(repeating: failed, count: 8) + [done, failed, .off])
    bench.begin()
    defer { bench.schedule.end() }
    var pauses: [Duration] = []
    #expect(await bench.step() == .seconds(5))
    for _ in 0..<8 {
      pauses.append(await bench.step())
      #expect(await bench.step() == .zero)
    }
    #expect(pauses == [60, 120, 240, 480, 960, 1_920, 3_600, 3_600].map { .seconds($0) })
    #expect(await bench.step() == .seconds(50))
    #expect(await bench.step() == .seconds(250))
    #expect(await bench.step() == .seconds(60))
    #expect(await bench.step() == .zero)
    #expect(await bench.step() == .seconds(50))
    #expect(await bench.step() == .seconds(3_600))
  }

  @Test("a target that says when it can be asked again is not asked before, and at the latest after an hour")
  func stated() async {
    let outcomes = [10, 600, 86_400].map { SyncSchedule.Outcome.failed(retryAfter: .seconds($0)) }
    let bench = Bench(outcomes + [done])
    bench.begin()
    defer { bench.schedule.end() }
    var pauses = [await bench.step()]
    for _ in 0..<3 {
      pauses.append(await bench.step())
      #expect(await bench.step() == .zero)
    }
    #expect(pauses == [5, 60, 600, 3_600].map { .seconds($0) })
  }

  @Test("a run that a client has requested and that succeeds ends the wait after failures")
  func success() async {
    let failed = SyncSchedule.Outcome.failed(retryAfter: nil)
    let bench = Bench([failed, failed, done])
    bench.begin()
    defer { bench.schedule.end() }
    for pause in [5, 60, 0] { #expect(await bench.step() == .seconds(pause)) }
    #expect(await bench.pauses.next() == .seconds(120))
    bench.schedule.noteSuccess()
    #expect(await bench.step() == .zero)
    for pause in [50, 250] { #expect(await bench.step() == .seconds(pause)) }
  }
}
