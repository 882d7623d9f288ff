import Client
import Features
import Foundation
import Kit
import Synchronization
import TestSupport
import Testing
import Wire

@testable import SQLite
@testable import Store
@testable import System

/// Promises 9 and 10: revisions, undo and redo.
@Suite struct UndoTests {
  private let features = AllFeatures.features + [ToyFeature.feature]

  @Test("a write with an older ifRevision writes nothing and carries the item as it is")
  func conflict() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let id = try #require(try await client.call("toys/add", ["title": "one"])["id"])
    _ = try await client.call("toys/update", ["id": id, "title": "two", "ifRevision": 1])
    let error = try await client.failure("toys/update", ["id": id, "title": "three", "ifRevision": 1])
    #expect(error?.kind == "conflict")
    #expect(error?.data?["current"]?["title"] == "two")
    #expect(error?.data?["current"]?["revision"] == 2)
    // Revisions are compared for equality only: one that never was is as wrong as an older one.
    #expect(try await client.failure("toys/update", ["id": id, "title": "three", "ifRevision": 7])?.kind == "conflict")
    #expect(try await client.call("session/sync").clock == 2)
    await daemon.stop()
  }

  @Test("one undo after another takes back several changes of one item, and redo brings each of them back")
  func undoStack() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let id = try #require(try await client.call("toys/add", ["title": "a"])["id"])
    for title in ["b", "c", "d"] { _ = try await client.call("toys/update", ["id": id, "title": .string(title)]) }
    func title() async throws -> String { try await client.call("toys/get", ["id": id])["title"]?.text ?? "" }
    for expected in ["c", "b", "a"] {
      _ = try await client.call("changes/undo")
      #expect(try await title() == expected)
    }
    for expected in ["b", "c"] {
      _ = try await client.call("changes/redo")
      #expect(try await title() == expected)
    }
    _ = try await client.call("changes/undo")
    #expect(try await title() == "b")
    _ = try await client.call("changes/redo")
    _ = try await client.call("changes/redo")
    #expect(try await title() == "d")
    #expect(try await client.failure("changes/redo")?.kind == "nothingToUndo")
    for _ in 0..<4 { _ = try await client.call("changes/undo") }
    #expect(try await client.failure("toys/get", ["id": id])?.kind == "notFound")
    #expect(try await client.failure("changes/undo")?.kind == "nothingToUndo")
    for _ in 0..<4 { _ = try await client.call("changes/redo") }
    #expect(try await title() == "d")
    await daemon.stop()
  }

  @Test("a write empties what can be redone, also when it was taken back itself")
  func redoAfterWrite() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let id = try #require(try await client.call("toys/add", ["title": "a"])["id"])
    _ = try await client.call("toys/update", ["id": id, "title": "b"])
    _ = try await client.call("changes/undo")
    let other = try #require(try await client.call("toys/add", ["title": "other"])["id"])
    #expect(try await client.failure("changes/redo")?.kind == "nothingToUndo")
    _ = try await client.call("changes/undo")
    // What is redone is the newest undo, of "other"; the older one stays gone.
    _ = try await client.call("changes/redo")
    #expect(try await client.call("toys/get", ["id": other])["title"] == "other")
    #expect(try await client.failure("changes/redo")?.kind == "nothingToUndo")
    #expect(try await client.call("toys/get", ["id": id])["title"] == "a")
    await daemon.stop()
  }

  @Test("a write empties what its connection can redo, although another connection of that name has undone since")
  func redoBesideAnother() async throws {
    let daemon = try await TestDaemon(features: features)
    let first = try await daemon.client(name: "nvim")
    let second = try await daemon.client(name: "nvim")
    _ = try await second.call("toys/add", ["title": "theirs"])
    _ = try await first.call("toys/add", ["title": "mine"])
    _ = try await first.call("changes/undo")
    _ = try await first.call("toys/add", ["title": "new"])
    #expect(try await second.call("changes/undo")["undone"] == 1)
    #expect(try await first.failure("changes/redo")?.kind == "nothingToUndo")
    #expect(try await second.call("changes/redo")["redone"] == 5)
    await daemon.stop()
  }

  @Test("clients without a name are not one client: none of them takes back another's commit")
  func namelessClients() async throws {
    let daemon = try await TestDaemon(features: features)
    let one = try await daemon.client(name: "")
    let other = try await daemon.client(name: "")
    let added = try await one.call("toys/add", ["title": "a"])
    let clock = JSONValue.integer(added.clock)
    #expect(try await other.failure("changes/undo", ["clock": clock])?.kind == "notAllowed")
    #expect(try await other.failure("changes/undo")?.kind == "nothingToUndo")
    _ = try await one.call("changes/undo", ["clock": clock])
    #expect(try await other.failure("changes/redo")?.kind == "nothingToUndo")
    #expect(try await one.call("toys/countQuickly").count == 0)
    await daemon.stop()
  }

  @Test("an undo and a redo say of which items they took back what, with the titles that these have or had last")
  func undoneItems() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let id = try #require(try await client.call("toys/add", ["title": "A top"])["id"])
    let part = try #require(try await client.call("toys/addPart", ["id": id, "name": "string"])["part"])
    _ = try await client.call("toys/update", ["id": id, "title": "A big top"])
    let renamed = try await client.call("changes/undo")
    #expect(renamed["total"] == 1 && renamed["items"]?.arrayValue?.count == 1)
    #expect(renamed["items"]?[0]?["collection"] == "toys" && renamed["items"]?[0]?["id"] == id)
    #expect(renamed["items"]?[0]?["kind"] == "updated" && renamed["items"]?[0]?["title"] == "A top")
    let again = try await client.call("changes/redo")
    #expect(again["items"]?[0]?["kind"] == "updated" && again["items"]?[0]?["title"] == "A big top")
    _ = try await client.call("changes/undo")
    let unmade = try await client.call("changes/undo")
    #expect(unmade["items"]?[0]?["collection"] == "toyParts" && unmade["items"]?[0]?["id"] == part)
    #expect(unmade["items"]?[0]?["kind"] == "removed")
    let gone = try await client.call("changes/undo")
    #expect(gone["items"]?[0]?["title"] == "A top" && gone["items"]?[0]?["kind"] == "removed")
    #expect(gone["items"]?[0]?["display"] == ["title": "A top", "kind": "removed"])
    let back = try await client.call("changes/redo")
    #expect(back["items"]?[0]?["display"] == ["title": "A top", "kind": "restored"])
    let many = try await client.call("toys/addMany", ["count": 250])
    #expect(many.clock > 0)
    let all = try await client.call("changes/undo")
    #expect(all["total"] == 250 && all["items"]?.arrayValue?.count == 100)
    await daemon.stop()
  }

  @Test("undo takes this connection's newest change, else its client name's, and never another client's")
  func ownership() async throws {
    let daemon = try await TestDaemon(features: features)
    let first = try await daemon.client(name: "nvim")
    let second = try await daemon.client(name: "nvim")
    let other = try await daemon.client(name: "gui")
    let a = try #require(try await first.call("toys/add", ["title": "a"])["id"])
    let b = try #require(try await second.call("toys/add", ["title": "b"])["id"])
    #expect(try await other.failure("changes/undo")?.kind == "nothingToUndo")
    #expect(try await other.failure("changes/undo", ["clock": 1])?.kind == "notAllowed")
    #expect(try await other.failure("changes/undo", ["clock": 99])?.kind == "notFound")
    // Its own, although the other connection's is newer.
    #expect(try await first.call("changes/undo")["undone"] == 1)
    #expect(try await first.failure("toys/get", ["id": a])?.kind == "notFound")
    await first.close()
    let third = try await daemon.client(name: "nvim")
    #expect(try await third.call("changes/undo")["undone"] == 2)
    #expect(try await third.failure("toys/get", ["id": b])?.kind == "notFound")
    let nameless = try await Client.connect(socket: daemon.socket, record: true)
    #expect(try await nameless.failure("changes/undo")?.kind == "nothingToUndo")
    await daemon.stop()
  }

  @Test("an item that has moved on is a conflict and nothing is written; force restores it all the same")
  func movedOn() async throws {
    let daemon = try await TestDaemon(features: features)
    let mine = try await daemon.client(name: "mine")
    let theirs = try await daemon.client(name: "theirs")
    let id = try #require(try await mine.call("toys/add", ["title": "a", "body": "x"])["id"])
    _ = try await mine.call("toys/update", ["id": id, "title": "b"])
    _ = try await theirs.call("toys/update", ["id": id, "title": "theirs", "body": "y"])
    let error = try await mine.failure("changes/undo")
    #expect(error?.kind == "conflict")
    #expect(error?.data?["current"]?["title"] == "theirs")
    #expect(try await mine.call("session/sync").clock == 3)
    _ = try await mine.call("changes/undo", ["force": true])
    let restored = try await mine.call("toys/get", ["id": id])
    #expect(restored["title"] == "a")
    #expect(restored["body"] == "y")
    // A forced undo is a state of its own: what lies before it is not undone without force.
    #expect(try await mine.failure("changes/undo")?.kind == "conflict")
    await daemon.stop()
  }

  @Test("an undo that another client's change stands against names the next, and the undo after it goes on to that")
  func goingOn() async throws {
    let daemon = try await TestDaemon(features: features)
    let mine = try await daemon.client(name: "mine")
    let theirs = try await daemon.client(name: "theirs")
    let other = try #require(try await mine.call("toys/add", ["title": "other"])["id"])
    let id = try #require(try await mine.call("toys/add", ["title": "A1"])["id"])
    _ = try await mine.call("toys/update", ["id": id, "title": "A1b"])
    _ = try await theirs.call("toys/remove", ["id": id])
    let error = try #require(try await mine.failure("changes/undo"))
    #expect(error.kind == "conflict")
    // Of the same item is 2 too, so the next is 1.
    #expect(error.data?["commit"] == 3 && error.data?["next"] == 1)
    let members = try #require(error.data?.objectValue).keys.filter { !["kind", "key", "advice"].contains($0) }
    #expect(members.contains("conflicts"))
    #expect(Set(members).subtracting(ErrorKind.conflict.dataMembers) == [], "The reference lists every member.")
    #expect(error.message.hasPrefix("“A1b” has been removed since, so nothing was undone."), "\(error.message)")
    #expect(error.message.hasSuffix("Repeat the request to continue with commit 1."), "\(error.message)")
    #expect(try await mine.call("session/sync").clock == 4)
    // Another connection of that name is the same client.
    let second = try await daemon.client(name: "mine")
    #expect(try await second.call("changes/undo")["undone"] == 1)
    #expect(try await mine.failure("toys/get", ["id": other])?.kind == "notFound")
    // Nothing else is left, so the reason is given, again and again.
    for _ in 0..<2 {
      let last = try #require(try await mine.failure("changes/undo"))
      #expect(last.kind == "conflict" && last.data?["commit"] == 3 && last.data?["next"] == nil, "\(last)")
    }
    // Once the other client has put it back, it is next again.
    _ = try await theirs.call("changes/undo")
    #expect(try await mine.call("changes/undo")["undone"] == 3)
    #expect(try await mine.call("toys/get", ["id": id])["title"] == "A1")
    await daemon.stop()
  }

  @Test(
    "of what an undo stepped over nothing is lost: by clock and by force it is taken back, and a redo goes on likewise")
  func steppedOver() async throws {
    let daemon = try await TestDaemon(features: features)
    let mine = try await daemon.client(name: "mine")
    let theirs = try await daemon.client(name: "theirs")
    let other = try #require(try await mine.call("toys/add", ["title": "other"])["id"])
    let id = try #require(try await mine.call("toys/add", ["title": "a"])["id"])
    _ = try await mine.call("toys/update", ["id": other, "title": "other b"])
    _ = try await mine.call("toys/update", ["id": id, "title": "b"])
    _ = try await theirs.call("toys/update", ["id": id, "title": "theirs"])
    #expect(try await mine.failure("changes/undo")?.data?["next"] == 3)
    #expect(try await mine.failure("changes/undo", ["clock": 4])?.data?["next"] == nil)
    #expect(try await mine.call("changes/undo")["undone"] == 3)
    #expect(try await mine.call("toys/get", ["id": id])["title"] == "theirs")
    _ = try await theirs.call("toys/update", ["id": other, "title": "theirs too"])
    // A forced one means the newest, whatever was refused.
    #expect(try await mine.call("changes/undo", ["force": true])["undone"] == 4)
    #expect(try await mine.call("toys/get", ["id": id])["title"] == "a")
    #expect(try await mine.call("changes/redo")["redone"] == 8)
    let refused = try #require(try await mine.failure("changes/redo"))
    #expect(refused.kind == "conflict" && refused.data?["commit"] == 6 && refused.data?["next"] == nil, "\(refused)")
    await daemon.stop()
  }

  @Test("an undo and a redo state what the next of each takes back, and a refused one lists all its conflicts")
  func nextSteps() async throws {
    let daemon = try await TestDaemon(features: features)
    let mine = try await daemon.client(name: "mine")
    let theirs = try await daemon.client(name: "theirs")
    let id = try #require(try await mine.call("toys/add", ["title": "a"])["id"])
    _ = try await mine.call("toys/update", ["id": id, "title": "b"])
    _ = try await mine.call("toys/update", ["id": id, "title": "c"])
    let first = try await mine.call("changes/undo")
    #expect(first["undone"] == 3 && first["nextUndo"]?["clock"] == 2 && first["nextUndo"]?["label"] == "toys/update")
    #expect(first["nextRedo"]?["clock"] == 4 && first["nextRedo"]?["label"] == "toys/update")
    #expect(first["nextUndo"]?["display"]?["title"] == "b" && first["skipped"] == nil)
    #expect(first["nextRedo"]?["display"]?["title"] == "b")
    let second = try await mine.call("changes/undo")
    #expect(second["undone"] == 2 && second["nextUndo"]?["clock"] == 1 && second["nextRedo"]?["clock"] == 5)
    let redone = try await mine.call("changes/redo")
    #expect(redone["redone"] == 5 && redone["nextUndo"]?["clock"] == 6 && redone["nextRedo"]?["clock"] == 4)
    let last = try await mine.call("changes/redo")
    #expect(last["redone"] == 4 && last["nextUndo"]?["clock"] == 7 && last["nextRedo"] == nil)
    _ = try await theirs.call("toys/update", ["id": id, "title": "theirs"])
    for params in [[:], ["clock": 7]] as [JSONValue] {
      let refused = try #require(try await mine.failure("changes/undo", params))
      #expect(refused.kind == "conflict" && refused.data?["commit"] == 7)
      let conflicts = refused.data?["conflicts"]?.arrayValue ?? []
      #expect(conflicts == [["collection": "toys", "id": id, "title": "theirs", "revision": 8]])
    }
    await daemon.stop()
  }

  @Test("of a commit with many items a refused undo lists those in its way alone, and writes none of the others back")
  func allConflicts() async throws {
    let daemon = try await TestDaemon(features: features)
    let mine = try await daemon.client(name: "mine")
    let theirs = try await daemon.client(name: "theirs")
    let lines = (0..<4).map { "Task \($0)\n" }.joined()
    _ = try await mine.call(
      "projects/import", ["data": .string(Data(lines.utf8).base64EncodedString()), "format": "todotxt"])
    let cards = try await mine.call("projects/list")["items"]?.arrayValue ?? []
    try #require(cards.count == 4)
    let (kept, lost) = (try #require(cards[1]["id"]), try #require(cards[3]["id"]))
    _ = try await theirs.call("projects/update", ["id": kept, "title": "theirs"])
    _ = try await theirs.call("projects/remove", ["id": lost])
    let refused = try #require(try await mine.failure("changes/undo"))
    let conflicts = refused.data?["conflicts"]?.arrayValue ?? []
    #expect(Set(conflicts.compactMap { $0["id"]?.text }) == Set([kept.text, lost.text]))
    #expect(conflicts.first { $0["id"] == kept }?["title"] == "theirs")
    let gone = conflicts.first { $0["id"] == lost }
    #expect(gone?["revision"] == nil && gone?["title"] == cards[3]["title"])
    #expect(try await mine.call("projects/list")["items"]?.arrayValue?.count == 3)
    await daemon.stop()
  }

  @Test("an undo with skip steps over what cannot be taken back, in one request, and so does a redo")
  func skipping() async throws {
    let daemon = try await TestDaemon(features: features)
    let mine = try await daemon.client(name: "mine")
    let theirs = try await daemon.client(name: "theirs")
    let other = try #require(try await mine.call("toys/add", ["title": "other"])["id"])
    let id = try #require(try await mine.call("toys/add", ["title": "A1"])["id"])
    _ = try await mine.call("toys/update", ["id": id, "title": "A1b"])
    _ = try await theirs.call("toys/remove", ["id": id])
    let undone = try await mine.call("changes/undo", ["skip": true])
    #expect(undone["undone"] == 1 && undone["skipped"] == [3, 2] && undone["nextUndo"] == nil)
    #expect(undone["nextRedo"]?["clock"] == 5)
    #expect(try await mine.failure("toys/get", ["id": other])?.kind == "notFound")
    #expect(try await mine.call("changes/redo", ["skip": true])["redone"] == 5)
    // Where every step has a conflict, the newest says why.
    _ = try await theirs.call("toys/update", ["id": other, "title": "theirs"])
    let refused = try #require(try await mine.failure("changes/undo", ["skip": true]))
    #expect(refused.kind == "conflict" && refused.data?["commit"] == 6, "\(refused)")
    #expect(try await mine.failure("changes/undo", ["skip": true, "clock": 3])?.code == -32602)
    let nobody = try await daemon.client(name: "nobody")
    #expect(try await nobody.failure("changes/undo", ["skip": true])?.kind == "nothingToUndo")
    await daemon.stop()
  }

  @Test("an undo with skip steps over a chunked commit whose oldest slice has a conflict, and undoes nothing of it")
  func skippingChunked() async throws {
    let daemon = try await TestDaemon(features: features)
    let library = daemon.daemon.services.library
    let first = try await daemon.client(name: "mine")
    // A connection without commits of its own undoes those of its client name.
    let mine = try await daemon.client(name: "mine")
    let theirs = try await daemon.client(name: "theirs")
    _ = try await first.call("toys/add", ["title": "other"])
    let caller = FeatureCaller.mine(daemon.daemon.services)
    // Each slice adds a toy of its own, and "both" is changed by both.
    try await library.write(as: caller, label: "toys/import") { transaction in
      for id in ["old", "both"] { try transaction.insert(ToyRecord(id: id, title: id, body: "")) }
      transaction.series = ChunkedCommitGroup(first: transaction.clock)
    }
    try await library.write(as: caller, label: "toys/import") { transaction in
      try transaction.insert(ToyRecord(id: "new", title: "new", body: ""))
      try transaction.change(try transaction.snapshot.get(ToyRecord.self, id: "both")) { $0.body = "again" }
      transaction.series = ChunkedCommitGroup(first: 2).ended
    }
    _ = try await theirs.call("toys/update", ["id": "old", "title": "theirs"])
    let undone = try await mine.call("changes/undo", ["skip": true])
    #expect(undone["undone"] == 1 && undone["skipped"] == [3] && undone.clock == 5, "\(undone)")
    #expect(try await mine.call("toys/get", ["id": "new"])["title"] == "new")
    // Nothing else is left, so the reason is given, with the item and the commit.
    let refused = try #require(try await mine.failure("changes/undo", ["skip": true]))
    #expect(refused.kind == "conflict" && refused.data?["commit"] == 3, "\(refused)")
    #expect(refused.data?["conflicts"]?[0]?["id"] == "old")
    #expect(try await mine.call("session/sync").clock == 5)
    // Once the other client has put it back, all of the import is taken back.
    _ = try await theirs.call("changes/undo")
    #expect(try await mine.call("changes/undo", ["skip": true])["undone"] == 3)
    for id in ["old", "both", "new"] {
      #expect(try await mine.failure("toys/get", ["id": .string(id)])?.kind == "notFound")
    }
    await daemon.stop()
  }

  @Test("an undo with skip that finds 100 conflicts writes and rolls back nothing, and the next one goes on after them")
  func skippingMany() async throws {
    let daemon = try await TestDaemon(features: features)
    let mine = try await daemon.client(name: "mine")
    let theirs = try await daemon.client(name: "theirs")
    _ = try await mine.call("toys/add", ["title": "other"])
    let id = try #require(try await mine.call("toys/add", ["title": "0"])["id"]).text
    let library = daemon.daemon.services.library
    for number in 1...100 {
      try await library.write(as: FeatureCaller.mine(daemon.daemon.services), label: "toys/import") { transaction in
        try transaction.change(try transaction.snapshot.get(ToyRecord.self, id: id)) { $0.title = "\(number)" }
        // The undo removes these before it reaches the conflict.
        for toy in 0..<3 { try transaction.insert(ToyRecord(id: "\(number)-\(toy)", title: "more", body: "")) }
      }
    }
    _ = try await theirs.call("toys/update", ["id": .string(id), "title": "theirs"])
    // Only the undo that states the reason is tried.
    let written = Mutex(0)
    try await library.write(as: FeatureCaller.mine(daemon.daemon.services), label: "changes/undo") { transaction in
      let before = transaction.db.totalChangesCount
      transaction.keepSilent()
      do {
        _ = try UndoChanges.run(.init(clock: nil, force: nil, skip: true), from: nil, in: transaction)
        Issue.record("it took something back")
      } catch let error as RPCError {
        #expect(error.data["commit"] == 102)
      }
      written.withLock { $0 = transaction.db.totalChangesCount - before }
    }
    #expect(written.withLock(\.self) < 100)
    let second = try await daemon.client(name: "mine")
    let undone = try await second.call("changes/undo", ["skip": true])
    #expect(undone["undone"] == 1 && undone["skipped"]?.arrayValue?.count == 101, "\(undone)")
    await daemon.stop()
  }

  @Test("undo of a removal brings back the same ids, what was removed along, and the file")
  func removal() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let id = try #require(try await client.call("toys/add", ["title": "top", "body": "spins"])["id"])
    _ = try await client.call("toys/addPart", ["id": id, "name": "handle"])
    _ = try await client.call("toys/addPart", ["id": id, "name": "string"])
    let hash = try #require(try await client.call("toys/attach", ["id": id, "text": "bytes of a file"])["hash"])
    let before = try await client.call("toys/get", ["id": id])
    _ = try await client.call("toys/remove", ["id": id])
    // A day later, when every file that nothing names would be swept.
    daemon.clock.advance(milliseconds: 86_400_000)
    let check = try await client.call("library/check", ["repair": true])
    #expect(check["ok"] == true)
    let undone = try await client.call("changes/undo")
    let after = try await client.call("toys/get", ["id": id])
    for field in ["id", "title", "body", "file", "createdAt", "updatedAt"] { #expect(after[field] == before[field]) }
    let log = try await client.call("changes/since", ["clock": .integer(undone.clock - 1)])
    #expect(Set(log["changes"]?.arrayValue?.compactMap { $0["kind"]?.text } ?? []) == ["added"])
    #expect(log["changes"]?.arrayValue?.count == 3)
    let path = daemon.library + "/blobs/" + hash.text.prefix(2) + "/" + hash.text.dropFirst(2)
    #expect(FileManager.default.contents(atPath: path) == Data("bytes of a file".utf8))
    #expect(try await client.call("library/check")["ok"] == true)
    await daemon.stop()
  }

  @Test("an import of many items is taken back and brought back as one")
  func importIsOne() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    _ = try await client.call("toys/addMany", ["count": 1_500])
    _ = try await client.call("changes/undo")
    #expect(try await client.call("toys/countQuickly").count == 0)
    _ = try await client.call("changes/redo")
    #expect(try await client.call("toys/countQuickly").count == 1_500)
    await daemon.stop()
  }

  @Test("a position is told, is not undoable, says so in the log, and does not stand in the way of an undo")
  func position() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let id = try #require(try await client.call("toys/add", ["title": "a"])["id"])
    _ = try await client.call("toys/update", ["id": id, "title": "b"])
    #expect(try await client.call("toys/turn", ["id": id, "angle": 90])["revision"] == 2)
    #expect(client.commits.last?["changes"]?[0]?["fields"] == ["angle"])
    let newest = try await client.call("changes/log", ["limit": 1])
    #expect(newest["items"]?[0]?["undoable"] == false)
    #expect(try await client.failure("changes/undo", ["clock": 3])?.kind == "nothingToUndo")
    #expect(try await client.call("changes/undo")["undone"] == 2)
    #expect(try await client.call("toys/get", ["id": id])["title"] == "a")
    await daemon.stop()
  }

  @Test("changing a text to another form of the same letters is a change, and undo restores the exact bytes")
  func forms() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let composed = "caf\u{E9} 독서"
    let decomposed = "cafe\u{301} \u{1103}\u{1169}\u{11A8}\u{1109}\u{1165}"
    let id = try #require(try await client.call("toys/add", ["title": .string(composed)])["id"])
    let updated = try await client.call("toys/update", ["id": id, "title": .string(decomposed)])
    #expect(updated["revision"] == 2)
    #expect(updated["changed"] == nil)
    #expect(Array(updated["title"]?.text.utf8 ?? "".utf8) == Array(decomposed.utf8))
    _ = try await client.call("changes/undo")
    let restored = try await client.call("toys/get", ["id": id])["title"]?.text ?? ""
    #expect(Array(restored.utf8) == Array(composed.utf8))
    let same = try await client.call("toys/update", ["id": id, "title": .string(composed)])
    #expect(same["changed"] == false)
    #expect(same.clock == 3)
    await daemon.stop()
  }

  @Test("the history of an item comes in parts, which go on where they ended whatever was written meanwhile")
  func longHistory() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let id = try #require(try await client.call("toys/add", ["title": "0"])["id"])
    for number in 1...6 { _ = try await client.call("toys/update", ["id": id, "title": .string("\(number)")]) }
    func part(after: JSONValue? = nil) async throws -> JSONValue {
      var params: JSONObject = ["collection": "toys", "id": id, "limit": 3]
      if let after { params["after"] = after }
      return try await client.call("changes/history", .object(params))
    }
    let first = try await part()
    #expect(first["items"]?.arrayValue?.map(\.clock) == [7, 6, 5])
    #expect(first["total"] == 7 && first["offset"] == 0 && first["hasMore"] == true)
    _ = try await client.call("toys/update", ["id": id, "title": "newer"])
    let second = try await part(after: first["next"])
    #expect(second["items"]?.arrayValue?.map(\.clock) == [4, 3, 2])
    #expect(second["total"] == 8 && second["offset"] == 4)
    let last = try await part(after: second["next"])
    #expect(last["items"]?.arrayValue?.map(\.clock) == [1])
    #expect(last["hasMore"] == false && last["next"] == nil)
    #expect(try await part(after: "1")["items"] == [])
    let wrong: JSONValue = ["collection": "toys", "id": id, "after": "x"]
    #expect(try await client.failure("changes/history", wrong)?.data?["field"] == "after")
    let unknown: JSONValue = ["collection": "toys", "id": "none"]
    #expect(try await client.failure("changes/history", unknown)?.kind == "notFound")
    await daemon.stop()
  }

  @Test("of a removed item the history has the content, and not the fields that a version has itself")
  func removedContent() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let id = try #require(try await client.call("toys/add", ["title": "one"])["id"])
    _ = try await client.call("toys/remove", ["id": id])
    let version = try await client.call("changes/history", ["collection": "toys", "id": id])["items"]?[0]
    let before = try #require(version?["before"]?.objectValue)
    #expect(version?["kind"] == "removed" && before["title"] == "one")
    #expect(Set(before.keys).isDisjoint(with: ["id", "revision", "createdAt", "updatedAt"]), "\(before.keys)")
    await daemon.stop()
  }

  @Test("the history of an item says what each change replaced, and what is forgotten is gone from it")
  func history() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let id = try #require(try await client.call("toys/add", ["title": "secret"])["id"])
    _ = try await client.call("toys/update", ["id": id, "title": "open"])
    let params: JSONValue = ["collection": "toys", "id": id]
    let history = try await client.call("changes/history", params)
    #expect(history["items"]?.arrayValue?.map { $0["kind"] } == ["updated", "added"])
    #expect(history["items"]?[0]?["before"] == ["title": "secret"])
    #expect(try await client.call("changes/forget", params)["forgotten"] == 1)
    #expect(try await client.call("changes/history", params)["items"]?[0]?["before"] == nil)
    #expect(try await client.failure("changes/undo", ["clock": 2])?.kind == "nothingToUndo")
    // Kinds and revisions stay: clients are told rightly.
    #expect(try await client.call("changes/since", ["clock": 1])["changes"]?[0]?["kind"] == "updated")
    let bytes = FileManager.default.contents(atPath: daemon.library + "/library.sqlite") ?? Data()
    #expect(bytes.range(of: Data("never there".utf8)) == nil)
    await daemon.stop()
  }

  @Test(
    "what somebody made in an item is not lost by taking the item back: a conflict, and with force one that goes back")
  func partsOfOthers() async throws {
    let daemon = try await TestDaemon(features: features)
    let mine = try await daemon.client(name: "mine")
    let other = try await daemon.client(name: "other")
    let id = try #require(try await mine.call("toys/add", ["title": "a"])["id"])
    _ = try await other.call("toys/addPart", ["id": id, "name": "handle"])
    let refused = try await mine.failure("changes/undo")
    #expect(refused?.kind == "conflict")
    #expect(refused?.data?["id"] == id)
    #expect(refused?.message.contains("`force`") == true)
    #expect(try await mine.call("session/sync").clock == 2)
    let undone = try await mine.call("changes/undo", ["force": true])
    let changes = try await mine.call("changes/since", ["clock": 2])["changes"]
    #expect(changes?.arrayValue?.map { $0["collection"] } == ["toyParts", "toys"])
    _ = try await mine.call("changes/redo")
    let back = try await mine.call("changes/since", ["clock": .integer(undone.clock)])["changes"]
    #expect(back?.arrayValue?.map { $0["kind"] } == ["added", "added"])
    #expect(try await mine.call("library/check")["ok"] == true)
    await daemon.stop()
  }
}

extension FeatureCaller {
  /// Another connection of the client "mine".
  fileprivate static func mine(_ services: Services) -> FeatureCaller {
    FeatureCaller(
      clientName: "mine", connectionID: "of a test", reader: FeatureCaller.daemon(services).reader, services: services)
  }
}
