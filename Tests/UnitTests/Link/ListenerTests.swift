import Client
import Foundation
import Link
import SQLite
import TestSupport
import Testing
import Wire

@Suite("Listener", .timeLimit(.minutes(10)))
struct ListenerTests {
  @Test("the socket is its owner's alone, and the peer is known by the kernel's word")
  func modeAndPeer() async throws {
    try await ToyServer.run { server in
      var status = stat()
      #expect(lstat(server.path, &status) == 0)
      #expect(status.st_mode & 0o7777 == 0o600)
      let client = try await server.connect()
      _ = try await client.call("echo")
      let peer = await server.peer(0).read { $0.connection.peer }
      #expect(peer?.pid == getpid())
      #expect(peer?.uid == geteuid())
      await client.close()
    }
  }

  @Test("a peer of another user is closed before it is heard")
  func otherUser() async throws {
    try await ToyServer.run(owner: geteuid() + 1) { server in
      let peer = try RawSocket(connectingTo: server.path)
      peer.write(Framing.lines.frame(MessageBytes.request(id: .integer(1), method: "echo", params: .null)))
      peer.endInput()
      #expect(try await peer.readToEnd() == "")
      #expect(server.log.events.isEmpty)
    }
  }

  @Test("shutdown removes the socket that it made, and not another that stands in its place")
  func unlink() async throws {
    try await ToyServer.run { server in
      let client = try await server.connect()
      // In one step, since a socket that is gone is made anew.
      let other = server.path + ".other"
      try Data("another's".utf8).write(to: URL(filePath: other))
      try #require(rename(other, server.path) == 0)
      await server.stopListening()
      #expect(FileManager.default.contents(atPath: server.path) == Data("another's".utf8))
      #expect(try await client.call("echo", [1]) == [1], "Those who are connected stay.")
      let listener = try await Listener.bind(path: other, on: server.loops, settings: .toy()) { server.accept($0) }
      #expect(FileManager.default.fileExists(atPath: other))
      await listener.shutdown()
      await listener.shutdown()
      #expect(!FileManager.default.fileExists(atPath: other))
      await client.close()
    }
  }

  @Test("one client more than may be connected is told so and closed, and another may come when one has left")
  func mostConnections() async throws {
    try await ToyServer.run { server in
      let path = server.path + "2"
      var settings = Connection.Settings.toy()
      settings.mostConnections = 2
      let listener = try await Listener.bind(path: path, on: server.loops, settings: settings) { server.accept($0) }
      let first = try await Client.connect(socket: path)
      let second = try await Client.connect(socket: path)
      #expect(try await first.call("echo", [1]) == [1])
      #expect(try await second.call("echo", [2]) == [2])
      let third = try RawSocket(connectingTo: path)
      let line = try await third.readToEnd()
      #expect(line.contains(#""code":-32000"#) && line.hasSuffix("\n"), "\(line)")
      await first.close()
      var fourth: JSONValue?
      while fourth == nil {
        let client = try await Client.connect(socket: path)
        fourth = try? await client.call("echo", [4])
        await client.close()
      }
      #expect(fourth == [4])
      await second.close()
      await listener.shutdown()
    }
  }

  @Test("a socket left behind is replaced, one that is listened at and a file are not")
  func leftBehind() async throws {
    try await ToyServer.run { server in
      await #expect(throws: UnixSocket.Failure.inUse) {
        _ = try await Listener.bind(path: server.path, on: server.loops, settings: .toy()) { server.accept($0) }
      }
      let path = server.path + "2"
      try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
      await #expect(throws: UnixSocket.Failure.notOurs) {
        _ = try await Listener.bind(path: path, on: server.loops, settings: .toy()) { server.accept($0) }
      }
      #expect(FileManager.default.contents(atPath: path) == Data("precious".utf8))

      // Under a second name the closed first socket is what a killed daemon leaves. Were it moved there, the listener
      // would make a new one and close this one only some time later.
      try FileManager.default.linkItem(atPath: server.path, toPath: server.path + "3")
      await server.stopListening()
      let third = try await Listener.bind(path: server.path + "3", on: server.loops, settings: .toy()) {
        server.accept($0)
      }
      let client = try await Client.connect(socket: server.path + "3")
      #expect(try await client.call("echo", [3]) == [3])
      await client.close()
      await third.shutdown()
    }
  }

  @Test("what cannot be listened at is an error that names the call")
  func unlistenable() async throws {
    try await ToyServer.run { server in
      let file = open("/dev/null", O_RDWR | O_CLOEXEC)
      await #expect(throws: UnixSocket.Failure.system(call: "listen", errno: ENOTSOCK)) {
        try await Listener.inherit(file, on: server.loops, settings: .toy()) { server.accept($0) }
      }
    }
  }

  @Test("who knocks while no descriptor is left costs nothing meanwhile, and is let in when there is one again")
  func noDescriptors() async {
    // In a process of its own, whose descriptors and time are nobody else's.
    await #expect(processExitsWith: .success) {
      try await ToyServer.run { server in
        let client = try await server.connect()
        _ = try await client.call("echo", [1])
        // One descriptor more: the knocking side's.
        let next = dup(0)
        close(next)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var usual = rlimit()
        getrlimit(resource, &usual)
        var scarce = rlimit(rlim_cur: rlim_t(next + 1), rlim_max: usual.rlim_max)
        setrlimit(resource, &scarce)
        let peer = try RawSocket(connectingTo: server.path)
        peer.write(Framing.lines.frame(MessageBytes.request(id: .integer(1), method: "echo", params: .null)))
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(peer.descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var byte: UInt8 = 0
        let before = clock()
        guard recv(peer.descriptor, &byte, 1, 0) < 0 else { exit(2) }
        // In microseconds of the processor.
        guard clock() - before < 250_000 else { exit(3) }
        setrlimit(resource, &usual)
        while recv(peer.descriptor, &byte, 1, 0) < 0 {}
        guard byte == UInt8(ascii: "{") else { exit(4) }
        await client.close()
      }
    }
  }

  @Test("a path that is too long for a socket says so")
  func longPath() async throws {
    try await ToyServer.run { server in
      await #expect(throws: UnixSocket.Failure.pathTooLong(limit: 107)) {
        let path = server.path + String(repeating: "x", count: 107)
        _ = try await Listener.bind(path: path, on: server.loops, settings: .toy()) { server.accept($0) }
      }
    }
  }

  @Test("an inherited socket is listened at and its file stays")
  func inherited() async throws {
    try await ToyServer.run { server in
      let path = server.path + "i"
      let descriptor = try UnixSocket.make()
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      let bound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      #expect(bound == 0)
      let listener = try await Listener.inherit(descriptor, on: server.loops, settings: .toy()) { server.accept($0) }
      let client = try await Client.connect(socket: path)
      #expect(try await client.call("echo", [4]) == [4])
      await client.close()
      await listener.shutdown()
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }
}
