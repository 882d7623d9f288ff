import Client
import Features
import Foundation
import System
import TestSupport
import Testing
import Wire

/// Promises 3, 5, 6 and 7: clocks, notifications, resets.
@Suite struct NotificationTests {
  private let features = AllFeatures.features + [ToyFeature.feature]

  @Test("clocks follow one another without a gap, whoever writes")
  func contiguousClocks() async throws {
    let daemon = try await TestDaemon(features: features)
    var replies: [PendingReply] = []
    for name in 0..<8 {
      let client = try await daemon.client(name: "client \(name)")
      for number in 0..<50 { replies.append(client.send("toys/add", ["title": .string("toy \(number)")])) }
    }
    var clocks: [Int64] = []
    for reply in replies { clocks.append(try await reply.value().clock) }
    #expect(clocks.sorted() == Array(1...400))
    let reader = try await daemon.client()
    let log = try await reader.call("changes/log", ["limit": 500])
    #expect(log["items"]?.arrayValue?.map(\.clock) == Array((1...400).reversed()))
    await daemon.stop()
  }

  @Test("twenty clients under load hear every change in clock order, and before any reply that shows it")
  func notificationsBeforeReplies() async throws {
    let daemon = try await TestDaemon(features: features)
    var clients: [Client] = []
    for name in 0..<20 { clients.append(try await daemon.client(name: "client \(name)")) }
    var replies: [PendingReply] = []
    for round in 0..<30 {
      for client in clients {
        if round % 3 == 0 { replies.append(client.send("toys/add", ["title": .string("toy \(round)")])) }
        replies.append(client.send(round.isMultiple(of: 2) ? "session/sync" : "toys/waitAndCount"))
      }
    }
    for reply in replies { _ = try await reply.value() }
    for client in clients { #expect(try await client.call("session/sync").clock == 200) }
    for client in clients {
      var told: Int64 = 0
      var known: Set<String> = []
      for frame in client.received {
        switch frame {
        case .single(.notification("changes/didCommit", let params)):
          #expect(params["since"]?.integerValue == told)
          #expect(params.clock > told)
          told = params.clock
          for change in params["changes"]?.arrayValue ?? [] { known.insert(change["id"]?.text ?? "") }
        case .single(.response(_, let result?, _)):
          if let clock = result["clock"]?.integerValue { #expect(clock <= told) }
        default: break
        }
      }
      #expect(told == 200)
      #expect(known.count == 200)
    }
    await daemon.stop()
  }

  @Test("a client that wants no notifications of changes gets those after it has subscribed")
  func unwanted() async throws {
    let daemon = try await TestDaemon(features: features)
    let writer = try await daemon.client(name: "writer")
    let client = try await Client.connect(socket: daemon.socket, record: true)
    _ = try await client.call("initialize", ["initializationOptions": ["commonplace": ["changes": false]]])
    client.notify("initialized", [:])
    _ = try await client.call("session/sync")
    _ = try await writer.call("toys/add", ["title": "first"])
    #expect(try await client.call("changes/subscribe")["since"] == 1)
    _ = try await writer.call("toys/add", ["title": "second"])
    let heard = try await client.heard("changes/didCommit", atLeast: 1)
    #expect(heard.map(\.clock) == [2])
    await daemon.stop()
  }

  @Test("changes that wait are merged: added and updated is added, added and removed is left out")
  func merging() async throws {
    let daemon = try await TestDaemon(features: features)
    let writer = try await daemon.client(name: "writer")
    let kept = try #require(try await writer.call("toys/add", ["title": "kept"])["id"])
    // Initialized, but not yet told: what happens meanwhile waits for `initialized` as one notification.
    let other = try await Client.connect(socket: daemon.socket, record: true)
    #expect(try await other.call("initialize")["library"]?["clock"] == 1)
    let added = try #require(try await writer.call("toys/add", ["title": "added"])["id"])
    _ = try await writer.call("toys/update", ["id": added, "title": "added, updated"])
    let passing = try #require(try await writer.call("toys/add", ["title": "passing"])["id"])
    _ = try await writer.call("toys/remove", ["id": passing])
    _ = try await writer.call("toys/update", ["id": kept, "title": "updated"])
    _ = try await writer.call("toys/update", ["id": kept, "body": "twice"])
    other.notify("initialized", [:])
    _ = try await other.call("session/sync")
    #expect(other.commits.count == 1)
    let told = try #require(other.commits.first)
    #expect(told["since"] == 1)
    #expect(told["clock"] == 7)
    #expect(told["epoch"]?.text.isEmpty == false)
    #expect(
      told["changes"] == [
        ["collection": "toys", "id": added, "kind": "added", "revision": 3],
        ["collection": "toys", "id": kept, "kind": "updated", "revision": 7, "fields": ["title", "body"]],
      ])
    await daemon.stop()
  }

  @Test("removed and added again is updated, in all fields")
  func removedAndAdded() async throws {
    let daemon = try await TestDaemon(features: features)
    let writer = try await daemon.client(name: "writer")
    let id = try #require(try await writer.call("toys/add", ["title": "kept"])["id"])
    _ = try await writer.call("toys/remove", ["id": id])
    _ = try await writer.call("changes/undo")
    let since = try await writer.call("changes/since", ["clock": 1])
    #expect(since["changes"] == [["collection": "toys", "id": id, "kind": "updated", "revision": 3]])
    await daemon.stop()
  }

  @Test("a subscription that replaces another tells of everything from where it holds, and of nothing else")
  func subscription() async throws {
    let daemon = try await TestDaemon(features: features)
    let writer = try await daemon.client(name: "writer")
    let reader = try await daemon.client(name: "reader")
    let toy = try #require(try await writer.call("toys/add", ["title": "watched"])["id"])
    let other = try #require(try await writer.call("toys/add", ["title": "other"])["id"])
    _ = try await reader.call("session/sync")
    #expect(try await reader.call("changes/subscribe", ["ids": [toy]])["since"] == 2)
    _ = try await writer.call("toys/update", ["id": other, "title": "unseen"])
    _ = try await writer.call("toys/update", ["id": toy, "title": "seen"])
    _ = try await reader.call("session/sync")
    let last = try #require(reader.commits.last)
    #expect(last["since"] == 2)
    #expect(last["changes"]?.arrayValue?.map { $0["id"] } == [toy])
    _ = try await reader.call("changes/unsubscribe")
    let heard = reader.commits.count
    _ = try await writer.call("toys/update", ["id": toy, "title": "unheard"])
    _ = try await reader.call("session/sync")
    #expect(reader.commits.count == heard)
    let error = try await reader.failure("changes/subscribe", ["collections": ["toyz"]])
    #expect(error?.data?["field"] == "collections")
    await daemon.stop()
  }

  @Test("on the line framing nothing is told before changes/subscribe")
  func lineFraming() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await Client.connect(socket: daemon.socket, framing: .lines, record: true)
    _ = try await client.call("toys/add", ["title": "one"])
    #expect(client.commits.isEmpty)
    #expect(try await client.call("changes/subscribe")["since"] == 1)
    _ = try await client.call("toys/add", ["title": "two"])
    #expect(client.commits.map(\.clock) == [2])
    await daemon.stop()
  }

