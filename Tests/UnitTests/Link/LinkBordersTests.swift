import Foundation
import NIOCore
import TestSupport
import Testing
import Wire

@testable import Link

@Suite("Borders of the links", .timeLimit(.minutes(10)))
struct LinkBordersTests {
  private func filled(
    _ outbox: Outbox, limit: Int, framing: Framing, notifications: [String] = []
  ) -> (text: String, replies: Int) {
    var buffer = ByteBuffer()
    var rest = notifications[...]
    let replies = outbox.fill(&buffer, limit: limit, framing: framing) { rest.popFirst().map { Array($0.utf8) } }
    return (String(buffer: buffer), replies)
  }

  @Test("a message leaves in its frame, in pieces of the limit, and only the bytes of replies count")
  func pieces() {
    let outbox = Outbox()
    outbox.append(reply: Array("0123456789".utf8))
    #expect(!outbox.isEmpty)
    // The head is not cut.
    #expect(filled(outbox, limit: 24, framing: .headers) == ("Content-Length: 10\r\n\r\n01", 2))
    #expect(!outbox.isEmpty)
    #expect(filled(outbox, limit: 5, framing: .headers) == ("23456", 5))
    #expect(filled(outbox, limit: 5, framing: .headers) == ("789", 3))
    #expect(outbox.isEmpty && filled(outbox, limit: 5, framing: .headers) == ("", 0))
    outbox.append(reply: Array("0123".utf8))
    #expect(filled(outbox, limit: 5, framing: .headers) == ("Content-Length: 4\r\n\r\n0", 1))
    #expect(filled(outbox, limit: 3, framing: .headers) == ("123", 3))
    #expect(outbox.isEmpty)
  }

  @Test("lines end with a line end, and what has its frame already gets none")
  func frames() {
    let outbox = Outbox()
    outbox.append(reply: Array("one".utf8))
    outbox.append(reply: Array("raw".utf8), isFramed: true)
    outbox.append(reply: Array("two".utf8))
    #expect(filled(outbox, limit: 100, framing: .lines) == ("one\nrawtwo\n", 9))
    outbox.append(reply: Array("raw".utf8), isFramed: true)
    #expect(filled(outbox, limit: 100, framing: .headers) == ("raw", 3))
    outbox.append(reply: Array("cut".utf8))
    #expect(filled(outbox, limit: 2, framing: .lines) == ("cu", 2))
    #expect(filled(outbox, limit: 2, framing: .lines) == ("t\n", 1))
  }

  @Test("notifications go before progress, progress before replies, and what has begun to leave before all of them")
  func order() {
    let outbox = Outbox()
    outbox.append(reply: Array("reply".utf8))
    outbox.add(progress: Array("begin".utf8), step: .begin, token: .integer(1), hasRoom: true)
    #expect(filled(outbox, limit: 100, framing: .lines, notifications: ["a", "b"]) == ("a\nb\nbegin\nreply\n", 5))
    outbox.append(reply: Array("first".utf8))
    #expect(filled(outbox, limit: 3, framing: .lines) == ("fir", 3))
    outbox.append(reply: Array("second".utf8))
    #expect(filled(outbox, limit: 100, framing: .lines, notifications: ["a"]) == ("st\na\nsecond\n", 8))
    outbox.append(reply: Array("gone".utf8))
    outbox.add(progress: Array("gone".utf8), step: .begin, token: .integer(2), hasRoom: true)
    #expect(filled(outbox, limit: 2, framing: .lines, notifications: ["gone"]) == ("go", 0))
    outbox.removeAll()
    #expect(outbox.isEmpty && filled(outbox, limit: 100, framing: .lines) == ("", 0))
  }

  @Test("the path of a socket has 107 bytes at most")
  func paths() throws {
    let folder = TemporaryFolder()
    let room = 107 - folder.path.utf8.count - 1
    let path = folder.file(String(repeating: "s", count: room))
    let descriptor = try UnixSocket.bind(path)
    defer { close(descriptor) }
    #expect(UnixSocket.Identity(of: path) != nil)
    #expect(throws: UnixSocket.Failure.pathTooLong(limit: 107)) { try UnixSocket.bind(path + "s") }
    #expect(throws: UnixSocket.Failure.pathTooLong(limit: 107)) { try UnixSocket.connect(path + "s") }
    #expect(throws: UnixSocket.Failure.system(call: "connect", errno: ECONNREFUSED)) { try UnixSocket.connect(path) }
  }

  @Test("what cannot be bound leaves no descriptor, and what stands at the path stays unless it was a socket")
  func unbound() throws {
    let folder = TemporaryFolder()
    let file = folder.file("file")
    try Data("text".utf8).write(to: URL(filePath: file))
    #expect(throws: UnixSocket.Failure.notOurs) { try UnixSocket.bind(file) }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "text")
    try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: file)
    #expect(throws: UnixSocket.Failure.notOurs) { try UnixSocket.bind(folder.file("link")) }
    #expect(throws: UnixSocket.Failure.system(call: "bind", errno: ENOENT)) { try UnixSocket.bind(folder.file("no/s")) }
    #expect(UnixSocket.Identity(of: file) == nil && UnixSocket.Identity(of: folder.file("none")) == nil)
  }

  @Test("no program that is started inherits a socket, a client's or ours, nor the input and output that were taken")
  func inherited() async {
    await #expect(processExitsWith: .success) {
      func open() -> [Int32] {
        (3..<256 as Range<Int32>).filter { descriptor in
          var state = stat()
          guard fstat(descriptor, &state) == 0, state.st_mode & S_IFMT == S_IFSOCK else { return false }
          return fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0
        }
      }
      let before = open()
      try await ToyServer.run { server in
        let client = try await server.connect()
        _ = try await client.call("echo", [1])
        guard open() == before else { exit(1) }
        await client.close()
      }
      let pipe = PipeEnds()
      let taken = try Stdio.take(input: pipe.reading, output: pipe.writing, error: 2)
      for descriptor in [taken.input, taken.output] {
        guard descriptor >= 3, fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0 else { exit(2) }
      }
    }
  }

  @Test("a message that does not go on is late a moment after its time, and each 64 KiB give it a second more")
  func late() {
    let begun = ContinuousClock.now
    let partial = PartialFrame(number: 0, since: begun)
    for (bytes, seconds) in [(0, 30.0), (64 << 10, 31.0), (32 << 10, 30.5), (16 << 20, 286.0)] {
      let end = begun + .seconds(seconds)
      #expect(!partial.isLate(at: end, bytes: bytes, limit: .seconds(30)))
      #expect(partial.isLate(at: end + .nanoseconds(1), bytes: bytes, limit: .seconds(30)))
    }
  }
}
