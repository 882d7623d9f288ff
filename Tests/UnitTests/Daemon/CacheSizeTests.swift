import Foundation
import Synchronization
import Testing

@testable import Daemon

@Suite("The size of the caches")
struct CacheSizeTests {
  @Test("the folder is walked through again only when the last look is old")
  func looks() async throws {
    try await withFolder { folder in
      let later = Mutex<Duration>(.zero)
      let start = ContinuousClock.now
      let size = CacheSize(folder: folder) { start + later.withLock(\.self) }
      try Data(count: 100).write(to: URL(filePath: folder + "/a"))
      #expect(await size.bytes() >= 100)
      let first = await size.bytes()
      try Data(count: 1_000).write(to: URL(filePath: folder + "/b"))
      #expect(await size.bytes() == first)
      later.withLock { $0 = CacheSize.age }
      #expect(await size.bytes() == first + 1_000)
    }
  }

  @Test("a folder that nobody has made yet holds nothing")
  func none() async {
    #expect(await CacheSize(folder: "/nonexistent/caches").bytes() == 0)
  }
}
