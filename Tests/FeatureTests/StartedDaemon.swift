import Daemon
import Features
import Kit
import Store
import System
import TestSupport

extension TestDaemon {
  /// A daemon in a folder that another daemon may just have given up.
  ///
  /// Other tests start processes here: between its fork and its exec a child holds the lock of a library that its daemon
  /// has just given up.
  static func started(
    features: [Feature] = AllFeatures.features, in folder: TemporaryFolder = TemporaryFolder(),
    clock: TestClock = TestClock(), change: (inout DaemonSettings) -> Void = { _ in }
  ) async throws -> TestDaemon {
    while true {
      do {
        return try await TestDaemon(features: features, in: folder, clock: clock, change: change)
      } catch StoreError.inUse(owner: nil) {
        await Task.yield()
      }
    }
  }
}
