import Client
import Foundation
import TestSupport
import Testing
import Wire

/// A file that was imported, edited in another program and imported again.
@Suite("Diary: edited files that come again") struct EditedImportTests {
  private func write(_ text: String, to name: String, of bench: DiaryBench) throws {
    let file = URL(filePath: bench.daemon.folder.file(name))
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// What an import says: how many came, were updated and were known, and the reasons of its notes.
  private func take(_ name: String, as format: String, into bench: DiaryBench) async throws -> String {
    let params: JSONValue = ["path": .string(bench.daemon.folder.file(name)), "format": .string(format)]
    let report = try await bench.client.call("diary/import", params)
    let counts = ["added", "updated", "known"].map { String(report[$0]?.integerValue ?? -1) }
    return (counts + report["notes"].list.map { $0["reason"].text }).joined(separator: " ")
  }

  private func texts(in bench: DiaryBench) async throws -> Set<String> {
    var texts: Set<String> = []
    for item in try await bench.client.call("diary/list").items {
      texts.insert(try await bench.get(item.id)["text"].text)
    }
    return texts
  }

  private func change(_ title: String, to text: String, in bench: DiaryBench) async throws {
    let items = try await bench.client.call("diary/list").items
    let entry = try #require(items.first { $0["title"]?.stringValue == title })
    _ = try await bench.client.call("diary/update", ["id": entry.id, "text": .string(text)])
  }

  @Test("a note of another program's updates its entry; where both were edited both versions stand, once")
  func notes() async throws {
    let bench = try await DiaryBench()
    for name in ["01", "02", "03"] { try write("note \(name)\n", to: "vault/2026-10-\(name).md", of: bench) }
    #expect(try await take("vault", as: "markdown", into: bench) == "3 0 0")
    try write("note 01\nmore\n", to: "vault/2026-10-01.md", of: bench)
    try write("note 02, there\n", to: "vault/2026-10-02.md", of: bench)
    try FileManager.default.removeItem(atPath: bench.daemon.folder.file("vault/2026-10-03.md"))
    try await change("note 02", to: "note 02, here", in: bench)
    #expect(try await take("vault", as: "markdown", into: bench) == "0 1 1 conflict")
    let wanted: Set = ["note 01\nmore\n", "note 02, here", "note 03\n"]
    #expect(try await texts(in: bench) == wanted)
    #expect(try await take("vault", as: "markdown", into: bench) == "0 0 2")
    // A history tells of texts that somebody wrote, and not of what an import notes for itself.
    let edited = try await bench.client.call("diary/list").items.first { $0["title"] == "note 01" }
    let history = try await bench.client.call(
      "changes/history", ["collection": "diary", "id": try #require(edited).id, "diff": true])
    #expect(history.items.flatMap { $0["diffs"]?.arrayValue ?? [] }.map { $0["field"] } == ["text"])
    // The file's version goes on with it.
    try write("note 02, there again\n", to: "vault/2026-10-02.md", of: bench)
    #expect(try await take("vault", as: "markdown", into: bench) == "0 0 2 conflict")
    let conflicts = try await bench.client.call("changes/conflicts").items
    #expect(conflicts.map { $0["theirs"] } == [["text": "note 02, there again\n"]])
    // What it was before is no other entry either.
    try write("note 01\n", to: "vault/2026-10-01.md", of: bench)
    #expect(try await take("vault", as: "markdown", into: bench) == "0 1 1")
    #expect(try await bench.client.call("diary/list")["total"] == 3)
    await bench.stop()
  }

  @Test("an entry that was edited here alone stays; what an undone import took over is taken over again")
  func here() async throws {
    let bench = try await DiaryBench()
    try write("one\n", to: "vault/2026-10-01.md", of: bench)
    #expect(try await take("vault", as: "markdown", into: bench) == "1 0 0")
    try await change("one", to: "one, here", in: bench)
    #expect(try await take("vault", as: "markdown", into: bench) == "0 0 1")
    _ = try await bench.client.call("changes/undo")
    try write("one, there\n", to: "vault/2026-10-01.md", of: bench)
    #expect(try await take("vault", as: "markdown", into: bench) == "0 1 0")
    _ = try await bench.client.call("changes/undo")
    #expect(try await texts(in: bench) == ["one\n"])
    #expect(try await take("vault", as: "markdown", into: bench) == "0 1 0")
    await bench.stop()
  }

  @Test("files of the same name in two folders are two, and so is one that is written anew for every day")
  func names() async throws {
    let bench = try await DiaryBench()
    try write("at home\n", to: "home/2026-10-01.md", of: bench)
    try write("at work\n", to: "work/2026-10-01.md", of: bench)
    #expect(try await take("home", as: "markdown", into: bench) == "1 0 0")
    #expect(try await take("work", as: "markdown", into: bench) == "1 0 0")
    try write("---\ndate: 2026-10-05\n---\nMonday\n", to: "today.md", of: bench)
    #expect(try await take("today.md", as: "markdown", into: bench) == "1 0 0")
    try write("---\ndate: 2026-10-06\n---\nTuesday\n", to: "today.md", of: bench)
    #expect(try await take("today.md", as: "markdown", into: bench) == "1 0 0")
    // A day that was put right is the same entry's.
    try write("---\ndate: 2026-10-07\n---\nTuesday\n", to: "today.md", of: bench)
    #expect(try await take("today.md", as: "markdown", into: bench) == "0 1 0")
    let items = try await bench.client.call("diary/list", ["sort": "oldest"]).items
    #expect(
      items.map { "\($0["day"].text) \($0["title"].text)" }.sorted() == [
        "2026-10-01 at home", "2026-10-01 at work", "2026-10-05 Monday", "2026-10-07 Tuesday",
      ])
    await bench.stop()
  }

  @Test("an entry of a journal is known by its moment, of several of one moment by the title too")
  func journal() async throws {
    let bench = try await DiaryBench()
    let journal = "[2026-10-01 09:00] One\nbody\n\n[2026-10-02 09:00] Two\n\n[2026-10-02 09:00] Three\n\n"
    try write(journal, to: "journal.txt", of: bench)
    #expect(try await take("journal.txt", as: "jrnl", into: bench) == "3 0 0")
    let edited = journal.replacing("One\nbody", with: "One, edited\nbody").replacing("Two", with: "Two\nmore")
    try write(edited, to: "journal.txt", of: bench)
    #expect(try await take("journal.txt", as: "jrnl", into: bench) == "0 2 1")
    #expect(try await texts(in: bench) == ["One, edited\nbody", "Two\nmore", "Three"])
    try await change("Three", to: "Three, here", in: bench)
    try write(edited.replacing("Three", with: "Three\nthere"), to: "journal.txt", of: bench)
    #expect(try await take("journal.txt", as: "jrnl", into: bench) == "0 0 3 conflict")
    #expect(try await take("journal.txt", as: "jrnl", into: bench) == "0 0 3")
    await bench.stop()
  }

  @Test("an entry of a journal in conflict: the journal goes on with its version, and leaves the entry alone")
  func journalConflict() async throws {
    let bench = try await DiaryBench()
    let journal = "[2026-10-01 09:00] One\n\n[2026-10-02 09:00] Two\n\n"
    try write(journal, to: "journal.txt", of: bench)
    #expect(try await take("journal.txt", as: "jrnl", into: bench) == "2 0 0")
    try await change("One", to: "One, here", in: bench)
    bench.daemon.clock.advance(milliseconds: 1_000)
    try write(journal.replacing("One", with: "One, there"), to: "journal.txt", of: bench)
    #expect(try await take("journal.txt", as: "jrnl", into: bench) == "0 0 2 conflict")
    #expect(try await take("journal.txt", as: "jrnl", into: bench) == "0 0 2")
    try await change("One, here", to: "One, here again", in: bench)
    try write(journal.replacing("One", with: "One, there again"), to: "journal.txt", of: bench)
    #expect(try await take("journal.txt", as: "jrnl", into: bench) == "0 0 2 conflict")
    // What it said at first, once more, is an edit of that too.
    try write(journal, to: "journal.txt", of: bench)
    #expect(try await take("journal.txt", as: "jrnl", into: bench) == "0 0 2 conflict")
    #expect(try await texts(in: bench) == ["One, here again", "Two"])
    let conflicts = try await bench.client.call("changes/conflicts").items
    #expect(conflicts.map { $0["theirs"] } == [["text": "One"]])
    await bench.stop()
  }

  @Test("a file that says again what it said at first is in conflict with an entry that was edited here, once")
  func there() async throws {
    let bench = try await DiaryBench()
    for (text, counts) in [("one\n", "1 0 0"), ("two\n", "0 1 0")] {
      try write(text, to: "vault/2026-10-01.md", of: bench)
      #expect(try await take("vault", as: "markdown", into: bench) == counts)
    }
    try await change("two", to: "two, here", in: bench)
    try write("one\n", to: "vault/2026-10-01.md", of: bench)
    let params: JSONValue = ["path": .string(bench.daemon.folder.file("vault")), "format": "markdown"]
    let report = try await bench.client.call("diary/import", params)
    #expect(report["conflicts"] == 1 && report["notes"].list.map { $0["reason"] } == ["conflict"])
    #expect(report["notes"].list.map { $0["field"] } == ["text"])
    #expect(report["notes"].list[0]["display"].text.hasPrefix("Its text was changed here"), "\(report)")
    #expect(try await texts(in: bench) == ["two, here"])
    #expect(try await take("vault", as: "markdown", into: bench) == "0 0 1")
    try await change("two, here", to: "two, here again", in: bench)
    #expect(try await take("vault", as: "markdown", into: bench) == "0 0 1")
    await bench.stop()
  }

  @Test("a day that was changed in the file and here stays as it is here, and the report says so")
  func days() async throws {
    let bench = try await DiaryBench()
    try write("---\ndate: 2026-10-01\n---\nwalk\n", to: "walk.md", of: bench)
    #expect(try await take("walk.md", as: "markdown", into: bench) == "1 0 0")
    let entry = try #require(try await bench.client.call("diary/list").items.first)
    _ = try await bench.client.call("diary/update", ["id": entry.id, "day": "2026-10-03"])
    #expect(try await take("walk.md", as: "markdown", into: bench) == "0 0 1")
    try write("---\ndate: 2026-10-02\n---\nwalk\n", to: "walk.md", of: bench)
    #expect(try await take("walk.md", as: "markdown", into: bench) == "0 0 1 keptOwn")
    #expect(try await bench.get(entry.id)["day"] == "2026-10-03")
    #expect(try await take("walk.md", as: "markdown", into: bench) == "0 0 1")
    await bench.stop()
  }

  @Test("a file that goes on as the entry that was brought back last was is that entry's still")
  func broughtBack() async throws {
    let bench = try await DiaryBench()
    try write("one\n", to: "vault/2026-10-01.md", of: bench)
    #expect(try await take("vault", as: "markdown", into: bench) == "1 0 0")
    try await change("one", to: "one, here", in: bench)
    try write("one, there\n", to: "vault/2026-10-01.md", of: bench)
    bench.daemon.clock.advance(milliseconds: 1_000)
    #expect(try await take("vault", as: "markdown", into: bench) == "0 0 1 conflict")
    let items = try await bench.client.call("diary/list").items
    let first = try #require(items.first { $0["title"] == "one, here" })
    _ = try await bench.client.call("diary/remove", ["id": first.id])
    _ = try await bench.client.call("changes/undo")
    try write("one, there again\n", to: "vault/2026-10-01.md", of: bench)
    #expect(try await take("vault", as: "markdown", into: bench) == "0 0 1 conflict")
    #expect(try await texts(in: bench) == ["one, here"])
    await bench.stop()
  }

  @Test("an entry of a file that was moved and edited comes beside the one that is there, and the report says so")
  func moved() async throws {
    let bench = try await DiaryBench()
    try write("# Walk\n\nfar\n", to: "vault/2026-10-01.md", of: bench)
    #expect(try await take("vault", as: "markdown", into: bench) == "1 0 0")
    try write("# Walk\n\nfar and wide\n", to: "moved/2026-10-01.md", of: bench)
    #expect(try await take("moved", as: "markdown", into: bench) == "1 0 0 sameTitle")
    // Two of one file are two, of which there is nothing to say.
    try write("[2026-10-02 09:00] Twice\na\n\n[2026-10-02 09:00] Twice\nb\n", to: "journal.txt", of: bench)
    #expect(try await take("journal.txt", as: "jrnl", into: bench) == "2 0 0")
    await bench.stop()
  }

  @Test("two entries of one name that say different things both come, and what has an entry twice has it once")
  func sameName() async throws {
    let bench = try await DiaryBench()
    func journal(_ texts: String...) -> String {
      let entries = texts.map { "{\"uuid\": \"A\", \"creationDate\": \"2020-12-22T15:35:33Z\", \"text\": \"\($0)\"}" }
      return "{\"entries\": [\(entries.joined(separator: ","))]}"
    }
    try write(journal("one", "two", "one"), to: "journal.json", of: bench)
    #expect(try await take("journal.json", as: "dayone", into: bench) == "2 0 1 repeated")
    #expect(try await texts(in: bench) == ["one", "two"])
    #expect(try await take("journal.json", as: "dayone", into: bench) == "0 0 3 repeated")
    try write(journal("one, edited"), to: "journal.json", of: bench)
    #expect(try await take("journal.json", as: "dayone", into: bench) == "0 1 0")
    #expect(try await texts(in: bench) == ["one, edited", "two"])
    await bench.stop()
  }

  @Test("an entry of Day One with the backslashes of an earlier version keeps what was edited here, without a conflict")
  func backslashes() async throws {
    let bench = try await DiaryBench()
    func journal(_ key: String, _ text: String) -> String {
      let edited: JSONValue = ["uuid": "A", "creationDate": "2020-12-22T15:35:33Z", key: .string(text)]
      let other: JSONValue = ["uuid": "B", "creationDate": "2020-12-22T15:36:33Z", key: .string(text)]
      return "\(JSONValue.object(["entries": [edited, other]]))"
    }
    // The format of the editor is imported as it is.
    let stored: JSONValue = ["contents": [["text": #"It was 5\.30\, finally\!"#]]]
    try write(journal("richText", "\(stored)"), to: "journal.json", of: bench)
    #expect(try await take("journal.json", as: "dayone", into: bench) == "2 0 0")
    #expect(try await texts(in: bench) == [#"It was 5\.30\, finally\!"#])
    let first = try #require(try await bench.client.call("diary/list", ["sort": "oldest"]).items.first).id
    _ = try await bench.client.call("diary/update", ["id": first, "text": #"It was 5\.30\, finally\! And late."#])
    try write(journal("text", #"It was 5\.30\, finally\!"#), to: "journal.json", of: bench)
    // The other entry becomes readable.
    #expect(try await take("journal.json", as: "dayone", into: bench) == "0 1 1")
    #expect(try await texts(in: bench) == [#"It was 5\.30\, finally\! And late."#, "It was 5.30, finally!"])
    #expect(try await take("journal.json", as: "dayone", into: bench) == "0 0 2")
    await bench.stop()
  }

  @Test("a file of an export may be edited and imported as often as one likes", arguments: ["markdown", "jsonl"])
  func export(format: String) async throws {
    let bench = try await DiaryBench()
    try await bench.add("walk", id: "a")
    let path = bench.daemon.folder.file("export")
    _ = try await bench.client.call("diary/export", ["path": .string(path), "format": .string(format)])
    let file = format == "jsonl" ? path : path + "/2026-11-21-a.md"
    for step in 1...3 {
      let written = try String(contentsOfFile: file, encoding: .utf8)
      let old = step == 1 ? "walk" : "walk, edited \(step - 1)"
      try Data(written.replacing(old, with: "walk, edited \(step)").utf8).write(to: URL(filePath: file))
      #expect(try await take("export", as: format, into: bench) == "0 1 0")
      #expect(try await texts(in: bench) == ["walk, edited \(step)"])
    }
    await bench.stop()
  }

  /// A diary with the entry `a` that says `walk`, and its export.
  private func exported(_ format: String) async throws -> (bench: DiaryBench, file: String, text: String) {
    let bench = try await DiaryBench()
    try await bench.add("walk", id: "a")
    let path = bench.daemon.folder.file("export")
    _ = try await bench.client.call("diary/export", ["path": .string(path), "format": .string(format)])
    let file = format == "jsonl" ? "export" : "export/2026-11-21-a.md"
    return (bench, file, try String(contentsOfFile: bench.daemon.folder.file(file), encoding: .utf8))
  }

  @Test(
    "a file of an export is taken over again after an undo, follows an entry that was brought back, and can be edited back",
    arguments: ["markdown", "jsonl"])
  func exportAndUndo(format: String) async throws {
    let (bench, file, text) = try await exported(format)
    for words in ["run", "run", "swim"] {
      try write(text.replacing("walk", with: words), to: file, of: bench)
      #expect(try await take(file, as: format, into: bench) == "0 1 0")
      _ = try await bench.client.call("changes/undo")
      #expect(try await texts(in: bench) == ["walk"])
    }
    _ = try await bench.client.call("diary/remove", ["id": "a"])
    _ = try await bench.client.call("changes/undo")
    for words in ["run", "walk", "run"] {
      try write(text.replacing("walk", with: words), to: file, of: bench)
      #expect(try await take(file, as: format, into: bench) == "0 1 0", "\(words)")
      #expect(try await texts(in: bench) == [words])
    }
    // Another file of the same export is old.
    try write(text, to: "other", of: bench)
    #expect(try await take("other", as: format, into: bench) == "0 0 1")
    try await change("run", to: "here", in: bench)
    try write(text.replacing("walk", with: "there"), to: file, of: bench)
    #expect(try await take(file, as: format, into: bench) == "0 0 1 conflict")
    // Its version goes on with it.
    try write(text.replacing("walk", with: "there again"), to: file, of: bench)
    #expect(try await take(file, as: format, into: bench) == "0 0 1 conflict")
    #expect(try await texts(in: bench) == ["here"])
    await bench.stop()
  }

  @Test("a file that was copied to write the next entry is an entry of its own, and what it was copied from stays")
  func copied() async throws {
    let (bench, file, text) = try await exported("markdown")
    try write(text.replacing("walk", with: "another"), to: "export/2026-11-21-a copy.md", of: bench)
    #expect(try await take("export", as: "markdown", into: bench) == "1 0 1 repeated")
    #expect(try await texts(in: bench) == ["walk", "another"])
    #expect(try await bench.get("a")["text"] == "walk")
    #expect(try await take("export", as: "markdown", into: bench) == "0 0 2 repeated")
    try write(text.replacing("walk", with: "another, longer"), to: "export/2026-11-21-a copy.md", of: bench)
    try write(text.replacing("walk", with: "walked"), to: file, of: bench)
    #expect(try await take("export", as: "markdown", into: bench) == "0 2 0 repeated")
    #expect(try await texts(in: bench) == ["walked", "another, longer"])
    await bench.stop()
  }

  @Test(
    "a file and its entry that came to say the same by themselves are level from there on, also after a conflict",
    arguments: ["markdown", "jsonl"])
  func levelAgain(format: String) async throws {
    let (bench, file, text) = try await exported(format)
    func edit(_ words: String) async throws -> String {
      try write(text.replacing("walk", with: words), to: file, of: bench)
      return try await take(file, as: format, into: bench)
    }
    try await change("walk", to: "run", in: bench)
    #expect(try await edit("run") == "0 0 1")
    #expect(try await edit("swim") == "0 1 0")
    try await change("swim", to: "here", in: bench)
    #expect(try await edit("there") == "0 0 1 conflict")
    try await change("here", to: "both", in: bench)
    #expect(try await edit("both") == "0 0 1")
    #expect(try await texts(in: bench) == ["both"])
    #expect(try await bench.client.call("changes/conflicts").items.isEmpty)
    await bench.stop()
  }

  @Test("what came of a file and was undone comes of it again, also where the day was changed meanwhile")
  func undoneAndMoved() async throws {
    let (bench, file, text) = try await exported("markdown")
    try write(text.replacing("walk", with: "run"), to: file, of: bench)
    #expect(try await take(file, as: "markdown", into: bench) == "0 1 0")
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("diary/update", ["id": "a", "day": "2026-11-20"])
    #expect(try await take(file, as: "markdown", into: bench) == "0 1 0")
    let entry = try await bench.get("a")
    #expect(entry["text"] == "run" && entry["day"] == "2026-11-20")
    await bench.stop()
  }

  @Test("a file that was edited, taken over and then moved is the entry that says the same by then")
  func editedAndMoved() async throws {
    let bench = try await DiaryBench()
    try write("one text\n", to: "here/2026-11-01.md", of: bench)
    #expect(try await take("here", as: "markdown", into: bench) == "1 0 0")
    try write("one TEXT\n", to: "here/2026-11-01.md", of: bench)
    #expect(try await take("here", as: "markdown", into: bench) == "0 1 0")
    let folder = bench.daemon.folder
    try FileManager.default.moveItem(atPath: folder.file("here"), toPath: folder.file("there"))
    #expect(try await take("there", as: "markdown", into: bench) == "0 0 1")
    try write("one more\n", to: "there/2026-11-01.md", of: bench)
    #expect(try await take("there", as: "markdown", into: bench) == "0 1 0")
    #expect(try await texts(in: bench) == ["one more\n"])
    await bench.stop()
  }

  @Test(
    "two libraries that hand an entry to and fro follow each other, and are in conflict only of what both changed",
    arguments: ["markdown", "jsonl"])
  func toAndFro(format: String) async throws {
    let benches = [try await DiaryBench(), try await DiaryBench()]
    try await benches[0].add("walk", id: "a")
    func hand(_ round: Int, from first: DiaryBench, to second: DiaryBench) async throws -> String {
      let path = JSONValue.string(first.daemon.folder.file("export \(round)"))
      _ = try await first.client.call("diary/export", ["path": path, "format": .string(format)])
      let report = try await second.client.call("diary/import", ["path": path, "format": .string(format)])
      return ["added", "updated", "known"].map { String(report[$0]?.integerValue ?? -1) }.joined(separator: " ")
    }
    #expect(try await hand(0, from: benches[0], to: benches[1]) == "1 0 0")
    for round in 1...4 {
      let (writer, reader) = (benches[round % 2], benches[(round + 1) % 2])
      _ = try await writer.client.call("diary/update", ["id": "a", "text": .string("walk \(round)")])
      #expect(try await hand(round, from: writer, to: reader) == "0 1 0", "\(round)")
      #expect(try await texts(in: reader) == ["walk \(round)"])
    }
    for (place, bench) in benches.enumerated() {
      _ = try await bench.client.call("diary/update", ["id": "a", "text": .string("both \(place)")])
    }
    #expect(try await hand(5, from: benches[0], to: benches[1]) == "0 0 1")
    #expect(try await benches[1].client.call("changes/conflicts").items.count == 1)
    for bench in benches { await bench.stop() }
  }

  @Test("a later export at the place of one that was in conflict is its entry's own again")
  func exportedAnew() async throws {
    let (bench, file, text) = try await exported("jsonl")
    try await change("walk", to: "here", in: bench)
    try write(text.replacing("walk", with: "there"), to: file, of: bench)
    #expect(try await take(file, as: "jsonl", into: bench) == "0 0 1 conflict")
    let path = JSONValue.string(bench.daemon.folder.file(file))
    _ = try await bench.client.call("diary/export", ["path": path, "format": "jsonl", "overwrite": true])
    try await change("here", to: "here, later", in: bench)
    #expect(try await take(file, as: "jsonl", into: bench) == "0 0 1")
    #expect(try await texts(in: bench) == ["here, later"])
    await bench.stop()
  }

  @Test("an entry of a foreign journal that lives on in an export follows it as often as that is edited")
  func foreignInExport() async throws {
    let bench = try await DiaryBench()
    try write("[2026-10-01 09:00] One\n", to: "journal.txt", of: bench)
    #expect(try await take("journal.txt", as: "jrnl", into: bench) == "1 0 0")
    let path = bench.daemon.folder.file("export")
    _ = try await bench.client.call("diary/export", ["path": .string(path), "format": "jsonl"])
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for words in ["Two", "Three", "One"] {
      try write(text.replacing("One", with: words), to: "export", of: bench)
      #expect(try await take("export", as: "jsonl", into: bench) == "0 1 0", "\(words)")
    }
    // And is the journal's still.
    #expect(try await take("journal.txt", as: "jrnl", into: bench) == "0 0 1")
    try write("[2026-10-01 09:00] One\nmore\n", to: "journal.txt", of: bench)
    #expect(try await take("journal.txt", as: "jrnl", into: bench) == "0 1 0")
    await bench.stop()
  }

  @Test("a file of an export that was sent without a path is known by the entry that it names, edited or not")
  func exportWithoutPath() async throws {
    let (bench, _, text) = try await exported("jsonl")
    for words in ["run", "swim"] {
      let data = Data(text.replacing("walk", with: words).utf8).base64EncodedString()
      let report = try await bench.client.call("diary/import", ["data": .string(data), "format": "jsonl"])
      #expect(report["updated"] == 1 && report["added"] == 0, "\(report)")
    }
    #expect(try await texts(in: bench) == ["swim"])
    await bench.stop()
  }

  @Test("what was sent without a path is a new entry where it was edited, and the report says what is beside it")
  func withoutPath() async throws {
    let bench = try await DiaryBench()
    func take(_ journal: String) async throws -> JSONValue {
      let data = Data(journal.utf8).base64EncodedString()
      return try await bench.client.call("diary/import", ["data": .string(data), "format": "jrnl"])
    }
    #expect(try await take("[2026-10-01 09:00] One\nbody\n")["added"] == 1)
    let report = try await take("[2026-10-01 09:00] One\nother\n")
    #expect(report["added"] == 1 && report["skipped"] == 0)
    #expect(report["notes"].list.map { $0["reason"] } == ["sameTitle"])
    #expect(report["notes"].list[0]["display"].text.hasPrefix("An entry of the same time and title"))
    await bench.stop()
  }
}
