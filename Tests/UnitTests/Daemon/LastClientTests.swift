import Synchronization
import Testing

@testable import Daemon

@Suite("The last client", .timeLimit(.minutes(10)))
struct LastClientTests {
  @Test("whoever waits for the last client goes on at once where there is none, and otherwise when it has left")
  func waiting() async {
    let ending = Ending()
    await ending.waitForNobody()
    ending.clientConnected()
    ending.clientConnected()
    let hasLeft = Mutex(false)
    let waiting = Task.immediate {
      await ending.waitForNobody()
      return hasLeft.withLock(\.self)
    }
    ending.clientDisconnected()
    hasLeft.withLock { $0 = true }
    ending.clientDisconnected()
    #expect(await waiting.value)
    await ending.waitForNobody()
  }

  @Test("the first who ends the daemon decides, for whoever waits already and for whoever asks later")
  func first() async {
    let ending = Ending()
    let waiting = Task.immediate { await ending.wait() }
    ending.end(saidShutdown: true)
    ending.end(saidShutdown: false)
    #expect(await waiting.value)
    #expect(await ending.wait())
  }
}
