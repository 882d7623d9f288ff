import Testing

@testable import Sync

@Suite("Files that cannot be fetched") struct FetchAttemptsTests {
  private let attempts = FetchAttempts()

  @Test("a file that is opened again and again counts as damaged no sooner than one that is tried when it is due")
  func early() {
    for _ in 0..<20 { #expect(!attempts.noteFailure("a", at: 1_000)) }
    #expect(attempts.isWaiting("a", at: 60_999) && !attempts.isWaiting("a", at: 61_000))
    var (now, failures) = (Int64(61_000), 1)
    while failures < 20 {
      failures += 1
      if attempts.noteFailure("a", at: now) { break }
      while attempts.isWaiting("a", at: now) { now += 60_000 }
    }
    #expect(failures == SyncPolicy().attempts)
    // It stays damaged until it is fetched.
    #expect(attempts.noteFailure("a", at: now) && attempts.noteFailure("a", at: now + 1))
    attempts.noteSuccess("a")
    #expect(!attempts.isWaiting("a", at: now) && !attempts.noteFailure("a", at: now + 2))
  }
}
