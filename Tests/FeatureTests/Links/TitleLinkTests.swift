import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("Links: by title", .timeLimit(.minutes(10))) struct TitleLinkTests {
  @Test("a title finds documents, books, cards and entries, however its letters are written, and nothing else")
  func collections() async throws {
    let bench = try await LinksBench()
    try await bench.entry("e", "[[a paper]] [[ｄｕｎｅ]] [[독서]] [[Rain]] [[Rain again]]")
    #expect(try await bench.broken().count == 5)
    _ = try await bench.client.call(
      "documents/add", ["id": "d", "data": .string(SamplePDF(["x"]).base64), "title": "A  Paper"])
    _ = try await bench.client.call("books/addToShelf", ["id": "b", "byHand": ["title": "Dune"]])
    try await bench.card("p", "\u{1103}\u{1169}\u{11a8}\u{1109}\u{1165}")
    try await bench.entry("r", "\n# Rain\nRain again")
    #expect(try await bench.broken() == ["diary/e [[Rain again]] unknown"])
    for id in ["d", "b", "p", "r"] { #expect(try await bench.sources(of: id) == ["diary/e"], "\(id)") }
    await bench.daemon.stop()
  }

  @Test("renaming keeps links working: of whoever had the title they still lead there, through undo, redo and rebuild")
  func renamed() async throws {
    let bench = try await LinksBench()
    try await bench.card("p", "Dune")
    try await bench.entry("e", "[[Dune]]")
    func check(_ sentence: Comment) async throws {
      #expect(try await bench.sources(of: "p") == ["diary/e"], sentence)
      #expect(try await bench.broken() == [], sentence)
      #expect(try await bench.findings() == [], sentence)
    }
    try await bench.rename("p", to: "Arrakis")
    try await check("renamed")
    try await bench.rename("p", to: "The desert planet")
    try await check("renamed twice")
    #expect(try await bench.findings(["rebuildIndex": true]) == [])
    try await check("made anew")
    _ = try await bench.client.call("changes/undo")
    try await check("undone")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("projects/get", ["id": "p"])["title"] == "Dune")
    try await check("undone twice")
    _ = try await bench.client.call("changes/redo")
    try await check("redone")
    // What was written to the new title leads there when that is taken back.
    try await bench.rewrite("e", "[[Arrakis]]")
    try await check("by the new title")
    try await bench.rename("p", to: "Dune")
    try await check("renamed back")
    await bench.daemon.stop()
  }

  @Test(
    "who takes a title takes no link from who had it; new links are its, and old ones of others while nobody has it")
  func taken() async throws {
    let bench = try await LinksBench()
    try await bench.card("old", "Dune")
    try await bench.entry("e1", "[[Dune]]")
    try await bench.rename("old", to: "Arrakis")
    try await bench.entry("e2", "[[Dune]]")
    #expect(try await bench.sources(of: "old") == ["diary/e2", "diary/e1"])
    try await bench.card("new", "Dune")
    #expect(try await bench.sources(of: "old") == ["diary/e1"])
    #expect(try await bench.sources(of: "new") == ["diary/e2"])
    try await bench.entry("e3", "[[dune]]")
    #expect(try await bench.findings(["rebuildIndex": true]) == [])
    #expect(try await bench.sources(of: "old") == ["diary/e1"])
    #expect(try await bench.sources(of: "new") == ["diary/e3", "diary/e2"])
    // The new one is renamed too: each keeps its own.
    try await bench.rename("new", to: "Messiah")
    #expect(try await bench.sources(of: "old") == ["diary/e1"])
    #expect(try await bench.sources(of: "new") == ["diary/e3", "diary/e2"])
    _ = try await bench.client.call("projects/remove", ["id": "new"])
    #expect(try await bench.sources(of: "old") == ["diary/e3", "diary/e2", "diary/e1"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.sources(of: "old") == ["diary/e1"])
    #expect(try await bench.findings() == [])
    await bench.daemon.stop()
  }

  @Test("of several items with a title the one that came first is meant, and the link is told with all that might be")
  func ambiguous() async throws {
    let bench = try await LinksBench()
    try await bench.card("p1", "Dune")
    try await bench.entry("e", "about [[Dune]]")
    _ = try await bench.client.call("books/addToShelf", ["id": "b", "byHand": ["title": "DUNE"]])
    #expect(try await bench.sources(of: "p1") == ["diary/e"])
    #expect(try await bench.sources(of: "b") == [])
    let broken = try await bench.client.call("links/broken")
    #expect(broken["total"] == 1 && broken.items[0]["trouble"] == "ambiguous")
    #expect(broken.items[0]["candidates"].list.map { $0["id"] } == ["p1", "b"])
    #expect(broken.items[0]["candidates"].list.map { $0["title"] } == ["Dune", "DUNE"])
    let found = try await bench.client.call("links/to", ["id": "p1"]).items
    #expect(found.map { $0["trouble"] } == ["ambiguous"])
    _ = try await bench.client.call("projects/remove", ["id": "p1"])
    #expect(try await bench.sources(of: "b") == ["diary/e"])
    #expect(try await bench.broken() == [])
    await bench.daemon.stop()
  }

  @Test("an older item that takes a title takes no link that was pinned, and the others are told as unsure")
  func takenByOlder() async throws {
    let bench = try await LinksBench()
    try await bench.card("older", "Arrakis")
    try await bench.card("first", "Dune")
    try await bench.entry("pinned", "[[Dune]]")
    try await bench.rename("first", to: "Messiah")
    try await bench.card("second", "Dune")
    try await bench.entry("loose", "[[Dune]]")
    #expect(try await bench.broken() == [])
    try await bench.rename("older", to: "Dune")
    #expect(try await bench.sources(of: "first") == ["diary/pinned"])
    #expect(try await bench.sources(of: "older") == ["diary/loose"])
    let unsure = try await bench.client.call("links/to", ["id": "older"]).items
    #expect(unsure.map { $0["trouble"] } == ["ambiguous"] && unsure[0]["display"]?["trouble"] != nil)
    #expect(unsure[0]["candidates"].list.map { $0["id"] } == ["older", "second"])
    #expect(try await bench.broken() == ["diary/loose [[Dune]] ambiguous"])
    await bench.daemon.stop()
  }

  @Test(
    "a rename is a change of the title alone, whether a link names it or not: the former title is no field")
  func quiet() async throws {
    let bench = try await LinksBench()
    let other = try await bench.daemon.client()
    try await bench.card("p", "Dune")
    // What is told one by one is not merged.
    _ = try await other.call("session/sync")
    try await bench.rename("p", to: "Arrakis")
    _ = try await other.call("session/sync")
    try await bench.entry("e", "[[Arrakis]]")
    try await bench.rename("p", to: "Dune")
    _ = try await other.call("session/sync")
    let changes = other.commits.flatMap { $0["changes"]?.arrayValue ?? [] }.filter { $0["kind"] == "updated" }
    #expect(changes.map { $0["fields"] } == [["title"], ["title"]])
    let history = try await bench.client.call("changes/history", ["collection": "projects", "id": "p"])
    #expect(!"\(history)".contains("formerTitles"))
    #expect(try await bench.client.call("projects/get", ["id": "p"])["formerTitles"] == nil)
    await bench.daemon.stop()
  }

  @Test("an archive and a restart carry where links led, and tables that were half filled are filled")
  func carried() async throws {
    let folder = TemporaryFolder()
    let bench = try await LinksBench(in: folder)
    try await bench.card("old", "Dune")
    try await bench.entry("e1", "[[Dune]]")
    try await bench.rename("old", to: "Arrakis")
    try await bench.card("new", "Dune")
    try await bench.entry("e2", "[[Dune]]")
    let archive = folder.file("archive.tar")
    _ = try await bench.client.call("library/export", ["path": .string(archive)])
    let library = LibraryFolder(bench.daemon.library)
    await bench.daemon.stop()

    let another = try await LinksBench()
    _ = try await another.client.call("library/import", ["path": .string(archive)])
    #expect(try await another.sources(of: "old") == ["diary/e1"])
    #expect(try await another.sources(of: "new") == ["diary/e2"])
    #expect(try await another.findings() == [])
    _ = try await another.client.call("changes/undo")
    #expect(try await another.findings() == [])
    await another.daemon.stop()

    // As a daemon would leave it that was killed while it filled the tables.
    try OldLibraries.execute(
      """
      DELETE FROM linkTitle; DELETE FROM linkPin; DELETE FROM link WHERE item <> 'e1';
      INSERT INTO link (collection, item, field, name, key) VALUES
        ('diary', 'gone', 'text', '[[x', 'x'), ('gadgets', 'unknown', 'text', '[[y', 'y');
      UPDATE linkState SET isFilling = 1;
      """, in: library)
    let again = try await LinksBench.filled(in: folder)
    #expect(try await again.sources(of: "old") == ["diary/e1"])
    #expect(try await again.sources(of: "new") == ["diary/e2"])
    #expect(try await again.broken() == [])
    await again.daemon.stop()
  }

  @Test("a library that is older than the tables of links gets them behind its start, and then renames keep its links")
  func older() async throws {
    let folder = TemporaryFolder()
    let bench = try await LinksBench(in: folder)
    try await bench.card("p", "Dune")
    try await bench.entry("e", "[[Dune]]")
    let library = LibraryFolder(bench.daemon.library)
    await bench.daemon.stop()
    try OldLibraries.execute(
      """
      DROP TABLE link; DROP TABLE linkTitle; DROP TABLE linkPin; DROP TABLE linkState;
      DELETE FROM grdb_migrations WHERE identifier = 'store/003';
      """, in: library)
    let again = try await LinksBench.filled(in: folder)
    try await again.rename("p", to: "Arrakis")
    #expect(try await again.sources(of: "p") == ["diary/e"])
    #expect(try await again.findings() == [])
    await again.daemon.stop()
  }

  @Test("an older library that was shared gets the times of its titles anew, and of equal ones the first made counts")
  func olderShared() async throws {
    let folder = TemporaryFolder()
    let bench = try await LinksBench(in: folder)
    try await bench.card("first", "Dune")
    try await bench.entry("between", "Rain")
    try await bench.card("second", "Dune")
    let library = LibraryFolder(bench.daemon.library)
    await bench.daemon.stop()
    // As titles that arrived from another device had it.
    try OldLibraries.execute(
      """
      UPDATE linkTitle SET at = at + 1000000 WHERE item = 'first';
      UPDATE commits SET client = 'sync' WHERE clock = (SELECT max(clock) FROM commits);
      DELETE FROM grdb_migrations WHERE identifier = 'store/013';
      """, in: library)
    let again = try await LinksBench.filled(in: folder)
    try await again.entry("e", "[[Dune]]")
    #expect(try await again.sources(of: "first") == ["diary/e"])
    #expect(try await again.sources(of: "second") == [])
    await again.daemon.stop()
  }

  @Test("a check finds tables that are not as the texts say, and repair makes them anew")
  func check() async throws {
    let folder = TemporaryFolder()
    let bench = try await LinksBench(in: folder)
    try await bench.card("p", "Dune")
    try await bench.entry("e", "[[Dune]]")
    let library = LibraryFolder(bench.daemon.library)
    await bench.daemon.stop()
    for damage in [
      "DELETE FROM link", "DELETE FROM linkTitle WHERE item = 'p'", "UPDATE linkTitle SET key = 'x' WHERE item = 'p'",
      "INSERT INTO linkPin VALUES ('diary', 'e', 'dune', 'projects', 'q')",
    ] {
      try OldLibraries.execute(damage, in: library)
      let again = try await LinksBench(in: folder)
      #expect(try await again.findings().count == 1, "\(damage)")
      _ = try await again.findings(["repair": true])
      #expect(try await again.findings() == [], "\(damage)")
      #expect(try await again.sources(of: "p") == ["diary/e"], "\(damage)")
      await again.daemon.stop()
    }
  }
}
