import Client
import Contract
import TestSupport
import Testing
import Wire

@Suite("Diary: drafts") struct DraftTests {
  @Test("D3 a new entry begins as a draft: an id, and today's date in the client's language as heading; add saves it")
  func newEntry() async throws {
    let bench = try await DiaryBench(locale: "ko-KR", timeZone: "Asia/Seoul")
    let draft = try await bench.client.call("diary/draft", ["text": ""])
    #expect(draft["display"]?["heading"] == "2026년 11월 21일" && draft["display"]?["title"] == "제목 없음")
    #expect(draft["isNew"] == true && draft["revision"] == nil)
    #expect(try await bench.client.call("diary/drafts")["total"] == 0)
    _ = try await bench.client.call("diary/draft", ["id": draft.id, "text": "오늘"])
    #expect(try await bench.client.call("diary/drafts").items.map { $0["text"] } == ["오늘"])
    let entry = try await bench.client.call("diary/add", ["id": draft.id, "text": "오늘은"])
    #expect(entry.id == draft.id && entry["saved"] == true)
    #expect(try await bench.client.call("diary/drafts")["total"] == 0)
    let again = try await bench.client.call("diary/draft", ["id": entry.id, "text": "오늘은 맑"])
    #expect(again["isNew"] == false && again["revision"] == entry["revision"])
    await bench.stop()
  }

  @Test("D9 text that was kept outlives its editor and the daemon, and is offered to the next client")
  func crash() async throws {
    let bench = try await DiaryBench()
    let entry = try await bench.add("Title\nbody")
    let editor = try await bench.daemon.client(name: "editor")
    _ = try await editor.call("diary/draft", ["id": entry.id, "text": "Title\nbody, and more"])
    _ = try await editor.call("diary/draft", ["text": "quite new"])
    await editor.close()
    await bench.stop()
    let next = try await DiaryBench(in: bench.daemon.folder)
    let drafts = try await next.client.call("diary/drafts").items
    #expect(Set(drafts.map { $0["text"].text }) == ["Title\nbody, and more", "quite new"])
    #expect(drafts.allSatisfy { $0["client"] == "editor" && $0["isOutdated"] == false })
    // Saved by another as it stands there, it is needless.
    _ = try await next.client.call("diary/update", ["id": entry.id, "text": "Title\nbody, and more"])
    let rest = try await next.client.call("diary/drafts").items
    #expect(rest.map { $0["text"] } == ["quite new"] && rest[0]["isNew"] == true)
    await next.stop()
  }

  @Test("a draft is told to nobody, is no commit, and takes nothing from what can be undone")
  func silent() async throws {
    let bench = try await DiaryBench()
    let entry = try await bench.add("one")
    let clock = try await bench.client.call("session/sync").clock
    for text in ["two", "three", " \n", "four"] {
      _ = try await bench.client.call("diary/draft", ["id": entry.id, "text": .string(text)])
    }
    #expect(try await bench.client.call("session/sync").clock == clock)
    #expect(bench.client.commits.count == 1)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.titles() == [])
    #expect(try await bench.client.call("diary/drafts").items.map { $0["isNew"] } == [true])
    await bench.stop()
  }

  @Test("two clients that write the same entry at once have a draft each, and neither's save takes the other's")
  func twoClients() async throws {
    let bench = try await DiaryBench()
    let other = try await bench.daemon.client(name: "other")
    let entry = try await bench.add("one")
    _ = try await bench.client.call("diary/draft", ["id": entry.id, "text": "mine"])
    bench.daemon.clock.advance(milliseconds: 5)
    _ = try await other.call("diary/draft", ["id": entry.id, "text": "theirs"])
    _ = try await bench.client.call("diary/update", ["id": entry.id, "text": "mine, whole"])
    let drafts = try await other.call("diary/drafts").items
    #expect(drafts.map { $0["text"] } == ["theirs"] && drafts[0]["isOutdated"] == true)
    let stale: JSONValue = ["id": entry.id, "text": "theirs", "ifRevision": drafts[0]["revision"]!]
    #expect(try await other.failure("diary/update", stale)?.data?["kind"] == "conflict")
    #expect(try await other.call("diary/drafts")["total"] == 1)
    await bench.stop()
  }

