import Client
import Features
import Foundation
import SQLite
import Store
import Synchronization
import System
import TestSupport
import Testing
import Wire

/// Promise 11: failures say what they are, and nothing is half-written.
@Suite struct FailureTests {
  private let features = AllFeatures.features + [ToyFeature.feature]

  @Test("a write that changes rows and reports nothing fails and leaves nothing")
  func sneak() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let id = try #require(try await client.call("toys/add", ["title": "one", "body": "as it was"])["id"])
    #expect(try await client.failure("toys/sneak")?.code == -32603)
    #expect(try await client.call("toys/get", ["id": id])["body"] == "as it was")
    #expect(try await client.call("session/sync").clock == 1)
    #expect(daemon.logLines.contains { $0.contains("toys/sneak") })
    await daemon.stop()
  }

  @Test("there is room again when a file was written, not when one was there already")
  func room() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let first: JSONValue = .string(daemon.folder.file("first"))
    let second: JSONValue = .string(daemon.folder.file("second"))
    func told(_ words: String) -> Int { daemon.logLines.count { $0.contains("toys/writeFile \(words)") } }
    _ = try await client.call("toys/writeFile", ["path": first])
    #expect(try await client.failure("toys/writeFile", ["path": second, "isFull": true])?.kind == "diskFull")
    _ = try await client.call("toys/writeFile", ["path": first])
    #expect(told("could not write") == 1 && told("writes its files again") == 0)
    _ = try await client.call("toys/writeFile", ["path": second])
    #expect(told("could not write") == 1 && told("writes its files again") == 1)
    await daemon.stop()
  }

  @Test("a library that is moved or removed under its daemon takes no more writes, and the daemon ends")
  func libraryIsGone() async throws {
    for isMoved in [true, false] {
      let daemon = try await TestDaemon(features: features)
      let client = try await daemon.client()
      #expect(try await client.call("toys/add", ["title": "kept"]).clock == 1)
      if isMoved {
        try FileManager.default.moveItem(atPath: daemon.library, toPath: daemon.library + ".old")
      } else {
        try FileManager.default.removeItem(atPath: daemon.library)
      }
      let error = try await client.failure("toys/add", ["title": "lost"])
      #expect(error?.kind == "readOnly")
      #expect(error?.message.contains(daemon.library) == true)
      #expect(await daemon.daemon.waitForEnd())
      await daemon.stop()
      // A daemon that is asked again begins with what is there: nothing, or what was put back.
      if isMoved { try FileManager.default.moveItem(atPath: daemon.library + ".old", toPath: daemon.library) }
      let again = try await TestDaemon(features: features, in: daemon.folder)
      #expect(try await again.client().call("toys/countQuickly").count == (isMoved ? 1 : 0))
      await again.stop()
    }
  }

  @Test("a daemon ends when its library is moved away, without a request", .timeLimit(.minutes(2)))
  func libraryIsMoved() async throws {
    let daemon = try await TestDaemon(features: features)
    try FileManager.default.moveItem(atPath: daemon.library, toPath: daemon.library + ".old")
    #expect(await daemon.daemon.waitForEnd())
    #expect(daemon.logLines.contains { $0.contains("was moved or removed") })
    await daemon.stop()
  }

  @Test("no descriptor left is said as such, and to be tried again, whatever was to be opened")
  func noDescriptors() {
    #expect(RPCError(FileFailure(path: "/x", EMFILE)).kind == .busy)
    #expect(StoreError(FileFailure(path: "/x", ENFILE), path: "/l") == .tooManyFiles)
    #expect(StoreError.tooManyFiles.rpcError.kind == .busy)
  }

  @Test("of writes that are committed together only the one that fails is answered so")
  func groupWithFailure() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let gate = ToyGate.make()
    let held = client.send("toys/holdAndAdd", ["gate": .string(gate.name)])
    await gate.reached()
    let names = ["one", "plain", "two", "three"]
    let replies = names.map { client.send("toys/add", ["title": .string($0)]) }
    gate.open()
    _ = try await held.value()
    var failed: [String] = []
    for (name, reply) in zip(names, replies) {
      if let error = try await reply.failure() {
        #expect(error.kind == "notAllowed")
        failed.append(name)
      }
    }
    #expect(failed == ["plain"])
    #expect(try await client.call("toys/countQuickly").count == 4)
    await daemon.stop()
  }

  @Test("an unknown parameter is named with the nearest one there is, and an unknown method with the nearest method")
  func unknownNames() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let error = try await client.failure("toys/add", ["titel": "x"])
    #expect(error?.code == -32602)
    #expect(error?.data?["field"] == "titel")
    #expect(error?.message.contains("title") == true)
    let method = try await client.failure("toys/ad", ["title": "x"])
    #expect(method?.code == -32601)
    #expect(method?.data?["nearest"] == "toys/add")
    await daemon.stop()
  }

  @Test("U+0000 and lone surrogates are refused by name, and the text is not cut")
  func badCharacters() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let null = try await client.failure("toys/add", ["title": .string("a\u{0}b")])
    #expect(null?.code == -32602)
    #expect(null?.data?["field"] == "title")
    let message = #"{"jsonrpc":"2.0","id":"s","method":"toys/add","params":{"title":"a\ud800b"}}"#
    client.sendRaw(framed(Array(message.utf8)))
    let frame = try await client.firstReceived { frame in
      if case .single(.response(_, nil, .some)) = frame { true } else { false }
    }
    guard case .single(.response(_, _, let error?)) = frame else { return }
    #expect(error["code"] == -32700 || error["code"] == -32602)
    let other = try await daemon.client(name: "other")
    #expect(try await other.call("toys/countQuickly").count == 0)
    await daemon.stop()
  }

  @Test("sentences come in the client's own language, and say what to do")
  func languages() async throws {
    let daemon = try await TestDaemon(features: features)
    let english = try await daemon.client(name: "en")
    let korean = try await daemon.client(name: "ko", locale: "ko-KR")
    #expect(try await english.failure("toys/add", ["title": "plain"])?.message == "plain is too plain for a toy.")
    #expect(try await korean.failure("toys/add", ["title": "plain"])?.message.contains("장난감") == true)
    await daemon.stop()
  }

  @Test("a second daemon is refused with who has the library")
  func secondDaemon() async throws {
    let daemon = try await TestDaemon(features: features)
    do {
      let second = try await TestDaemon(features: features, in: daemon.folder)
      await second.stop()
      Issue.record("two daemons own one library")
    } catch let error as StoreError {
      guard case .inUse(let owner?) = error else { throw error }
      #expect(owner.pid == ProcessInfo.processInfo.processIdentifier)
      #expect(owner.socket == daemon.socket)
      #expect(error.rpcError.kind == .libraryInUse)
    }
    await daemon.stop()
  }

  @Test("a library that a newer version wrote is refused with what is unknown, and left as it is")
  func newerLibrary() async throws {
    let daemon = try await TestDaemon(features: features)
    _ = try await daemon.client().call("toys/add", ["title": "one"])
    await daemon.stop()
    try await edit(daemon) { try $0.execute("INSERT INTO grdb_migrations VALUES ('toys/999')") }
    let before = FileManager.default.contents(atPath: daemon.library + "/library.sqlite")
    await #expect(throws: StoreError.newer(path: daemon.library, unknown: ["toys/999"])) {
      try await TestDaemon(features: features, in: daemon.folder).stop()
    }
    #expect(FileManager.default.contents(atPath: daemon.library + "/library.sqlite") == before)
  }

  @Test("a library file that is none is refused as broken, and left as it is")
  func brokenLibrary() async throws {
    let daemon = try await TestDaemon(features: features)
    await daemon.stop()
    let nonsense = Data(repeating: 0x41, count: 8_192)
    try nonsense.write(to: URL(fileURLWithPath: daemon.library + "/library.sqlite"))
    do {
      try await TestDaemon(features: features, in: daemon.folder).stop()
      Issue.record("a file of letters was opened as a library")
    } catch let error as StoreError {
      #expect(error.rpcError.kind == .corrupt)
    }
    #expect(FileManager.default.contents(atPath: daemon.library + "/library.sqlite") == nonsense)
  }

  @Test("a library that is damaged inside is told as that by who meets the damage, and what is whole is served")
  func damagedInside() async throws {
    let daemon = try await TestDaemon(features: features)
    let id = try #require(try await daemon.client().call("toys/add", ["title": "one"])["id"])
    await daemon.stop()
    let database = try Database(path: daemon.library + "/library.sqlite")
    let root = try database.read { db in
      try db.integer("SELECT rootpage FROM sqlite_master WHERE name = 'toy'") ?? 0
    }
    try database.close()
    #expect(root > 1)
    let file = try FileHandle(forUpdating: URL(filePath: daemon.library + "/library.sqlite"))
    try file.seek(toOffset: UInt64(root - 1) * 4_096)
    try file.write(contentsOf: Data(repeating: 0x41, count: 4_096))
    try file.close()
    let second = try await TestDaemon(features: features, in: daemon.folder)
    let client = try await second.client()
    for (method, params) in [("toys/get", ["id": id]), ("toys/add", ["title": "two"])] as [(String, JSONValue)] {
      let error = try await client.failure(method, params)
      #expect(error?.kind == "corrupt", "\(method): \(error?.message ?? "no error")")
      #expect(error?.message.contains(daemon.library) == true)
      #expect(error?.data?["advice"]?.text.contains("Restore a backup") == true)
    }
    _ = try await client.call("projects/add", ["title": "what is whole"])
    await second.stop()
  }

  @Test("check finds a damaged file, a missing one, and a clock that is wrong")
  func check() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let id = try #require(try await client.call("toys/add", ["title": "one"])["id"])
    let hash = try #require(try await client.call("toys/attach", ["id": id, "text": "right"])["hash"]?.text)
    #expect(try await client.call("library/check")["ok"] == true)
    let path = daemon.library + "/blobs/" + hash.prefix(2) + "/" + hash.dropFirst(2)
    chmod(path, 0o600)
    try Data("wrong".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try await client.call("library/check")["findings"]?.arrayValue?.count == 1)
    // The same bytes given again heal it.
    _ = try await client.call("toys/attach", ["id": id, "text": "right"])
    #expect(try await client.call("library/check")["ok"] == true)
    unlink(path)
    #expect(try await client.call("library/check")["findings"]?.arrayValue?.count == 1)
    await daemon.stop()
    try await edit(daemon) { try $0.execute("UPDATE library SET clock = clock + 1") }
    let second = try await TestDaemon(features: features, in: daemon.folder)
    let report = try await second.client().call("library/check")
    #expect(report["findings"]?.arrayValue?.count == 2)
    await second.stop()
  }

  @Test("a check goes on beside a write that takes long, and finds what it should in the state before it")
  func checkBesideWrite() async throws {
    let daemon = try await TestDaemon(features: features)
    let writer = try await daemon.client(name: "writer")
    let checker = try await daemon.client(name: "checker")
    _ = try await writer.call("toys/add", ["title": "one"])
    let gate = ToyGate.make()
    let held = writer.send("toys/holdAndAdd", ["gate": .string(gate.name)])
    await gate.reached()
    let steps = Mutex<[Int64]>([])
    let report = try await checker.call("library/check") { value in
      if let step = value["percentage"]?.integerValue { steps.withLock { $0.append(step) } }
    }
    #expect(report["findings"] == [])
    #expect(report["items"] == 1)
    let seen = steps.withLock(\.self)
    #expect(seen == seen.sorted() && !seen.isEmpty)
    let isAnswered = writer.received.contains { frame in
      if case .single(.response(held.id, _, _)) = frame { true } else { false }
    }
    #expect(!isAnswered)
    gate.open()
    #expect(try await held.value().clock == 2)
    await daemon.stop()
  }

  @Test("a check finds that the index holds a text which the item has no more")
  func checkIndex() async throws {
    let daemon = try await TestDaemon(features: features)
    _ = try await daemon.client().call("toys/add", ["title": "one"])
    await daemon.stop()
    try await edit(daemon) { try $0.execute("UPDATE toy SET title = 'two'") }
    let second = try await TestDaemon(features: features, in: daemon.folder)
    #expect(try await second.client().call("library/check")["findings"]?.arrayValue?.count == 1)
    await second.stop()
  }

  @Test("a hundred clients are served at once, each with its own replies and every change")
  func hundredClients() async throws {
    let daemon = try await TestDaemon(features: features)
    var clients: [Client] = []
    for number in 0..<100 { clients.append(try await daemon.client(name: "client \(number)")) }
    let replies = clients.enumerated().map { number, client in
      client.send("toys/add", ["title": .string("toy of \(number)")])
    }
    for (number, reply) in replies.enumerated() {
      #expect(try await reply.value()["title"] == .string("toy of \(number)"))
    }
    for client in clients {
      _ = try await client.call("session/sync")
      #expect(client.commits.last?.clock == 100)
      #expect(client.commits.flatMap { $0["changes"]?.arrayValue ?? [] }.count == 100)
    }
    let status = try await clients[0].call("session/status")
    #expect(Set(status["clients"]?.arrayValue?.compactMap { $0["name"]?.text } ?? []).count == 100)
    await daemon.stop()
  }

  /// Changes a library that nobody owns behind everybody's back.
  private func edit(_ daemon: TestDaemon, _ body: @escaping @Sendable (Database) throws -> Void) async throws {
    let database = try Database(path: daemon.library + "/library.sqlite")
    try database.write(body)
    try database.close()
  }

  @Test("boards of a source and an archive in a folder that are not there are answered as their methods' pages say")
  func declaredKinds() async throws {
    let daemon = try await TestDaemon()
    let client = try await daemon.client()
    let methods = try await client.call("rpc.discover")["methods"]?.arrayValue ?? []
    let calls: [(method: String, params: JSONValue, key: String)] = [
      ("boards/list", ["source": "none"], "error.notFound"),
      ("library/export", ["path": .string(daemon.folder.file("nowhere/library.tar"))], "archive.noFolder"),
    ]
    for (method, params, key) in calls {
      let error = try await client.failure(method, params)
      #expect(error?.kind == "notFound" && error?.data?["key"]?.stringValue == key, "\(String(describing: error))")
      let page = try #require(methods.first { $0["name"]?.stringValue == method })
      #expect(page["errors"]?.description.contains("notFound") == true, "\(method)")
    }
    await daemon.stop()
  }
}
