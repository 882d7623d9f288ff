import Foundation
import Kit
import Store
import TestSupport
import Testing
import Wire

@Suite("Counts, tags and other rows that follow from items") struct DerivedRowsTests {
  private struct Recount: Sendable {
    var table: String
    /// What the table has.
    var derived: String
    /// What the items say.
    var items: String

    init(_ table: String, _ derived: String, _ items: String) {
      (self.table, self.derived, self.items) = (table, "SELECT \(derived) FROM \(table)", items)
    }

    static func tags(_ table: String, _ column: String, of items: String) -> Recount {
      Recount(
        table, "tag || ' ' || \(column)",
        "SELECT DISTINCT fold(value) || ' ' || \(items).id FROM \(items), json_each(tags)")
    }
  }

  private static let recounts = [
    Recount(
      "documentMarks", "document || ' ' || highlights || ' ' || bookmarks || ' ' || memos",
      """
      SELECT d || ' ' || (SELECT count(*) FROM highlight WHERE document = d) || ' '
        || (SELECT count(*) FROM bookmark WHERE document = d) || ' '
        || (SELECT count(*) FROM memo WHERE document = d)
      FROM (SELECT document AS d FROM highlight UNION SELECT document FROM bookmark UNION SELECT document FROM memo)
      """),
    Recount(
      "documentProperty", "label || ' ' || text || ' ' || document",
      "SELECT key || ' ' || value || ' ' || document.id FROM document, json_each(properties)"),
    .tags("documentTag", "document", of: "document"),
    Recount(
      "diaryDay WHERE entries <> 0", "day || ' ' || entries",
      "SELECT day || ' ' || count(*) FROM diaryEntry GROUP BY day"),
    Recount(
      "diaryMonth WHERE entries <> 0", "month || ' ' || entries",
      "SELECT substr(day, 1, 7) || ' ' || count(*) FROM diaryEntry GROUP BY substr(day, 1, 7)"),
    Recount(
      "diaryJournal WHERE entries <> 0", "journal || ' ' || entries",
      "SELECT journal || ' ' || count(*) FROM diaryEntry GROUP BY journal"),
    .tags("diaryTag", "entry", of: "diaryEntry"),
    .tags("noteTag", "note", of: "note"),
    Recount(
      "projectCount WHERE count <> 0", "board || ' ' || state || ' ' || count",
      "SELECT board || ' ' || state || ' ' || count(*) FROM project GROUP BY board, state"),
    Recount(
      "projectBlock", "blocker || ' ' || card",
      "SELECT DISTINCT value || ' ' || project.id FROM project, json_each(blockedBy)"),
    Recount(
      "projectReminder", "card || ' ' || reminder",
      "SELECT project.id || ' ' || value FROM project, json_each(reminders) WHERE completedAt IS NULL"),
    .tags("projectTag", "card", of: "project"),
  ]

  private static func check(_ bench: DocumentBench, after step: String, isFull: Bool = false) async throws {
    let services = bench.daemon.daemon.services
    for recount in recounts {
      let (derived, items) = try await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
        (try snapshot.db.texts(recount.derived).sorted(), try snapshot.db.texts(recount.items).sorted())
      }
      #expect(derived == items, "\(recount.table) after \(step)")
      if isFull { #expect(!derived.isEmpty, "\(recount.table) after \(step)") }
    }
  }

  private static func base64(_ text: String) -> JSONValue { .string(Data(text.utf8).base64EncodedString()) }

  /// Items that have rows in all tables.
  private static func add(to bench: DocumentBench) async throws {
    let client = bench.client
    _ = try await bench.add(SamplePDF(["The reading club"], ["Second page"]), title: "Club", id: "d")
    _ = try await client.call(
      "documents/update", ["id": "d", "tags": ["Wet", "ＢＩＧ"], "properties": ["Shelf": "A", "Owner": "Ann"]])
    for page in [0, 1] {
      _ = try await client.call("documents/setMemo", ["id": "d", "page": json(page), "text": "a memo"])
    }
    _ = try await client.call("documents/setBookmark", ["id": "d", "page": 1, "bookmarked": true])
    _ = try await client.call("documents/addHighlight", ["id": "d", "page": 0, "lines": ["The reading club"]])
    _ = try await client.call("diary/add", ["id": "e", "text": "A day.", "tags": ["Wet"], "journal": "Work"])
    _ = try await client.call("diary/add", ["id": "f", "text": "The same day."])
    _ = try await client.call("notes/add", ["id": "n", "text": "A note.", "tags": ["Old", "wet"]])
    _ = try await client.call("projects/add", ["id": "a", "title": "First"])
    let second: JSONValue = [
      "id": "b", "title": "Second", "blockedBy": ["a"], "tags": ["Wet"], "deadline": "2099-01-01",
      "reminders": ["-1d", "-2d@08:00"],
    ]
    _ = try await client.call("projects/add", second)
  }

