import Client
import Contract
import Kit
import TestSupport
import Testing
import Wire

@Suite("Notes of no day", .timeLimit(.minutes(10))) struct NoteTests {
  @Test("a note keeps its text byte for byte, its first line is the title, and the same note is added once")
  func added() async throws {
    let bench = try await NoteBench()
    let text = "\n# Dune\r\n\r\nBy Frank Herbert.  \n\n"
    let new: JSONObject = ["id": "a", "text": .string(text), "tags": [" Novel ", "Novel"]]
    let note = try await bench.client.call("notes/add", .object(new))
    #expect(note["text"].text == text && note["title"] == "Dune" && note["tags"] == ["Novel"])
    #expect(note["preview"] == "By Frank Herbert." && note["frontMatter"] == "")
    #expect(try await bench.client.call("notes/add", .object(new))["revision"] == note["revision"])
    let other = try await bench.client.failure("notes/add", ["id": "a", "text": "Emma"])
    #expect(other?.kind == "exists" && other?.data?["current"]?["title"] == "Dune")
    let parts = try await bench.client.call("notes/add", ["title": "Emma", "body": "By Jane Austen."])
    #expect(parts["text"] == "Emma\nBy Jane Austen.")
    let both = try await bench.client.call("notes/add", ["title": "Persuasion", "text": "Anne Elliot is 27."])
    #expect(both["text"] == "# Persuasion\n\nAnne Elliot is 27." && both["title"] == "Persuasion", "\(both)")
    _ = try await bench.client.call("notes/remove", ["id": both["id"] ?? .null])
    let same = try await bench.client.call("notes/add", ["title": "Persuasion", "text": "## Persuasion\nAnne."])
    #expect(same["text"] == "## Persuasion\nAnne.", "\(same)")
    _ = try await bench.client.call("notes/remove", ["id": same["id"] ?? .null])
    for (params, field): (JSONValue, String) in [
      (["text": " \n"], "text"), (["title": " "], "title"), ([:], "text"), (["text": " ", "title": " "], "text"),
    ] {
      let failure = try await bench.client.failure("notes/add", params)
      #expect(failure?.code == -32602 && failure?.data?["field"] == .string(field))
    }
    // Together they are too long, and the body is what can be cut.
    let body = String(repeating: "a", count: TitledText.maximumLength)
    let long = try await bench.client.failure("notes/add", ["title": "Emma", "body": .string(body)])
    #expect(long?.code == -32602 && long?.data?["field"] == "body", "\(String(describing: long))")
    #expect(Set(try await bench.titles()) == ["Emma", "Dune"])
    await bench.stop()
  }

  @Test("a note is changed by its parts, appended to, put back to a version, removed, and comes back by an undo")
  func changed() async throws {
    let bench = try await NoteBench()
    let note = try await bench.add("Dune\nSand.", ["tags": ["novel"]])
    let renamed = try await bench.client.call("notes/update", ["id": note.id, "title": "Dune Messiah"])
    #expect(renamed["text"] == "Dune Messiah\nSand." && renamed["tags"] == ["novel"])
    #expect(
      try await bench.client.call("notes/update", ["id": note.id, "body": "Spice.", "tags": .null])["text"]
        == "Dune Messiah\nSpice.")
    let appended = try await bench.client.call("notes/append", ["id": note.id, "text": "- More."])
    #expect(appended["text"] == "Dune Messiah\nSpice.\n- More." && appended["tags"] == [])
    let late: JSONValue = ["id": note.id, "text": "x", "ifRevision": note["revision"] ?? .null]
    #expect(try await bench.client.failure("notes/update", late)?.kind == "conflict")
    #expect(try await bench.client.failure("notes/update", ["id": note.id, "text": " "])?.data?["field"] == "text")
    let back = try await bench.client.call(
      "notes/update", ["id": note.id, "version": note["revision"] ?? .null])
    #expect(back["text"] == "Dune\nSand." && back["title"] == "Dune")
    #expect(
      try await bench.client.failure("notes/update", ["id": note.id, "version": 1_000_000])?.kind == "notFound")
    let history = try await bench.client.call("changes/history", ["collection": "notes", "id": note.id])
    #expect(history.items.last?["kind"] == "added" && history.items.count == 5)
    _ = try await bench.client.call("notes/remove", ["id": note.id])
    #expect(try await bench.client.failure("notes/get", ["id": note.id])?.kind == "notFound")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.get(note.id)["text"] == "Dune\nSand.")
    await bench.stop()
  }

  @Test("notes are listed by change, addition and title, by their words, and by a tag and the tags within it")
  func listed() async throws {
    let bench = try await NoteBench()
    let first = try await bench.add("zebra\nstripes", ["tags": ["Animals/Africa"]])
    try await bench.add("# Émile\na novel", ["tags": ["novel"]])
    try await bench.add("Apple\nstriped", ["tags": ["animals", "fruit"]])
    #expect(try await bench.titles() == ["Apple", "Émile", "zebra"])
    #expect(try await bench.titles(["sort": "title"]) == ["Apple", "zebra", "Émile"])
    bench.daemon.clock.advance(milliseconds: 1)
    _ = try await bench.client.call("notes/append", ["id": first.id, "text": "and manes"])
    #expect(try await bench.titles() == ["zebra", "Apple", "Émile"])
    #expect(try await bench.titles(["sort": "added"]) == ["Apple", "Émile", "zebra"])
    #expect(try await bench.titles(["tag": "ANIMALS", "sort": "title"]) == ["Apple", "zebra"])
    #expect(try await bench.titles(["query": "strip"]) == ["zebra", "Apple"])
    let page = try await bench.client.call("notes/list", ["sort": "title", "limit": 2])
    #expect(page["total"] == 3 && page.items[0]["text"] == nil && page.items[0]["preview"] == "striped")
    #expect(try await bench.titles(["sort": "title", "after": page["next"] ?? .null]) == ["Émile"])
    let hits = try await bench.client.call("search/query", ["text": "novel tag:novel in:notes"])
    #expect(hits.items.map { $0["title"] } == ["Émile"])
    await bench.stop()
  }

  @Test("links lead to a note by its title, also by the one that it had, and the note knows them")
  func linked() async throws {
    let bench = try await NoteBench()
    let note = try await bench.add("# Dune\nSee [[Emma]].")
    let other = try await bench.add("Emma\nSee [[dune]] again.")
    _ = try await bench.client.call("diary/add", ["id": "walk", "text": "Read [[Dune]]."])
    #expect(Set(try await bench.sources(of: note.id)) == ["diary/walk", "notes/\(other.id.text)"])
    #expect(try await bench.sources(of: other.id) == ["notes/\(note.id.text)"])
    _ = try await bench.client.call("notes/update", ["id": note.id, "title": "# Arrakis"])
    #expect(try await bench.sources(of: note.id).count == 2)
    // No link named it so, and yet whoever noted the title elsewhere finds it.
    _ = try await bench.client.call("notes/update", ["id": note.id, "title": "# Dune, the planet"])
    let late = try await bench.add("Late\n[[Arrakis]]")
    #expect(try await bench.sources(of: note.id).contains("notes/\(late.id.text)"))
    await bench.stop()
  }

  @Test("unsaved text outlives its editor, and goes when it is saved")
  func drafted() async throws {
    let bench = try await NoteBench()
    let draft = try await bench.client.call("notes/draft", ["text": "Du"])
    #expect(draft["isNew"] == true && draft["text"] == nil && draft["display"]?["title"] == "Du")
    _ = try await bench.client.call("notes/draft", ["id": draft.id, "text": "Dune"])
    #expect(try await bench.client.call("notes/drafts").items.map { $0["text"] } == ["Dune"])
    let note = try await bench.client.call("notes/add", ["id": draft.id, "text": "Dune"])
    #expect(try await bench.client.call("notes/drafts")["total"] == 0)
    let again = try await bench.client.call("notes/draft", ["id": note.id, "text": "Dune\nSand"])
    #expect(again["revision"] == note["revision"])
    _ = try await bench.client.call("notes/discardDraft", ["id": note.id])
    #expect(try await bench.client.call("notes/drafts")["total"] == 0)
    await bench.stop()
  }

  @Test("a passage of any item becomes a note, with a link in its place, and one undo puts it back")
  func fromText() async throws {
    let bench = try await NoteBench()
    _ = try await bench.client.call("diary/add", ["id": "walk", "text": "A walk\nFear is the mind-killer.\nHome."])
    let note = try await bench.client.call(
      "notes/fromText",
      [
        "collection": "diary", "id": "walk", "text": "Fear is the mind-killer.\n", "title": "Fear", "tags": ["quotes"],
      ])
    #expect(note["text"] == "Fear\n\nFear is the mind-killer.\n" && note["tags"] == ["quotes"])
    #expect(try await bench.client.call("diary/get", ["id": "walk"])["text"] == "A walk\n[[Fear]]\nHome.")
    #expect(try await bench.sources(of: note.id) == ["diary/walk"])
    _ = try await bench.client.call("changes/undo")
    #expect(
      try await bench.client.call("diary/get", ["id": "walk"])["text"] == "A walk\nFear is the mind-killer.\nHome.")
    #expect(try await bench.titles() == [])
    // A title that leads elsewhere is no link to the note.
    _ = try await bench.client.call("projects/add", ["id": "card", "title": "Fear", "body": "Fear\nitself"])
    let second = try await bench.client.call("notes/fromText", ["collection": "projects", "id": "card"])
    #expect(
      try await bench.client.call("projects/get", ["id": "card"])["body"]
        == .string("[[commonplace:/notes/\(second.id.text)][Fear]]"))
    for (params, field): (JSONObject, String) in [
      (["collection": "diary", "id": "walk", "text": "nowhere"], "text"),
      (["collection": "diary", "id": "walk", "text": "a"], "text"), (["collection": "posts", "id": "a"], "collection"),
      (["collection": "diary", "id": "walk", "field": "day"], "field"),
    ] {
      let failure = try await bench.client.failure("notes/fromText", .object(params))
      #expect(failure?.code == -32602 && failure?.data?["field"] == .string(field), "\(params)")
    }
    let missing = try await bench.client.failure("notes/fromText", ["collection": "diary", "id": "none"])
    #expect(missing?.kind == "notFound")
    await bench.stop()
  }
}