  @Test("a client that draws a breath between draft and save, as two commands do, leaves no draft of what it has saved")
  func twoCommands() async throws {
    let bench = try await DiaryBench()
    let shell = ShellSession(daemon: bench.daemon, witness: bench.client)
    // Without the id that the draft was answered with, all of the text is what tells.
    _ = try await shell.command("diary/draft", ["text": "A walk\nAlong."])
    _ = try await shell.command("diary/draft", ["text": "A walk\nAlong. "])
    _ = try await shell.command("diary/add", ["text": "A walk\nAlong."])
    #expect(try await shell.drafts(of: "diary", by: "text") == ["A walk\nAlong. "])
    _ = try await bench.client.call("diary/add", ["text": "A walk\nAlong. "])
    #expect(try await shell.drafts(of: "diary", by: "text") == [])
    // With it, it is what the draft has become.
    let draft = try await shell.command("diary/draft", ["text": "A talk"])
    let added = try await shell.command("diary/add", ["id": draft.id, "text": "A talk, at length"])
    #expect(try await shell.drafts(of: "diary", by: "text") == [])
    // It is no commit, so an undo of the save takes the text into the history, from which a redo has it.
    _ = try await shell.command("changes/undo")
    #expect(try await shell.drafts(of: "diary", by: "text") == [])
    _ = try await shell.command("changes/redo")
    #expect(try await bench.get(added.id)["text"] == "A talk, at length")
    // What was written over an entry that is there, and was never saved, may be all that a dead editor left.
    _ = try await shell.command("diary/draft", ["id": added.id, "text": "A talk, cut"])
    _ = try await shell.command("diary/update", ["id": added.id, "text": "A talk, at greater length"])
    #expect(try await shell.drafts(of: "diary", by: "text") == ["A talk, cut"])
    _ = try await shell.command("diary/update", ["id": added.id, "text": "A talk, cut"])
    #expect(try await shell.drafts(of: "diary", by: "text") == [])
    await bench.stop()
  }

  @Test("a new entry lets no draft go of another's that says more, nor of an entry that is there")
  func othersDrafts() async throws {
    let bench = try await DiaryBench()
    let other = try await bench.daemon.client(name: "other")
    let same = try await bench.daemon.client(name: "test")
    let entry = try await bench.add("one")
    _ = try await other.call("diary/draft", ["id": entry.id, "text": "two"])
    _ = try await other.call("diary/draft", ["id": "new", "text": "two, and more"])
    // Of its name, and there: it writes on.
    _ = try await same.call("diary/draft", ["id": "new", "text": "two, and much more"])
    _ = try await bench.client.call("diary/add", ["id": "new", "text": "two"])
    let drafts = try await bench.client.call("diary/drafts").items.map { $0["text"].text }
    #expect(Set(drafts) == ["two", "two, and more", "two, and much more"])
    await bench.stop()
  }

  @Test("a save lets the draft go only where it saves what that has: a day, an old text or half of it does not")
  func partialSaves() async throws {
    let bench = try await DiaryBench()
    let entry = try await bench.add("Title\nbody")
    let old = try #require(entry["revision"])
    _ = try await bench.client.call("diary/update", ["id": entry.id, "text": "Title\nbody two"])
    _ = try await bench.client.call("diary/draft", ["id": entry.id, "text": "Title, new\nbody, new"])
    for set: JSONValue in [["day": "yesterday"], ["version": old], ["title": "Title, new"]] {
      var params = set.objectValue ?? [:]
      params["id"] = entry.id
      _ = try await bench.client.call("diary/update", .object(params))
      #expect(try await bench.client.call("diary/drafts").items.map { $0["text"] } == ["Title, new\nbody, new"])
    }
    // The title is saved already; with the body all of it is.
    _ = try await bench.client.call("diary/update", ["id": entry.id, "body": "body, newer"])
    #expect(try await bench.client.call("diary/drafts")["total"] == 0)
    _ = try await bench.client.call("diary/draft", ["id": "new", "text": "One\ntwo"])
    _ = try await bench.client.call("diary/add", ["id": "new", "title": "One"])
    #expect(try await bench.client.call("diary/drafts")["total"] == 1)
    await bench.stop()
  }

