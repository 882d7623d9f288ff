import Client
import Foundation
import Link
import TestSupport
import Testing
import Wire

@Suite("Bridge", .timeLimit(.minutes(10)))
struct BridgeTests {
  private func run(input: Int32, output: Int32, socket: Int32) async throws -> Bridge.Ending {
    try await blocking {
      var bridge = Bridge(input: input, output: output, socket: socket)
      return bridge.run()
    }
  }

  @Test("ten clients speak through bridges of their own")
  func tenBridges() async throws {
    try await ToyServer.run { server in
      try await withThrowingTaskGroup { group in
        for number in 0..<10 {
          group.addTask {
            let (requests, replies) = (PipeEnds(), PipeEnds())
            let socket = try UnixSocket.connect(server.path)
            async let ending = run(input: requests.reading, output: replies.writing, socket: socket)
            let client = try await Client.connect(input: replies.reading, output: requests.writing)
            #expect(try await client.call("echo", ["n": .integer(Int64(number))]) == ["n": .integer(Int64(number))])
            #expect(try await client.call("big", ["size": 500_000]).stringValue?.count == 500_000)
            client.closeInput()
            #expect(try await ending == .socketEnded)
            for descriptor in [requests.reading, replies.writing, socket] { close(descriptor) }
            try await client.closed()
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("input from a file that ends is passed on as an end, and every reply still comes")
  func file() async throws {
    try await ToyServer.run { server in
      let path = server.path + ".requests"
      let requests = (1...500).flatMap {
        Framing.lines.frame(
          MessageBytes.request(id: .integer($0), method: "echo", params: ["n": .integer($0)]))
      }
      try Data(requests).write(to: URL(fileURLWithPath: path))
      let input = open(path, O_RDONLY)
      let output = open(path + ".replies", O_CREAT | O_RDWR, 0o600)
      let socket = try UnixSocket.connect(server.path)
      #expect(try await run(input: input, output: output, socket: socket) == .socketEnded)
      lseek(output, 0, SEEK_SET)
      let ids = readToEnd(output).split(separator: 0x0A).map { Frame(reading: Array($0)).id }
      #expect(ids == (1...500).map { .integer($0) })
      for descriptor in [input, output, socket] { close(descriptor) }
    }
  }

  @Test("both ways at once, with more than any buffer holds, nothing is lost and nothing waits for ever")
  func bothWays() async throws {
    let (requests, replies, sockets) = (PipeEnds(), PipeEnds(), SocketPair())
    let up = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let down = Array(up.reversed())
    async let ending = run(input: requests.reading, output: replies.writing, socket: sockets.one)
    async let wroteUp: Void = blocking {
      writeAll(up, to: requests.writing)
      close(requests.writing)
    }
    async let wroteDown: Void = blocking { writeAll(down, to: sockets.other) }
    async let gotUp = blocking { readToEnd(sockets.other) }
    async let gotDown = blocking { readToEnd(replies.reading) }
    // The far side ends its output only when it has heard and said everything, as the daemon does.
    try await wroteUp
    #expect(try await gotUp == up)
    try await wroteDown
    shutdown(sockets.other, Int32(SHUT_WR))
    #expect(try await ending == .socketEnded)
    close(replies.writing)
    #expect(try await gotDown == down)
    for descriptor in [requests.reading, replies.reading, sockets.one, sockets.other] { close(descriptor) }
  }

  @Test(
    "a message of the bridge's own goes before the first one, in the framing that this chooses; without one it stays",
    arguments: [
      ("{}\n", "notice\n{}\n"), (" \r\n{}\n", "notice\n \r\n{}\n"),
      ("Content-Length: 2\r\n\r\n{}", "Content-Length: 6\r\n\r\nnoticeContent-Length: 2\r\n\r\n{}"),
      ("\n", "\n"), ("", ""),
    ])
  func greeting(input: String, wanted: String) async throws {
    let (requests, replies, sockets) = (PipeEnds(), PipeEnds(), SocketPair())
    async let ending = blocking {
      var bridge = Bridge(
        input: requests.reading, output: replies.writing, socket: sockets.one, greeting: Array("notice".utf8))
      return bridge.run()
    }
    writeAll(Array(input.utf8), to: requests.writing)
    close(requests.writing)
    #expect(String(decoding: try await blocking { readToEnd(sockets.other) }, as: UTF8.self) == wanted)
    shutdown(sockets.other, Int32(SHUT_WR))
    #expect(try await ending == .socketEnded)
    for descriptor in [requests.reading, replies.reading, replies.writing, sockets.one, sockets.other] {
      close(descriptor)
    }
  }

  @Test("a front end that reads no more ends its bridge, and the daemon sees the connection go")
  func outputClosed() async throws {
    try await ToyServer.run { server in
      let (requests, replies) = (PipeEnds(), PipeEnds())
      let socket = try UnixSocket.connect(server.path)
      async let ending = run(input: requests.reading, output: replies.writing, socket: socket)
      writeAll(
        Framing.lines.frame(MessageBytes.request(id: .integer(1), method: "hold", params: .null)), to: requests.writing)
      try await server.log.first { if case .received(0, _) = $0 { true } else { false } }
      close(replies.reading)
      #expect(try await ending == .outputClosed)
      for descriptor in [requests.reading, requests.writing, replies.writing, socket] { close(descriptor) }
      try await server.log.first { $0 == .inputEnded(0) }
    }
  }

  @Test("a bridge killed after any number of bytes disturbs nobody", arguments: [0, 1, 17, 23, 60, 90])
  func killed(after count: Int) async throws {
    try await ToyServer.run { server in
      let other = try await server.connect()
      _ = try await other.call("echo")
      let request = Framing.headers.frame(
        MessageBytes.request(id: .integer(1), method: "echo", params: ["text": "a request of a certain length"]))
      // What is left of a killed bridge is its socket, closed by the kernel wherever the bytes stood.
      do {
        let socket = try await server.connectRaw()
        socket.write(Array(request.prefix(count)))
      }
      _ = try await server.closeReason(of: 1)
      #expect(try await other.call("echo", ["well": true]) == ["well": true])
      await other.close()
    }
  }
}
