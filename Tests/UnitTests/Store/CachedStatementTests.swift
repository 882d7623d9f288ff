import Foundation
import TestSupport
import Testing

@testable import SQLite
@testable import Store

@Suite("Kept statements")
struct CachedStatementTests {
  private static let echo = CachedStatement("SELECT ?1, typeof(?1), length(CAST(?1 AS BLOB))")
  private static let kind = CachedStatement("SELECT typeof(?1) || length(?1)")
  private static let outer = CachedStatement("SELECT value || ? FROM json_each(?)")
  private static let inner = CachedStatement("SELECT ? || '!'")
  private static let wrong = CachedStatement("SELECT * FROM none WHERE id = ?")

  @Test("A text keeps its bytes however long it is, an empty one is no null, and null is null")
  func texts() throws {
    try Database(path: Database.inMemory).write { db in
      for text in [
        "", "é", "e\u{301}", "한\u{0}글", "fifteen bytes..", "sixteen bytes...", String(repeating: "x", count: 100_000),
      ] {
        let found = try db.first(
          Self.echo, { $0.add(text) }, { (text: $0.text(0), type: $0.text(1), length: $0.int(2)) })
        #expect(found?.type == "text")
        #expect(found?.length == text.utf8.count)
        #expect(found?.text.utf8.elementsEqual(text.utf8) == true)
      }
      let noText = try db.first(Self.echo, { $0.add(nil as String?) }, { $0.isNull(0) })
      let noNumber = try db.first(Self.echo, { $0.add(nil as Int64?) }, { $0.isNull(0) })
      let whole = try db.first(Self.echo, { $0.add(-1 << 60) }, { $0.integer(0) })
      let limited = try db.first(Self.echo, { $0.add(Int64.min) }, { $0.integer(0) })
      let exact = try db.first(Self.echo, { $0.add(Int64.min) }, { $0.storedValue(0) })
      let real = try db.first(Self.echo, { $0.add(.real(0.5)) }, { $0.real(0) })
      #expect(noText == true && noNumber == true && whole == -1 << 60 && real == 0.5)
      // Sums of an external library's integers must not overflow.
      #expect(limited == -1 << 60)
      let isExact = if case .integer(.min)?? = exact { true } else { false }
      #expect(isExact)
    }
  }

  @Test("While one goes through its rows another may run, and the first one's texts stay what they were")
  func nested() throws {
    try Database(path: Database.inMemory).write { db in
      let long = String(repeating: "long ", count: 20)
      var found: [String] = []
      try db.each(
        Self.outer,
        {
          $0.add(String(repeating: "tail", count: 10))
          $0.add("[\"\(long)1\",\"\(long)2\",\"\(long)3\"]")
        },
        { row in
          let text = row.text(0)
          found.append(try db.first(Self.inner, { $0.add(text + "…") }, { $0.text(0) }) ?? "")
          #expect(db.statements.held.texts.count == 2, "SQLite reads the outer one's for its next row")
        })
      #expect(found == (1...3).map { "\(long)\($0)" + String(repeating: "tail", count: 10) + "…!" })
    }
  }

  @Test("One that fails leaves nothing behind: the next runs, and no text is held")
  func failing() throws {
    try Database(path: Database.inMemory).write { db in
      #expect(throws: DatabaseError.self) { try db.run(Self.wrong) { $0.add("a text that is longer than a word") } }
      struct Stop: Error {}
      #expect(throws: Stop.self) {
        try db.first(Self.echo, { $0.add("another text that is longer") }, { _ in throw Stop() })
      }
      #expect(db.statements.held.texts.isEmpty)
      let next = try db.first(Self.echo, { $0.add("well") }, { $0.text(0) })
      #expect(next == "well")
    }
  }

  @Test("A statement of more than one is refused, and however many texts come, each runs as it stands")
  func byText() throws {
    let db = try Database(path: Database.inMemory)
    #expect(throws: DatabaseError.self) { try db.run("SELECT 1; SELECT 2") }
    #expect(throws: DatabaseError.self) { try db.run(" ") }
    for number in 0..<5_000 { #expect(try db.integer("SELECT \(number);") == number) }
    // What compiling does is done each time.
    for size in [100, 200, 100] {
      try db.run("PRAGMA cache_size = 100")
      try db.run("PRAGMA cache_size = \(size)")
      #expect(try db.integer("PRAGMA cache_size") == size)
    }
  }

  @Test("A script runs its statements in their order, and ends at the first that fails")
  func script() throws {
    let db = try Database(path: Database.inMemory)
    try db.execute("CREATE TABLE one (id TEXT); -- so\n INSERT INTO one VALUES ('é;'); /* end */ ")
    #expect(throws: DatabaseError.self) {
      try db.execute("INSERT INTO one VALUES ('b'); SELECT * FROM none; DROP TABLE one")
    }
    #expect(try db.texts("SELECT id FROM one") == ["é;", "b"])
  }

  @Test("Bytes and their absence are no null, and a column of another type than a daemon writes is named")
  func types() throws {
    let db = try Database(path: Database.inMemory)
    for bytes in [[], [0, 0xFF]] as [[UInt8]] {
      let type = try db.first(Self.kind, { $0.add(bytes) }, { $0.text(0) })
      #expect(type == "blob\(bytes.count)")
    }
    #expect(throws: StoreError.broken(path: "", reason: "label")) {
      try db.first("SELECT 1 AS label") { try $0.requiredText(0) }
    }
    #expect(throws: StoreError.broken(path: "", reason: "at")) {
      try db.first("SELECT 'x' AS at") { try $0.requiredInteger(0) }
    }
  }

  @Test("A row's values come in the order of their columns' names, the older of two wins, and JSON keeps each kind")
  func rowValues() throws {
    var values = RowValues([("b", .text("\"x\"\n")), ("a", .integer(1)), ("c", .null)])
    #expect(values.json == #"{"a":1,"b":"\"x\"\n","c":null}"#)
    #expect(RowValues([]).json == "{}")
    values = values.adding(RowValues([("a", .integer(2)), ("d", .real(0.5))]))
    #expect(values.json == #"{"a":1,"b":"\"x\"\n","c":null,"d":0.5}"#)
    values["a"] = .text("new")
    #expect(values.text("a") == "new")
    #expect(values["e"] == nil)
  }
}
