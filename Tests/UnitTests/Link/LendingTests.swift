import Client
import Link
import TestSupport
import Testing
import Wire

@Suite("Lent outputs", .timeLimit(.minutes(10)))
struct LendingTests {
  private static let reply = MessageBytes.result(id: .integer(1), Array("true".utf8))

  @Test(
    "a reply that another thread writes arrives, and the loop hears of it before the next frame is handed out",
    arguments: [Framing.headers, .lines])
  func sent(framing: Framing) async throws {
    try await ToyServer.run { server in
      let peer = try await server.connectRaw()
      peer.write(framing.frame(MessageBytes.request(id: .integer(1), method: "lend", params: [:])))
      let output = try #require(try await server.lent.first { _ in true })
      #expect(output.send(Self.reply))
      #expect(try await peer.read(framing.frame(Self.reply).count) == framing.frame(Self.reply))
      // The same id again: the request before it is over.
      peer.write(framing.frame(MessageBytes.request(id: .integer(1), method: "echo", params: [:])))
      let echo = framing.frame(MessageBytes.result(id: .integer(1), Array("{}".utf8)))
      #expect(try await peer.read(echo.count) == echo)
      let heard = server.log.events.compactMap { event in
        switch event {
        case .sentLent: "sent"
        case .received: "received"
        default: nil
        }
      }
      #expect(heard == ["received", "sent", "received"])
    }
  }

  enum Interruption: CaseIterable {
    case frame, notification, closing, inputEnd
  }

  @Test(
    "what the loop has taken back is not written to; the reply goes through the loop", arguments: Interruption.allCases)
  func takenBack(_ interruption: Interruption) async throws {
    try await ToyServer.run { server in
      let peer = try await server.connectRaw()
      peer.write(#"{"id":1,"jsonrpc":"2.0","method":"lend"}"# + "\n")
      let output = try #require(try await server.lent.first { _ in true })
      switch interruption {
      case .frame:
        peer.write(#"{"id":2,"jsonrpc":"2.0","method":"echo","params":{}}"# + "\n")
        let echo = Framing.lines.frame(MessageBytes.result(id: .integer(2), Array("{}".utf8)))
        #expect(try await peer.read(echo.count) == echo)
      case .notification:
        let notice = MessageBytes.notification(method: "notice", params: [:])
        server.peer(0).execute { $0.connection.send(reply: notice) }
        #expect(try await peer.read(notice.count + 1) == Framing.lines.frame(notice))
      case .closing:
        server.peer(0).execute { $0.connection.close() }
        #expect(try await server.closeReason(of: 0) == .asked)
        #expect(!output.send(Self.reply))
        return
      case .inputEnd:
        peer.endInput()
        _ = try await server.log.first { $0 == .inputEnded(0) }
      }
      #expect(!output.send(Self.reply))
      server.peer(0).execute { $0.release() }
      let released = Framing.lines.frame(MessageBytes.result(id: .integer(1), Array(#""released""#.utf8)))
      #expect(try await peer.read(released.count) == released)
    }
  }

  @Test("an output with something still to be written is not lent, and a second frame in one read ends the loan before")
  func notLent() async throws {
    try await ToyServer.run { server in
      let peer = try await server.connectRaw()
      // More than the kernel keeps for a peer that does not read.
      peer.write(#"{"id":1,"jsonrpc":"2.0","method":"big","params":{"size":4000000}}"# + "\n")
      peer.write(#"{"id":2,"jsonrpc":"2.0","method":"lend"}"# + "\n")
      #expect(try await server.lent.first { _ in true } == nil)

      let other = try await server.connectRaw()
      other.write(
        #"{"id":1,"jsonrpc":"2.0","method":"lend"}"# + "\n" + #"{"id":2,"jsonrpc":"2.0","method":"hold"}"# + "\n")
      _ = try await server.log.first { if case .received(1, let frame) = $0 { frame.id == .integer(2) } else { false } }
      let output = try #require(server.lent.events.last ?? nil)
      #expect(!output.send(Self.reply))
    }
  }

  @Test("a reply that is too long for one piece goes through the loop, and a short one need not")
  func tooLong() async throws {
    try await ToyServer.run { server in
      let peer = try await server.connectRaw()
      peer.write(#"{"id":1,"jsonrpc":"2.0","method":"lend"}"# + "\n")
      let output = try #require(try await server.lent.first { _ in true })
      #expect(!output.send([UInt8](repeating: UInt8(ascii: "1"), count: 17 << 10)))
      #expect(output.send(Self.reply))
    }
  }
}
