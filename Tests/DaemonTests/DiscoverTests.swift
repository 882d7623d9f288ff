import Contract
import Features
import Kit
import Synchronization
import TestSupport
import Testing
import Wire

/// A method whose description stops at a gate: whoever describes the protocol comes by there.
private enum HeldDescription: ControlMethod {
  static let gate = ToyGate.make()
  static let made = Mutex(false)
  static let name = "held/describe"
  static var summary: String {
    gate.pass()
    made.withLock { $0 = true }
    return "Does nothing."
  }
  static let effects: Effects = []
  typealias Params = Empty
  typealias Result = Empty

  static func run(_ params: Empty, in session: any Session) throws -> Empty { Empty() }
}

/// The protocol as data.
@Suite struct DiscoverTests {
  @Test("each client gets the labels in its own language, also of items that only another program's feature has")
  func languages() async throws {
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature])
    for (locale, item, label) in [("en-US", "toy", "title"), ("ko-KR", "장난감", "제목"), ("en-GB", "toy", "title")] {
      let client = try await daemon.client(name: locale, locale: locale)
      let schemas = try await client.call("rpc.discover")["components"]?["schemas"]?.objectValue?.members ?? []
      let toy = try #require(schemas.first { $0.value["x-collection"] == "toys" }?.value)
      #expect(toy["x-item"] == .string(item) && toy["x-get"] == "toys/get" && toy["x-title"] == "title")
      #expect(toy["properties"]?["title"]?["title"] == .string(label))
      #expect(toy["x-columns"] == ["title", "body", "file"])
    }
    await daemon.stop()
  }

  @Test("while the protocol is described for one client the others of its loop are answered, and all who ask get one")
  func besideOthers() async throws {
    let held = Feature(name: "held", routes: [Route(HeldDescription.self)])
    let daemon = try await TestDaemon(features: AllFeatures.features + [held]) { $0.loops = 1 }
    let client = try await daemon.client(name: "asks")
    let other = try await daemon.client(name: "other")
    let first = client.send("rpc.discover")
    await HeldDescription.gate.reached()
    _ = try await other.call("session/ping")
    _ = try await client.call("session/ping")
    let isMade = HeldDescription.made.withLock(\.self)
    #expect(!isMade, "the loop was held until the protocol was described")
    let left = client.send("rpc.discover")
    left.cancel()
    #expect(try await left.failure()?.code == -32800)
    let second = other.send("rpc.discover")
    HeldDescription.gate.open()
    let document = try await first.value()
    // Nothing is added to a document of another standard.
    #expect(document["openrpc"]?.stringValue?.hasPrefix("1.3") == true && document["clock"] == nil)
    #expect(document["methods"]?.arrayValue?.contains { $0["name"] == "held/describe" } == true)
    #expect(try await second.value() == document)
    #expect(try await other.call("rpc.discover") == document)
    await daemon.stop()
  }
}
