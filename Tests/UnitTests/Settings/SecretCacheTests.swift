import Foundation
import HTTP
import Kit
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Daemon

@Suite("Secrets for features")
struct SecretCacheTests {
  private final class Scene: Sendable {
    let definitions = Mutex<[String: Credential]>([:])
    let time = SkippedTime()
    let reads = Mutex(0)
    let isLocked = Mutex(false)
    let origin: Origin
    let gate: ServerGate?

    init(gate: ServerGate? = nil) throws {
      self.gate = gate
      origin = try #require(Origin("https://a.example"))
      define(.environment("T"))
    }

    func define(_ source: Credential.Source) {
      definitions.withLock { $0 = ["work": Credential(name: "work", origin: origin, source: source)] }
    }

    var credentials: Credentials {
      SecretCache(
        definitions: { self.definitions.withLock(\.self) }, now: { self.time.now },
        read: { _ in
          let number = self.reads.withLock { reads in
            reads += 1
            return reads
          }
          await self.gate?.opened()
          return self.isLocked.withLock(\.self)
            ? .failure(CredentialError(text: Text("credential.empty", ["name": "work"])))
            : .success(Secret("hunter\(number)"))
        }
      ).credentials
    }
  }

  @Test("a secret is read when it is wanted, kept for a minute, and read again then or when a service refused it")
  func kept() async throws {
    let scene = try Scene()
    let credentials = scene.credentials
    func secret() async throws -> String { try await credentials.secret(named: "work", for: scene.origin).value }
    #expect(scene.reads.withLock(\.self) == 0)
    #expect(try await secret() == "hunter1")
    scene.time.pass(.seconds(59))
    #expect(try await secret() == "hunter1")
    scene.time.pass(.seconds(1))
    #expect(try await secret() == "hunter2")
    credentials.forget("work")
    #expect(try await secret() == "hunter3")
    let before = credentials.definition(named: "work")
    scene.define(.environment("OTHER"))
    #expect(credentials.definition(named: "work") != before)
    #expect(try await secret() == "hunter4")
  }

  @Test("a file that has changed is another secret at once, with a definition of its own")
  func changedFile() async throws {
    try await withFolder { folder in
      let path = folder + "/key"
      try Data("old\n".utf8).write(to: URL(filePath: path))
      let scene = try Scene()
      scene.define(.file(path))
      let credentials = scene.credentials
      func secret() async throws -> String { try await credentials.secret(named: "work", for: scene.origin).value }
      #expect(try await secret() == "hunter1")
      let before = credentials.definition(named: "work")
      #expect(credentials.definition(named: "work") == before)
      #expect(try await secret() == "hunter1")
      // As an editor writes it, by a file that takes the place of the old one.
      try Data("new\n".utf8).write(to: URL(filePath: path), options: .atomic)
      let replaced = credentials.definition(named: "work")
      #expect(replaced != before)
      #expect(try await secret() == "hunter2")
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.write(contentsOf: Data("longer\n".utf8))
      try file.close()
      #expect(credentials.definition(named: "work") != replaced)
      #expect(try await secret() == "hunter3")
      try FileManager.default.removeItem(atPath: path)
      #expect(try await secret() == "hunter4")
    }
  }

  @Test("many who want it at once are one question")
  func once() async throws {
    let gate = ServerGate()
    let scene = try Scene(gate: gate)
    let credentials = scene.credentials
    let calls = (0..<5).map { _ in
      Task { try await credentials.secret(named: "work", for: scene.origin).value }
    }
    while scene.reads.withLock(\.self) == 0 { await Task.yield() }
    gate.open()
    for call in calls { #expect(try await call.value == "hunter1") }
  }

  @Test("what failed is tried again by the next who asks")
  func failure() async throws {
    let scene = try Scene()
    let credentials = scene.credentials
    scene.isLocked.withLock { $0 = true }
    let error = await #expect(throws: RPCError.self) { try await credentials.secret(named: "work", for: scene.origin) }
    #expect(error?.kind == .unauthorized && error?.text.key == "credential.empty")
    scene.isLocked.withLock { $0 = false }
    #expect(try await credentials.secret(named: "work", for: scene.origin).value == "hunter2")
  }

  @Test(
    "a secret goes to its scheme, host and port alone, and no other question is even asked of its command",
    arguments: ["http://a.example", "https://a.example:8443", "https://b.example", "https://x.a.example"])
  func otherOrigin(_ text: String) async throws {
    let scene = try Scene()
    let credentials = scene.credentials
    let other = try #require(Origin(text))
    let error = await #expect(throws: RPCError.self) { try await credentials.secret(named: "work", for: other) }
    #expect(error?.kind == .unauthorized && error?.text.key == "network.otherOrigin")
    #expect(error?.text.arguments["origin"] == "https://a.example")
    #expect(scene.reads.withLock(\.self) == 0)
  }

  @Test("a name that is not defined is said to be so")
  func undefined() async throws {
    let scene = try Scene()
    for credentials in [scene.credentials, Credentials.none] {
      #expect(credentials.definition(named: "home") == nil)
      let error = await #expect(throws: RPCError.self) {
        try await credentials.secret(named: "home", for: scene.origin)
      }
      #expect(error?.kind == .unauthorized && error?.text == Text("network.noCredential", ["name": "home"]))
    }
    #expect(scene.credentials.definition(named: "work")?.origin == scene.origin)
  }
}
