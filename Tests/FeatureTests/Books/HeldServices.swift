import Kit
import Synchronization
import TestSupport

/// The world that a daemon offers to its features, for a test that looks into it.
final class HeldServices: Sendable {
  private let gate = ServerGate()
  private let held = Mutex<Services?>(nil)

  var feature: Feature {
    Feature(
      name: "held",
      start: { [self] services in
        held.withLock { $0 = services }
        gate.open()
      })
  }

  func services() async -> Services {
    await gate.opened()
    guard let services = held.withLock(\.self) else { fatalError("the feature was started without services") }
    return services
  }
}