  @Test("a change of more than 1,000 items is a reset of its collections, told and asked for")
  func largeChangeIsReset() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    _ = try await client.call("toys/addMany", ["count": 1_000])
    #expect(client.commits.last?["changes"]?.arrayValue?.count == 1_000)
    _ = try await client.call("toys/addMany", ["count": 1_001])
    #expect(client.commits.last?["reset"] == ["toys"])
    #expect(client.commits.last?["changes"] == nil)
    #expect(try await client.call("changes/since", ["clock": 1])["reset"] == ["toys"])
    #expect(try await client.call("changes/since", ["clock": 0, "collections": ["toyParts"]])["changes"] == [])
    await daemon.stop()
  }

  @Test("a reset names the collections that a subscriber follows, and is none to whoever follows others")
  func resetOfFollowed() async throws {
    let daemon = try await TestDaemon(features: features)
    let writer = try await daemon.client(name: "writer")
    let both = try await daemon.client(name: "both")
    let parts = try await daemon.client(name: "parts")
    _ = try await both.call("changes/subscribe", ["collections": ["toyParts", "toys"]])
    _ = try await parts.call("changes/subscribe", ["collections": ["toyParts"]])
    _ = try await writer.call("toys/addMany", ["count": 1_001])
    for client in [both, parts] { _ = try await client.call("session/sync") }
    #expect(both.commits.last?["reset"] == ["toys"])
    #expect(parts.commits.allSatisfy { $0["reset"] == nil })
    await daemon.stop()
  }

  @Test("a library that was copied to another home gets a new epoch there, and its clients fetch everything")
  func copiedElsewhere() async throws {
    let daemon = try await TestDaemon(features: features)
    let writer = try await daemon.client()
    _ = try await writer.call("toys/add", ["title": "one"])
    let epoch = try await writer.call("session/status")["library"]?["epoch"]
    await daemon.stop()
    let other = TemporaryFolder()
    try FileManager.default.copyItem(atPath: daemon.library, toPath: other.file("library"))
    for copy in [daemon.folder, other] {
      var epochs: [JSONValue?] = []
      // From the second time on it is known there, and keeps its own.
      for _ in 0..<2 {
        let served = try await TestDaemon(features: features, in: copy)
        let client = try await served.client()
        epochs.append(try await client.call("session/status")["library"]?["epoch"])
        let since = try await client.call("changes/since", ["clock": 1, "epoch": epoch ?? .null])
        #expect((since["reset"] == true) == (copy === other), "\(since)")
        await served.stop()
      }
      #expect(epochs[0] == epochs[1] && (epochs[0] == epoch) == (copy === daemon.folder))
    }
  }

  @Test("a follower that the ring has left behind is told to fetch everything")
  func ringOverflow() async throws {
    let daemon = try await TestDaemon(features: features) { $0.feedCapacity = 100 }
    let late = try await Client.connect(socket: daemon.socket, record: true)
    _ = try await late.call("initialize")
    let writer = try await daemon.client(name: "writer")
    for _ in 0..<2 { _ = try await writer.call("toys/addMany", ["count": 60]) }
    late.notify("initialized", [:])
    _ = try await late.call("session/sync")
    #expect(late.commits.map { $0["reset"] } == [true])
    #expect(late.commits.map { $0["since"] } == [0])
    await daemon.stop()
  }

  @Test("changes/since goes on after a restart, and resets for another epoch and for a clock in the future")
  func sinceAcrossRestart() async throws {
    let first = try await TestDaemon(features: features)
    let writer = try await first.client()
    _ = try await writer.call("toys/add", ["title": "one"])
    let known = try await writer.call("changes/since", ["clock": 0])
    let id = try #require(try await writer.call("toys/add", ["title": "two"])["id"])
    await first.stop()
    let second = try await TestDaemon(features: features, in: first.folder)
    let client = try await second.client()
    let epoch = try #require(known["epoch"])
    let missed = try await client.call("changes/since", ["epoch": epoch, "clock": 1])
    #expect(missed["changes"]?.arrayValue?.map { $0["id"] } == [id])
    #expect(missed["clock"] == 2)
    #expect(try await client.call("changes/since", ["epoch": "another", "clock": 1])["reset"] == true)
    #expect(try await client.call("changes/since", ["epoch": epoch, "clock": 9])["reset"] == true)
    #expect(try await client.call("changes/since", ["epoch": epoch, "clock": 2])["changes"] == [])
    let part = try await client.call("changes/since", ["clock": 0, "limit": 1])
    #expect(part["clock"] == 1)
    #expect(part["changes"]?.arrayValue?.count == 1)
    #expect(try await client.call("changes/since", ["clock": 1, "limit": 1])["clock"] == 2)
    await second.stop()
  }

  @Test("an older copy put back gets a new epoch, and so does the copy that a backup makes")
  func epochs() async throws {
    let first = try await TestDaemon(features: features)
    let writer = try await first.client()
    let epoch = try #require(try await writer.call("session/status")["library"]?["epoch"])
    _ = try await writer.call("toys/add", ["title": "one"])
    let backup = first.folder.file("backup")
    let report = try await writer.call("library/backup", ["path": .string(backup)])
    #expect(report["items"] == 1)
    #expect(report["epoch"] != epoch)
    await first.stop()
    // The library as it is now is put aside, is written on, and is then put back.
    try copyFolder(first.library, to: first.folder.file("aside"))
    let second = try await TestDaemon(features: features, in: first.folder)
    let again = try await second.client()
    #expect(try await again.call("session/status")["library"]?["epoch"] == epoch)
    _ = try await again.call("toys/add", ["title": "two"])
    await second.stop()
    try replaceFolder(first.library, with: first.folder.file("aside"))
    let third = try await TestDaemon(features: features, in: first.folder)
    let last = try await third.client()
    #expect(try await last.call("session/status")["library"]?["epoch"] != epoch)
    #expect(try await last.call("changes/since", ["epoch": epoch, "clock": 1])["reset"] == true)
    await third.stop()
    try replaceFolder(first.library, with: backup)
    let fourth = try await TestDaemon(features: features, in: first.folder)
    let restored = try await fourth.client()
    #expect(try await restored.call("session/status")["library"]?["epoch"] == report["epoch"])
    #expect(try await restored.call("toys/countQuickly").count == 1)
    #expect(try await restored.call("library/check")["ok"] == true)
    await fourth.stop()
  }
}
