import Contract
import Foundation
import TestSupport
import Testing

@testable import HTTP
@testable import Sync

/// Targets at servers of others, through a proxy that cuts connections.
@Suite("Targets at real servers", .timeLimit(.minutes(10)))
struct TargetPeerTests {
  @Test("rclone's WebDAV server keeps, lists, gives and removes files, also over cut connections")
  func webDAV() async throws {
    let server = try await PeerServer.webDAV()
    let proxy = try FaultyProxy(to: server.port)
    defer { proxy.stop() }
    let time = SkippedTime()
    let client = HTTPClient.ofTargets(time)
    defer { client.shutDown() }
    let target = try WebDAVTarget(client, url: proxy.origin + "/") { ("ann", "tea:time") }
    try await Self.check(target)
    try await Self.checkCuts(target, proxy)
    try await Self.checkLibraries(target, proxy, time)
    let stranger = try WebDAVTarget(client, url: proxy.origin) { ("ann", "tea") }
    await Self.checkRefusal(stranger)
    let other = try WebDAVTarget(client, url: proxy.origin + "/none") { ("ann", "tea:time") }
    #expect(await Self.failure { _ = try await other.list() } == .gone)
  }

  @Test("moto's S3 server does the same, and finds each signature right")
  func s3() async throws {
    let (server, id, secret) = try await PeerServer.s3(bucket: "notes")
    let proxy = try FaultyProxy(to: server.port)
    defer { proxy.stop() }
    let time = SkippedTime()
    let client = HTTPClient.ofTargets(time)
    defer { client.shutDown() }
    func target(_ bucket: String = "notes", prefix: String = "", secret: String = secret) throws -> S3Target {
      try S3Target(
        client,
        S3Target.Place(endpoint: proxy.origin, bucket: bucket, region: "us-east-1", prefix: prefix, usesPath: true),
        now: { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }, credential: { (id, secret) })
    }
    try await Self.check(try target())
    // Beside it, under a name with characters that are written otherwise in a URL.
    try await Self.check(try target(prefix: "/my library (ü)/"))
    try await Self.checkCuts(try target(prefix: "cuts"), proxy)
    try await Self.checkLibraries(try target(prefix: "libraries"), proxy, time)
    await Self.checkRefusal(try target(secret: "wrong"))
    #expect(await Self.failure { _ = try await target("none").list() } == .gone)
  }

  // MARK: - What every target does

