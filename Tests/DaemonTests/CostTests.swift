import Client
import Features
import Foundation
import TestSupport
import Testing
import Wire

/// What one client costs the others, in time and in the daemon's memory: promise 7.
@Suite struct CostTests {
  private let features = AllFeatures.features + [ToyFeature.feature]

  @Test("of large replies, too, who reads nothing is owed at most 4 MiB and one; those that are cancelled are not made")
  func largeReplies() async throws {
    let daemon = try await TestDaemon(features: features)
    let name = "largeReplies"
    let stalled = try StalledClient(socket: daemon.socket)
    for id in 0..<32 {
      stalled.send(
        #"{"jsonrpc":"2.0","id":\#(id),"method":"toys/fetchText","params":{"bytes":1000000,"name":"\#(name)"}}"#)
    }
    let client = try await daemon.client(name: "other")
    var unsent: Int64 = 0
    while unsent < 3 << 20 { unsent = max(unsent, try await unsentBytes(of: "", client)) }
    // Nothing more is made however long it takes: what is owed is more than 4 MiB, but for what the socket has taken.
    for _ in 0..<30 { unsent = max(unsent, try await unsentBytes(of: "", client)) }
    #expect(unsent <= 4 << 20 + 1_100_000)
    #expect(ToyTexts.made(as: name) < 12)
    for id in 20..<32 {
      stalled.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"#)
    }
    #expect(try await stalled.readUntil(replies: 32) == Set(0..<32))
    #expect(ToyTexts.made(as: name) == 20)
    await daemon.stop()
  }

  @Test("the memory of messages that never ended comes back when their clients have left", .timeLimit(.minutes(10)))
  func unfinishedFrames() async throws {
    let daemon = try await DaemonProcess(in: TemporaryFolder())
    let client = try await daemon.client()
    _ = try await client.call("session/status")
    let before = try daemon.residentKiB()
    let half = [UInt8](repeating: UInt8(ascii: " "), count: 15_000_000)
    var clients: [RawSocket] = []
    for _ in 0..<8 {
      let leaving = try RawSocket(connectingTo: daemon.folder.file("s"))
      leaving.write("Content-Length: 16000000\r\n\r\n")
      leaving.write(half)
      clients.append(leaving)
    }
    while try daemon.residentKiB() < before + 100_000 { _ = try await client.call("session/ping") }
    clients.removeAll()
    while try daemon.residentKiB() > before + 30_000 { _ = try await client.call("session/ping") }
    #expect(try await client.call("session/status")["clients"]?.arrayValue?.count == 1)
    await client.close()
    await daemon.stop()
  }

  private func unsentBytes(of name: String, _ client: Client) async throws -> Int64 {
    let status = try await client.call("session/status")
    return status["clients"]?.arrayValue?.first { $0["name"]?.stringValue == name }?["unsentBytes"]?.integerValue ?? 0
  }
}
