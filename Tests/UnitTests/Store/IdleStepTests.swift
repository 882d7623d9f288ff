import Foundation
import Synchronization
import Testing

@testable import Store

/// What the queue of writes does while nothing comes.
@Suite(.timeLimit(.minutes(10))) struct IdleStepTests {
  @Test("a step that gives way holds back none behind it, and these have their turn once more when it is done")
  func independent() async {
    let (events, tell) = AsyncStream.makeStream(of: String.self)
    let isKept = Mutex(false)
    // As merging gives way to readers, and as the log is looked after.
    let merge: IdleSchedule.Step = (
      .milliseconds(1),
      {
        guard isKept.withLock(\.self) else { return false }
        tell.yield("merged")
        return true
      }
    )
    let keep: IdleSchedule.Step = (
      .milliseconds(1),
      {
        isKept.withLock { $0 = true }
        tell.yield("kept")
        return true
      }
    )
    let queue = WriteQueue(commit: { jobs, _ in jobs.count }, atStart: [merge, keep])
    var told = events.makeAsyncIterator()
    for expected in ["kept", "merged", "kept"] { #expect(await told.next() == expected) }
    queue.close(deadline: .now + .seconds(3_600))
    tell.finish()
    #expect(await told.next() == nil)
  }

  @Test("who has written beside the queue has the steps done that follow a write, those of the start no more")
  func besides() async {
    let (events, tell) = AsyncStream.makeStream(of: String.self)
    func step(_ name: String, after: Duration) -> IdleSchedule.Step {
      (
        after,
        {
          tell.yield(name)
          return true
        }
      )
    }
    let queue = WriteQueue(
      commit: { jobs, _ in jobs.count }, whenIdle: [step("idle", after: .milliseconds(1))],
      atStart: [step("start", after: .seconds(3_600))])
    var told = events.makeAsyncIterator()
    for _ in 0..<2 {
      queue.noteWritten()
      #expect(await told.next() == "idle")
    }
    queue.close(deadline: .now + .seconds(3_600))
    tell.finish()
    #expect(await told.next() == nil)
  }
}
