import Contract
import Foundation
import TestSupport
import Testing
import Wire

/// What LSP says of a connection's beginning and end, and of notices that are meant for other servers.
@Suite struct LifecycleTests {
  @Test("a socket that vanished, alone or with its folder, is made anew, and who is connected notices nothing")
  func vanishedSocket() async throws {
    for hasFolder in [true, false] {
      let (lines, told) = AsyncStream.makeStream(of: String.self)
      let daemon = try await TestDaemon { $0.log = Log { told.yield($1) } }
      let client = try await daemon.client()
      if hasFolder {
        try FileManager.default.removeItem(atPath: daemon.socket)
      } else {
        // Not with the library in it, which would be gone, too.
        try FileManager.default.moveItem(atPath: daemon.folder.path, toPath: daemon.folder.path + "-moved")
      }
      for await line in lines where line.contains("had vanished and was created again") { break }
      let mode = try FileManager.default.attributesOfItem(atPath: daemon.socket)[.posixPermissions] as? NSNumber
      #expect(mode?.intValue == 0o600)
      _ = try await daemon.client(name: "late").call("session/ping")
      _ = try await client.call("session/ping")
      await daemon.stop()
      #expect(!FileManager.default.fileExists(atPath: daemon.socket))
      try? FileManager.default.removeItem(atPath: daemon.folder.path + "-moved")
    }
  }

  @Test("after shutdown a client's every request is refused, in words that do not speak of the daemon's end")
  func afterShutdown() async throws {
    let daemon = try await TestDaemon()
    let client = try await daemon.client()
    let other = try await daemon.client(name: "other")
    _ = try await client.call("shutdown")
    for method in ["session/ping", "rpc.discover", "documents/list", "shutdown"] {
      let error = try await client.failure(method)
      #expect(error?.code == -32600, "\(method)")
      #expect(error?.message.contains("shutdown") == true, "\(method)")
    }
    _ = try await other.call("session/ping")
    await daemon.stop()
  }

  @Test("what a daemon begins behind its first client is not begun any more by one that was ended before")
  func noWorkBehindTheEnd() async throws {
    let daemon = try await TestDaemon()
    await daemon.stop()
    #expect(!daemon.daemon.startBackgroundWork())
    let next = try await TestDaemon(in: daemon.folder)
    #expect(next.daemon.startBackgroundWork())
    await next.stop()
    #expect((daemon.logLines + next.logLines).filter { $0.contains("maintenance failed") } == [])
  }

  @Test("what an editor tells every language server leaves no line in the log; a notice that nobody knows leaves words")
  func notices() async throws {
    let daemon = try await TestDaemon()
    let client = try await daemon.client()
    for notice in ["workspace/didChangeConfiguration", "textDocument/didOpen", "window/workDoneProgress/cancel", "$/x"]
    {
      client.notify(notice, [:])
    }
    _ = try await client.call("session/sync")
    #expect(daemon.logLines.filter { $0.contains("notification") }.isEmpty)
    client.notify("documents/lisst", [:])
    _ = try await client.call("session/sync")
    let line = daemon.logLines.first { $0.contains("notification") }
    #expect(line?.contains("documents/list") == true)
    #expect(line?.contains("RPCError") == false)
    await daemon.stop()
  }

  @Test("what goes wrong is said to the clients that listen, as other servers do; what is in order is not")
  func logMessage() async throws {
    let daemon = try await TestDaemon()
    let client = try await daemon.client()
    let other = try await daemon.client(name: "other")
    other.notify("documents/lisst", [:])
    let frame = try await client.firstReceived { frame in
      if case .single(.notification("window/logMessage", _)) = frame { true } else { false }
    }
    guard case .single(.notification(_, let params)) = frame else { return }
    #expect(params["type"] == 1)
    #expect(params["message"]?.stringValue?.contains("documents/list") == true)
    await daemon.stop()
  }
}
