import PDF
import Wire

/// Extracts the text of the pages of one file that have none yet, a few pages at a time, by two workers if the file
/// is long. Each batch is written while the next is extracted.
///
/// Readable pages get their text whatever happens to others. `PageLanes` determines the order, and bounds the
/// failures.
struct TextExtraction: Sendable {
  /// Its operations on the file and the library.
  struct Steps: Sendable {
    /// The first pages of a range that have no text, at most `limit`.
    var missing: @Sendable (_ range: Range<Int>, _ limit: Int) async throws -> [Int]
    var extract: @Sendable (_ pages: Range<Int>) async throws(WorkerFailure) -> [PageText]
    var write: @Sendable ([PageText]) async throws -> Void
    /// Notes that one page has no text; with nil, that all pages without text have none.
    var giveUp: @Sendable (_ page: Int?, _ reason: WorkerFailure) async throws -> Void
    /// Allows pages to be tried again after other requests failed.
    var forgetFailures: @Sendable () async -> Void
    /// Waits for a worker to become free.
    var pause: @Sendable () async throws -> Void
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
  }

  private enum Extraction {
    case texts([PageText])
    case failed(WorkerFailure)
    /// Nothing more is begun.
    case over
  }

  private let steps: Steps
  private let lanes: PageLanes

  /// - Parameter pages: the range of pages to check for missing text.
  init(_ pages: Range<Int>, steps: Steps) {
    self.steps = steps
    lanes = PageLanes(pages)
  }

  /// - Returns: false if it was halted: missing text stays missing until a client gives the password, or until the
  ///   next start.
  func run() async throws -> Bool {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in lanes.lanes {
        group.addTask {
          do {
            try await go(through: lane)
          } catch {
            lanes.halt()
            throw error
          }
        }
      }
      try await group.waitForAll()
    }
    while let pages = lanes.takeAside() { try await goBack(through: pages) }
    if lanes.isHalted { return false }
    // After all writes: pages that a lane still had in memory have their text now.
    if let failure = lanes.hopeless { try await steps.giveUp(nil, failure) }
    return true
  }

  /// A worker's texts are written while it extracts the next ones.
  private func go(through lane: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      var writes = TextWrites(steps.write)
      let end: Result<Void, any Error>
      do {
        end = .success(try await take(lane, writing: &writes, in: &group))
      } catch {
        end = .failure(error)
      }
      // Before the failure of the last extraction is thrown: a task that is left unfinished is cancelled.
      try await writes.finish(in: &group)
      try end.get()
    }
  }

  private func take(
    _ lane: Int, writing writes: inout TextWrites, in group: inout ThrowingTaskGroup<Void, any Error>
  ) async throws {
    while let (range, limit) = lanes.next(of: lane) {
      let pages = try await steps.missing(range, limit)
      guard let first = pages.first else {
        lanes.skip(range, in: lane)
        continue
      }
      // A run without gaps: pages that a client requested meanwhile have their text already.
      let run = first..<first + zip(pages, first...).prefix { $0 == $1 }.count
      try await writes.add(try await take(lanes.begin(run, in: lane), in: lane), in: &group)
    }
  }

  /// Extracts the text of a run of pages, together and, if that fails, one by one: a page that hangs or crashes a
  /// worker must not cost its neighbours their text.
  ///
  /// - Returns: the texts to be written. One by one, each page is written before the next is tried.
  private func take(_ run: Range<Int>, in lane: Int) async throws -> [PageText] {
    if run.isEmpty { return [] }
    switch try await extract(run) {
    case .over: return []
    case .texts(let texts):
      lanes.read(in: lane)
      return texts
    case .failed(let failure) where run.count == 1:
      try await steps.giveUp(run.lowerBound, failure)
      lanes.fail(at: run.lowerBound, in: lane, because: failure)
      return []
    case .failed: break
    }
    for page in run where !lanes.isOver {
      try await write(try await take(page..<page + 1, in: lane))
      if lanes.hasLeapt(lane) { break }
    }
    return []
  }

  /// Extracts pages that were leapt over, from their end.
  private func goBack(through pages: Range<Int>) async throws {
    var end = pages.upperBound
    // Pages from here on are tried one by one. The last is, since the page after it may have failed.
    var careful = end - 1
    var failed = 0
    while end > pages.lowerBound, !lanes.isOver {
      let isAlone = end > careful || failed > 0
      let start = max(pages.lowerBound, isAlone ? end - 1 : end - PageLanes.step)
      let missing = try await steps.missing(start..<end, PageLanes.step)
      guard let last = missing.last else {
        end = start
        continue
      }
      let count = zip(missing.reversed(), (0...last).reversed()).prefix { $0 == $1 }.count
      let run = last + 1 - count..<last + 1
      switch try await extract(run) {
      case .over: return
      case .texts(let texts):
        try await write(texts)
        failed = 0
        end = run.lowerBound
      case .failed where count > 1:
        careful = run.lowerBound
      case .failed(let failure):
        try await steps.giveUp(last, failure)
        lanes.failAside(because: failure)
        end = last
        failed += 1
        guard failed < PageLanes.mostInRow else { return lanes.setAside(pages.lowerBound..<end) }
      }
    }
  }

  private func extract(_ run: Range<Int>) async throws -> Extraction {
    while !lanes.isOver {
      let began = steps.now()
      do throws(WorkerFailure) {
        return .texts(try await steps.extract(run))
      } catch {
        switch error {
        // After a password error: extraction resumes when a client gives the password.
        case .shutDown, .passwordRequired, .wrongPassword, .cancelled: lanes.halt()
        case .busy: try await steps.pause()
        // Other requests for this file have failed; this one has not failed yet.
        case .markedDangerous: await steps.forgetFailures()
        default:
          lanes.spend(steps.now() - began)
          return .failed(error)
        }
      }
    }
    return .over
  }

  private func write(_ texts: [PageText]) async throws {
    if !texts.isEmpty { try await steps.write(texts) }
  }
}