  @Test("they agree with the items after these are added, imported, changed, removed, archived, undone and redone")
  func agreement() async throws {
    let bench = try await DocumentBench()
    let client = bench.client
    try await Self.add(to: bench)
    try await Self.check(bench, after: "add", isFull: true)
    let task =
      #"[{"uuid":"9c1f0b6e-6a0e-4c5c-8a55-0d3f4b6f3a11","description":"Third","status":"pending","tags":["Wet"],"#
      + #""entry":"20260101T000000Z"}]"#
    let day = #"{"entries":[{"uuid":"A1","creationDate":"2020-12-22T15:35:00Z","text":"Then.","tags":["Old"]}]}"#
    let steps: [(method: String, params: JSONValue)] = [
      ("diary/import", ["data": Self.base64(day), "format": "dayone"]),
      ("projects/import", ["data": Self.base64(task), "format": "taskwarrior"]),
      ("documents/update", ["id": "d", "tags": ["wet", "new"], "properties": ["Shelf": "B"]]),
      ("documents/setMemo", ["id": "d", "page": 1, "text": ""]),
      ("documents/setBookmark", ["id": "d", "page": 1, "bookmarked": false]),
      ("diary/update", ["id": "e", "journal": "Home", "tags": ["old"]]),
      ("diary/remove", ["id": "f"]),
      ("notes/update", ["id": "n", "tags": ["new"]]),
      ("projects/update", ["id": "b", "blockedBy": [], "tags": ["new"], "reminders": ["-3d"]]),
      ("projects/move", ["id": "a", "state": "doing"]),
      ("projects/remove", ["id": "b"]),
      ("notes/remove", ["id": "n"]),
      ("documents/remove", ["id": "d"]),
    ]
    for step in steps {
      _ = try await client.call(step.method, step.params)
      try await Self.check(bench, after: step.method)
    }
    for step in steps.reversed() {
      _ = try await client.call("changes/undo")
      try await Self.check(bench, after: "undo of \(step.method)")
    }
    try await Self.check(bench, after: "all undone", isFull: true)
    for step in steps {
      _ = try await client.call("changes/redo")
      try await Self.check(bench, after: "redo of \(step.method)")
    }
    for _ in steps { _ = try await client.call("changes/undo") }
    let archive = bench.daemon.folder.file("library.tar")
    _ = try await client.call("library/export", ["path": .string(archive)])
    let other = try await DocumentBench()
    _ = try await other.client.call("library/import", ["path": .string(archive)])
    try await Self.check(other, after: "import of an archive", isFull: true)
    await other.stop()
    await bench.stop()
  }

  /// The triggers of earlier versions, of which those that count would count twice beside the present rows.
  private static let triggers = [
    "diaryEntryCame": "INSERT ON diaryEntry BEGIN UPDATE diaryDay SET entries = entries + 1 WHERE day = new.day; END",
    "diaryJournalCame":
      "INSERT ON diaryEntry BEGIN UPDATE diaryJournal SET entries = entries + 1 WHERE journal = new.journal; END",
    "projectCame": "INSERT ON project BEGIN UPDATE projectCount SET count = count + 1 WHERE state = new.state; END",
    "projectBlockCame": "INSERT ON project BEGIN SELECT 1; END",
    "projectReminderCame": "INSERT ON project BEGIN SELECT 1; END",
    "documentPropertyInserted": "INSERT ON document BEGIN SELECT 1; END",
  ].merging(
    [
      ("diaryTag", "diaryEntry", ["Came", "Changed", "Went"]), ("noteTag", "note", ["Came", "Changed", "Went"]),
      ("projectTag", "project", ["Came", "Changed", "Went"]),
      ("documentTag", "document", ["Inserted", "Updated", "Deleted"]),
    ].flatMap { table, items, names in
      zip(names, ["INSERT", "UPDATE OF tags", "DELETE"]).map { name, event in
        (table + name, "\(event) ON \(items) BEGIN SELECT 1; END")
      }
    }
  ) { first, _ in first }

  @Test("in a library of before they are counted, and its triggers count nothing twice")
  func migration() async throws {
    let folder = TemporaryFolder()
    let first = try await DocumentBench(in: folder)
    try await Self.add(to: first)
    await first.stop()
    let triggers = Self.triggers.map { "CREATE TRIGGER \($0) AFTER \($1);" }.joined()
    try OldLibraries.execute(
      """
      \(triggers)
      DROP TABLE documentMarks;
      DELETE FROM grdb_migrations WHERE identifier IN
        ('documents/020', 'diary/013', 'notes/003', 'projects/014', 'projects/015');
      """, in: LibraryFolder(folder.file("library")))

    let bench = try await DocumentBench(in: folder)
    try await Self.check(bench, after: "the migration", isFull: true)
    let services = bench.daemon.daemon.services
    let left = try await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
      try snapshot.db.texts("SELECT name FROM sqlite_master WHERE type = 'trigger'")
    }
    #expect(Set(left).isDisjoint(with: Self.triggers.keys))
    _ = try await bench.client.call("diary/add", ["id": "g", "text": "One more.", "journal": "Work"])
    _ = try await bench.client.call("projects/add", ["id": "c", "title": "Third", "tags": ["Wet"]])
    _ = try await bench.client.call("documents/setMemo", ["id": "d", "page": 0, "text": ""])
    try await Self.check(bench, after: "changes of now", isFull: true)
    await bench.stop()
  }
}
