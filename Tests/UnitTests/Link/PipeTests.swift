import Client
import Foundation
import Link
import TestSupport
import Testing
import Wire

@Suite("Pipes", .timeLimit(.minutes(10)))
struct PipeTests {
  private func hold(_ id: Int64) -> [UInt8] {
    Framing.headers.frame(MessageBytes.request(id: .integer(id), method: "hold", params: .null))
  }

  @Test("a client speaks over two pipes")
  func client() async throws {
    try await ToyServer.run { server in
      let (requests, replies) = (PipeEnds(), PipeEnds())
      try await server.open(input: requests.reading, output: replies.writing)
      let client = try await Client.connect(input: replies.reading, output: requests.writing)
      #expect(try await client.call("big", ["size": 300_000]).stringValue?.count == 300_000)
      await client.close()
      #expect(try await server.closeReason(of: 0) == .inputEnded)
    }
  }

  @Test("input that ended on a pipe loses none of three replies")
  func halfClosed() async throws {
    try await ToyServer.run { server in
      let (requests, replies) = (PipeEnds(), PipeEnds())
      try await server.open(input: requests.reading, output: replies.writing)
      writeAll((1...3).flatMap(hold), to: requests.writing)
      close(requests.writing)
      try await server.log.first { $0 == .inputEnded(0) }
      server.peer(0).execute { $0.release() }
      var parser = FrameParser()
      parser.append(try await blocking { readToEnd(replies.reading) })
      for id in 1...3 {
        let frame = try #require(try parser.next())
        #expect(Frame(reading: frame).id == .integer(Int64(id)))
      }
      close(replies.reading)
    }
  }

  @Test("a pipe whose reader vanished with replies under way is closed")
  func readerVanishes() async throws {
    try await ToyServer.run { server in
      let (requests, replies) = (PipeEnds(), PipeEnds())
      let settings = Connection.Settings.toy(stallLimit: .milliseconds(50))
      try await server.open(input: requests.reading, output: replies.writing, settings: settings)
      let big = MessageBytes.request(id: .integer(1), method: "big", params: ["size": 1_000_000])
      writeAll(Framing.headers.frame(big), to: requests.writing)
      try await server.log.first { $0 == .received(0, Frame(reading: big)) }
      close(replies.reading)
      // By the write that meets no reader, or by the limit where the pipe takes none any more.
      let reason = try await server.closeReason(of: 0)
      #expect(reason == .vanished || reason == .stalled(.milliseconds(50)), "\(reason)")
      close(requests.writing)
    }
  }

  @Test("a careless print goes to standard error, and reading standard input finds its end")
  func takenStdio() async throws {
    let (input, output, error) = (PipeEnds(), PipeEnds(), PipeEnds())
    let taken = try Stdio.take(input: input.reading, output: output.writing, error: error.writing)
    writeAll(Array("print".utf8), to: output.writing)
    writeAll(Array("frame".utf8), to: taken.output)
    writeAll(Array("request".utf8), to: input.writing)
    for end in [output.writing, taken.output, error.writing, input.writing] { close(end) }
    #expect(try await blocking { readToEnd(error.reading) } == Array("print".utf8))
    #expect(try await blocking { readToEnd(output.reading) } == Array("frame".utf8))
    #expect(try await blocking { readToEnd(input.reading) }.isEmpty)
    #expect(try await blocking { readToEnd(taken.input) } == Array("request".utf8))
    for descriptor in [taken.input, taken.output] {
      #expect(fcntl(taken.input, F_GETFD) & FD_CLOEXEC != 0 || descriptor == taken.output)
    }
    for end in [input.reading, output.reading, error.reading, taken.input] { close(end) }
  }
}
