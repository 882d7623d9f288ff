import Synchronization
import TestSupport
import Testing

@testable import Documents

@Suite("Documents: which pages are drawn ahead") struct PageTurnsTests {
  @Test("who reads on gets the next page first, who reads back the one before, and another document begins anew")
  func direction() async {
    let turns = PageTurns()
    let seen = Mutex<[[Int]]>([])
    for (page, document) in [(3, "a"), (4, "a"), (4, "a"), (2, "a"), (2, "a"), (9, "b")] {
      await withCheckedContinuation { done in
        turns.turn("client", to: page, of: document, isConnected: { _ in true }) { turn in
          seen.withLock { $0.append(turn.pages) }
          done.resume()
        }
      }
    }
    #expect(seen.withLock(\.self) == [[4, 2], [5, 3], [5, 3], [1, 3], [1, 3], [10, 8]])
  }

  @Test("what is drawn ahead is given up when another page is asked for, and goes on when it is that one")
  func superseded() async {
    for isSame in [true, false] {
      let turns = PageTurns()
      let result = await withCheckedContinuation { done in
        turns.turn("client", to: 1, of: "a", isConnected: { _ in true }) { turn in
          #expect(turn.begin("next"))
          turns.leave("client", for: isSame ? "next" : "other")
          done.resume(returning: (Task.isCancelled, turn.begin("previous")))
        }
      }
      #expect(result == (!isSame, false))
    }
  }
}
