import SQLite
import SearchEngine
import Testing

@testable import Projects

@Suite("Cards: the index of fields of the user's own") struct PropertyIndexTests {
  @Test("a library with such fields rebuilds its index, which does not have them; another one does not")
  func migration() throws {
    for (properties, isDue) in [(#"[{"name":"size","value":"M"}]"#, true), ("[]", false)] {
      let database = try Database(path: Database.inMemory) { try SearchIndex.prepare($0) }
      let migration = try #require(ProjectTables.migrations.last { $0.name == "projects/014" })
      let needs = try database.write { db in
        try SearchIndex.create(in: db)
        try db.execute(
          """
          CREATE TABLE project (id TEXT PRIMARY KEY, properties TEXT NOT NULL);
          INSERT INTO project VALUES ('a', '\(properties)');
          """)
        let before = try SearchIndex.needsRebuild(db)
        try migration.run(db)
        return [before, try SearchIndex.needsRebuild(db)]
      }
      #expect(needs == [false, isDue])
      try database.close()
    }
  }
}