  @Test("a draft that stays when its own client saved a part of it is not outdated; another's is")
  func ownPartialSaves() async throws {
    let bench = try await DiaryBench()
    let other = try await bench.daemon.client(name: "other")
    func outdated() async throws -> [String: Bool] {
      let drafts = try await bench.client.call("diary/drafts").items
      return Dictionary(drafts.map { ($0["text"].text, $0["isOutdated"] == true) }) { first, _ in first }
    }
    let entry = try await bench.add("Title\nbody")
    let old = try #require(entry["revision"])
    _ = try await other.call("diary/draft", ["id": entry.id, "text": "theirs"])
    _ = try await bench.client.call("diary/draft", ["id": entry.id, "text": "Title, new\nbody, new"])
    let saved = try await bench.client.call("diary/update", ["id": entry.id, "title": "Title, new"])
    #expect(try await outdated() == ["theirs": true, "Title, new\nbody, new": false])
    let draft = try await bench.client.call("diary/drafts").items.first { $0["client"] != "other" }
    #expect(draft?["revision"] == saved["revision"])
    _ = try await bench.client.call("diary/update", ["id": entry.id, "version": old])
    #expect(try await outdated() == ["theirs": true, "Title, new\nbody, new": true])
    // What was outdated before stays so.
    _ = try await bench.client.call("diary/update", ["id": entry.id, "day": "yesterday"])
    #expect(try await outdated()["Title, new\nbody, new"] == true)
    _ = try await bench.client.call("diary/draft", ["id": "new", "text": "One\ntwo"])
    _ = try await bench.client.call("diary/add", ["id": "new", "title": "One"])
    #expect(try await outdated()["One\ntwo"] == false)
    await bench.stop()
  }

  @Test("a part of the drafts ends early where they are very long, and the next goes on")
  func longDrafts() async throws {
    let bench = try await DiaryBench()
    for id in ["a", "b"] {
      let text = JSONValue.string(String(repeating: "한", count: 800_000))
      _ = try await bench.client.call("diary/draft", ["id": .string(id), "text": text])
    }
    let first = try await bench.client.call("diary/drafts")
    #expect(first.items.count == 1 && first["total"] == 2 && first["hasMore"] == true)
    let rest = try await bench.client.call("diary/drafts", ["after": try #require(first["next"])])
    #expect(rest.items.count == 1 && rest["hasMore"] == false && rest["offset"] == 1)
    #expect(Set((first.items + rest.items).map { $0.id.text }) == ["a", "b"])
    await bench.stop()
  }

  @Test("drafts are listed the last first and part by part, and let go one by one or all of an entry")
  func listing() async throws {
    let bench = try await DiaryBench()
    let other = try await bench.daemon.client(name: "other")
    for number in 1...3 {
      let params: JSONValue = ["id": .string("e\(number)"), "text": .string("draft \(number)")]
      _ = try await bench.client.call("diary/draft", params)
      bench.daemon.clock.advance(milliseconds: 5)
    }
    _ = try await other.call("diary/draft", ["id": "e1", "text": "other"])
    let first = try await bench.client.call("diary/drafts", ["limit": 2])
    #expect(first.items.map { $0["text"] } == ["other", "draft 3"] && first["total"] == 4)
    let rest = try await bench.client.call("diary/drafts", ["after": first["next"]!])
    #expect(rest.items.map { $0["text"] } == ["draft 2", "draft 1"] && rest["offset"] == 2)
    _ = try await bench.client.call("diary/discardDraft", ["id": "e1", "connection": first.items[0]["connection"]!])
    #expect(try await bench.client.call("diary/drafts")["total"] == 3)
    _ = try await bench.client.call("diary/discardDraft", ["id": "e1"])
    #expect(try await bench.client.failure("diary/discardDraft", ["id": "e1"])?.data?["kind"] == "notFound")
    #expect(try await bench.client.failure("diary/drafts", ["after": "x"])?.data?["field"] == "after")
    await bench.stop()
  }
}
