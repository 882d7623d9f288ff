import Foundation
import TestSupport
import Testing

@testable import HTTP

/// What a hostile service can cost.
@Suite("bounds", .timeLimit(.minutes(10)))
struct BoundsTests {
  @Test("a body without end costs no more memory than its limit, whether chunked, compressed or of a false length")
  func memory() async {
    // In a process of its own, whose memory is nobody else's.
    await #expect(processExitsWith: .success) {
      let chunk = Data("100000\r\n".utf8) + Data(repeating: 0x20, count: 1 << 20) + Data("\r\n".utf8)
      let server = try ScriptedServer { request in
        switch request.path {
        case "/chunked":
          ServerReply([.send(ServerReply.head(200, [("Transfer-Encoding", "chunked")])), .sendForever(chunk)])
        case "/long":
          ServerReply([
            .send(ServerReply.head(200, [("Content-Length", "\(1 << 30)")])),
            .sendForever(Data(repeating: 0x20, count: 1 << 20)),
          ])
        case "/nolength":
          ServerReply([.send(ServerReply.head(200, [])), .sendForever(Data(repeating: 0x20, count: 1 << 20))])
        case "/bomb": .gzip(SampleGzip.zeros(12 << 20))
        default: .text("small")
        }
      }
      let client = HTTPClient(HTTPConfiguration())
      for _ in 0..<3 { _ = try await client.fetch(HTTPRequest(url: server.origin + "/small")) }
      _ = SampleGzip.zeros(1 << 16)
      let idle = peakMemory()
      guard idle > 0 else { exit(9) }
      for (code, path) in ["/chunked", "/long", "/nolength"].enumerated() {
        let reason = await failure { () throws(HTTPFailure) in
          try await client.fetch(HTTPRequest(url: server.origin + path))
        }
        guard reason == .tooLarge(limit: 8 << 20) else { exit(Int32(code + 1)) }
      }
      guard peakMemory() - idle <= 16 << 20 else { exit(8) }
      let reason = await failure { () throws(HTTPFailure) in
        try await client.fetch(HTTPRequest(url: server.origin + "/bomb"))
      }
      guard reason == .badResponse(reason: "answerBomb") else { exit(7) }
    }
  }

  @Test("headers that never end, a body that only drips and no answer at all end by their limits")
  func slow() async throws {
    let server = try ScriptedServer { request in
      switch request.path {
      case "/headers": .slowHeaders
      case "/body":
        ServerReply([
          .send(ServerReply.head(200, [("Content-Length", "100")])), .send(Data("x".utf8)),
          .waitForPeerToClose(ServerGate()),
        ])
      default: .silence()
      }
    }
    defer { server.stop() }
    let bed = try HTTPTestBed { $0.callTimeout = .milliseconds(100) }
    for path in ["/headers", "/body", "/nothing"] {
      #expect(await bed.fetchFailure(HTTPRequest(url: server.origin + path)) == .timedOut(origin: server.origin))
    }
    // A body below its least speed ends long before the call's own limit.
    let dripping = try HTTPTestBed {
      $0.stall = HTTPConfiguration.StallRule(bytesPerSecond: 1000, seconds: 1)
      $0.callTimeout = .seconds(600)
    }
    #expect(await dripping.fetchFailure(HTTPRequest(url: server.origin + "/body")) == .timedOut(origin: server.origin))
  }
}

/// The most memory that this process ever had, in bytes.
private func peakMemory() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
}
