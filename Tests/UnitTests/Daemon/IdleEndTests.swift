import Link
import Testing

@testable import Daemon

@Suite("The end of an idle daemon", .timeLimit(.minutes(10)))
struct IdleEndTests {
  private let loop = Loops.shared.next()

  @Test("a daemon that no client has ever connected to ends after its limit")
  func neverUsed() async {
    let ending = Ending()
    await onLoop { ending.endWhenIdle(for: .milliseconds(1), on: loop) }
    await timerFired(after: .milliseconds(2))
    ending.end(saidShutdown: false)
    #expect(await ending.wait())
  }

  @Test("a daemon with a client does not end, whether the client came before the limit was set or after")
  func used() async {
    for comesFirst in [true, false] {
      let ending = Ending()
      // The loop runs its timers in the order of their deadlines, and none before this work has ended.
      await onLoop {
        if comesFirst { ending.clientConnected() }
        ending.endWhenIdle(for: .milliseconds(1), on: loop)
        if !comesFirst { ending.clientConnected() }
      }
      await timerFired(after: .milliseconds(2))
      ending.end(saidShutdown: false)
      #expect(await ending.wait() == false, "comesFirst: \(comesFirst)")
    }
  }

  @Test("the limit counts anew when the last client has left, and not when one of two has")
  func left() async {
    for others in [0, 1] {
      let ending = Ending()
      await onLoop {
        ending.endWhenIdle(for: .milliseconds(1), on: loop)
        for _ in 0...others { ending.clientConnected() }
        ending.clientDisconnected()
      }
      await timerFired(after: .milliseconds(2))
      ending.end(saidShutdown: false)
      #expect(await ending.wait() == (others == 0), "\(others) other clients")
    }
  }

  private func onLoop(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      loop.execute {
        body()
        continuation.resume()
      }
    }
  }

  /// Returns when a timer that began now has fired.
  private func timerFired(after duration: Duration) async {
    await withCheckedContinuation { continuation in
      loop.schedule(after: duration) { continuation.resume() }
    }
  }
}