  private static let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) }

  private static func check(_ target: some SyncTarget) async throws {
    #expect(try await target.space() == nil)
    #expect(try await target.list().isEmpty)
    #expect(try await target.get("a", limit: 10) == nil)
    try await target.remove("a")
    let space = Space(secret: .make())
    try await target.putSpace(space.fileName, space.bytes)
    try await target.putSpace("space.2", [1, 2, 3])
    #expect(try await target.space()?.bytes == [1, 2, 3])
    try await target.put("a", [1, 2, 3])
    try await target.put("a", [1, 2, 3])
    try await target.put("b", large)
    try await target.put("empty", [])
    #expect(try await sizes(target) == ["a": 3, "b": large.count, "empty": 0])
    #expect(try await target.get("b", limit: large.count) == large)
    #expect(try await target.get("b", limit: large.count - 1) == nil)
    #expect(try await target.get("empty", limit: 0) == [])
    try await target.put([7], at: "pieces/0a/0a0b")
    #expect(try await target.files(in: "pieces/0a").map(\.name) == ["0a0b"])
    #expect(try await target.files(in: "pieces").isEmpty)
    try await target.remove("b")
    try await target.remove("b")
    #expect(try await sizes(target) == ["a": 3, "empty": 0])
  }

  /// A connection that ends anywhere is an error or nothing at all, and the same again puts it right.
  private static func checkCuts(_ target: some SyncTarget, _ proxy: FaultyProxy) async throws {
    try await target.put("kept", [1, 2, 3])
    for direction in [FaultyProxy.Direction.request, .answer] {
      for count in [0, 40, 2_000_000] {
        let name = "\(direction)-\(count)"
        // Once: the client itself tries again.
        for (number, work) in work(target, name).enumerated() {
          proxy.cut(direction, after: count, times: 1)
          try await eventually(work)
          proxy.mend()
          #expect(try await sizes(target)["kept"] == 3, "\(name) \(number)")
        }
        // Each time: it says that it did not work, and later it does.
        for (number, work) in work(target, "each-\(name)").enumerated() {
          proxy.cut(direction, after: count, times: .max)
          let failure = await Self.failure(work)
          proxy.mend()
          #expect(failure == nil || failure == .unreachable, "\(name) \(number)")
          // Nothing passes, so nothing may look as if it had.
          #expect(failure == .unreachable || count > 0, "\(name) \(number)")
          try await eventually(work)
        }
      }
    }
  }

  /// One of each kind, that ends in the same state whenever and however often it is done.
  private static func work(_ target: some SyncTarget, _ name: String) -> [@Sendable () async throws -> Void] {
    [
      {
        let sizes = try await sizes(target)
        #expect(sizes["kept"] == 3)
      },
      {
        let bytes = try await target.get("kept", limit: 3)
        #expect(bytes == [1, 2, 3])
      },
      {
        try await target.put(name, large)
        let bytes = try await target.get(name, limit: large.count)
        #expect(bytes == large)
      },
      {
        try await target.remove(name)
        let sizes = try await sizes(target)
        #expect(sizes[name] == nil)
      },
    ]
  }

  /// Three libraries that write at the same time end equal, whatever is cut, late, repeated or truncated.
  private static func checkLibraries(
    _ target: some SyncTarget, _ proxy: FaultyProxy, _ skipped: SkippedTime
  ) async throws {
    var random = SeededGenerator(seed: 4)
    let schema = SyncSchema(version: 1, ["cards": SyncedCollection(["title": .latest])])
    let secret = SpaceSecret.make()
    let sealing = Space(secret: secret).sealing(secret)
    var policy = SyncPolicy()
    // A minute of the test is what months are elsewhere.
    (policy.firstRetry, policy.lateRetry, policy.lag, policy.grace) = (100, 4_000, 3_000, 3_000)
    (policy.files, policy.keeping) = (6, 3_000)
    var libraries = (0..<3).map {
      SimulatedLibrary(
        schema, FileLedger(WriterIdentity(boot: "0", device: "d\($0)", epoch: "e"), using: &random))
    }
    var now: Int64 = 1_790_000_000_000
    for round in 0..<20 {
      let isQuiet = round >= 10
      for index in libraries.indices {
        if !isQuiet {
          let key = ItemKey("cards", ByteKey("c\(Int.random(in: 0..<8, using: &random))"))
          libraries[index].put(["title": .string("\(round) \(index)")], at: key)
          proxy.cut(
            Bool.random(using: &random) ? .request : .answer, after: .random(in: 0...1_500, using: &random),
            times: .random(in: 0...6, using: &random))
          proxy.disturb(Set(FaultyProxy.Fault.allCases), seed: random.next())
        }
        now += 1_000
        // The client lets a server rest that has failed many times.
        skipped.pass(.seconds(3_600))
        libraries[index].absorb(at: now)
        let run = SyncRun(policy: policy, sealing: sealing, device: ("d\(index)", "phone \(index)", 1))
        var store = target
        let time = now
        var library = libraries[index]
        let isWhole = await SyncRun.run(
          run, &library.ledger, &library.states, on: &store, now: { time }, using: &random)
        library.show()
        libraries[index] = library
        proxy.mend()
        #expect(isWhole || !isQuiet, "\(round) \(index)")
      }
    }
    #expect(Set(libraries.map(\.states.bytes)).count == 1)
    #expect(Set(libraries.map { $0.rows.mapValues { "\($0)" } }).count == 1)
    #expect(!libraries[0].rows.isEmpty)
    for library in libraries { #expect(library.ledger.damaged.isEmpty && library.ledger.staged.isEmpty) }
    // The server sees no word of it.
    for (name, size) in try await target.list() {
      guard let file = FileName(name) else { continue }
      let bytes = try await target.get(name, limit: sealing.maximumBytes)
      #expect(bytes.map { file.matches($0) } == true, "\(name) \(size) \(String(describing: bytes?.count))")
      for word in ["title", "cards", "phone"] { #expect(bytes?.firstRange(of: Array(word.utf8)) == nil) }
    }
  }

  private static func checkRefusal(_ target: some SyncTarget) async {
    #expect(await failure { _ = try await target.list() } == .refused)
    #expect(await failure { _ = try await target.get("kept", limit: 3) } == .refused)
    #expect(await failure { try await target.put("kept", [1]) } == .refused)
    #expect(await failure { try await target.remove("kept") } == .refused)
  }

  // MARK: - Help

  private static func sizes(_ target: some SyncTarget) async throws -> [String: Int] {
    Dictionary(uniqueKeysWithValues: try await target.list().map { ($0.name, $0.size) })
  }

  /// Again and again while the server has not noticed yet that a connection is gone, and holds the file of it.
  private static func eventually(_ work: () async throws -> Void) async throws {
    let end = ContinuousClock.now + .seconds(120)
    while true {
      do { return try await work() } catch let error as TargetError {
        guard error.kind == .unreachable, error.text.arguments["code"] == "423", ContinuousClock.now < end else {
          throw error
        }
      }
    }
  }

  private static func failure(_ work: () async throws -> Void) async -> TargetError.Kind? {
    do {
      try await work()
      return nil
    } catch let error as TargetError {
      return error.kind
    } catch {
      Issue.record(error)
      return nil
    }
  }
}
