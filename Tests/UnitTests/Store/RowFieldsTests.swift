import Contract
import Foundation
import Synchronization
import Testing
import Wire

@testable import SQLite
@testable import Store

@Suite struct RowFieldsTests {
  struct Thing: StoredItem, Equatable {
    static let collectionName = "things"
    static let tableName = "thing"
    var id = ""
    var revision: Int64 = 0
    var createdAt = Instant(milliseconds: 0)
    var updatedAt = Instant(milliseconds: 0)
    var text = ""
    var maybe: String?
    var count: Int?
    var share = 0.0
    var isThere = false
    var day: CalendarDay?
    var list: [String] = []
    var kept = StoredJSON<[Int]>(stored: "[]")

    static let fields = Fields<Self> {
      Field("text", \.text)
      Field("maybe", \.maybe)
      Field("count", \.count)
      Field("share", \.share)
      Field("isThere", \.isThere)
      Field("day", \.day)
      Field("list", \.list, .json)
      Field("kept", \.kept)
    }

    static func == (left: Thing, right: Thing) -> Bool {
      left.text.utf8.elementsEqual(right.text.utf8) && left.maybe == right.maybe && left.count == right.count
        && left.share == right.share && left.isThere == right.isThere && left.day == right.day
        && left.list == right.list && left.kept.json == right.kept.json && left.createdAt == right.createdAt
    }
  }

  private static let columns = """
    id TEXT PRIMARY KEY, revision INTEGER, createdAt INTEGER, updatedAt INTEGER, maybe TEXT, text TEXT NOT NULL,
    count INTEGER, share REAL, isThere INTEGER, day TEXT, list TEXT, kept TEXT
    """

  private static func write(_ thing: Thing, to db: Database) throws {
    try db.run(
      """
      INSERT INTO thing (id, revision, createdAt, updatedAt, text, maybe, count, share, isThere, day, list, kept)
      VALUES (?, 1, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .text(thing.id), .integer(thing.createdAt.milliseconds), .text(thing.text), .text(thing.maybe),
        thing.count.map { .integer($0) } ?? .null, .real(thing.share), .bool(thing.isThere),
        .text(thing.day?.description), .text(#"["a","b"]"#), .text(thing.kept.json),
      ])
  }

  @Test("An item is read from its columns by name: texts, numbers, moments, days, lists as JSON, and nothing as nil")
  func everyKind() throws {
    let database = try Database(path: Database.inMemory)
    let full = Thing(
      id: "1", createdAt: Instant(milliseconds: 1_795_225_445_678), text: "e\u{301} and “quotes”", maybe: "",
      count: -7, share: 0.25, isThere: true, day: CalendarDay(year: 2026, month: 11, day: 21), list: ["a", "b"],
      kept: try StoredJSON([1, 2]))
    let empty = Thing(
      id: "2", text: "", maybe: nil, count: nil, share: 3, isThere: false, day: nil, list: ["a", "b"],
      kept: try StoredJSON([]))
    try database.write { db in
      try db.execute("CREATE TABLE thing (\(Self.columns))")
      try Self.write(full, to: db)
      try Self.write(empty, to: db)
      #expect(try Thing.find("1", in: db) == full)
      #expect(try Thing.find("2", in: db) == empty)
      #expect(try Thing.find("3", in: db) == nil)
      #expect(try Thing.all(in: db, "WHERE share < ? ORDER BY id DESC", [.real(9)]) == [empty, full])
      #expect(try Thing.first(in: db, "WHERE isThere = ?", [.bool(false)]) == empty)
      #expect(try Thing.find("1", in: db)?.kept.value() == [1, 2])
    }
  }

  struct Bounded: StoredItem {
    static let collectionName = "bounded"
    static let tableName = "bounded"
    var id = "1"
    var revision: Int64 = 1
    var createdAt = Instant(milliseconds: 0)
    var updatedAt = Instant(milliseconds: 0)
    var count: Int? = 1
    var rating: Double?
    var total: Int64 = 1
    var share = 0.0
    var at: Instant?
    var kept = StoredJSON<[Int]>(stored: "[]")
    var names: String?

    static let fields = Fields<Self> {
      Field("count", \.count, .integer(1...9))
      Field("rating", as: "stars", \.rating, .number(0.5...5))
      Field("total", \.total)
      Field("share", \.share)
      Field("at", \.at)
      Field("kept", \.kept)
      Field("names", \.names, .json(.array(.string)))
    }
  }

  @Test(
    "a number outside the limits of its field, and a moment outside of all years, is in no row that can be read",
    arguments: [
      ("count", "10"), ("count", "0"), ("count", "9223372036854775807"), ("count", "1.5"), ("rating", "1e308"),
      ("rating", "0.4"), ("total", "9007199254740993"), ("total", "-9223372036854775808"), ("share", "9e999"),
      ("share", "-1e16"), ("at", "9223372036854775807"), ("createdAt", "253402300800000"), ("createdAt", "'x'"),
      ("revision", "1e308"), ("updatedAt", "NULL"), ("id", "x'00'"),
    ])
  func outside(column: String, value: String) throws {
    try Database(path: Database.inMemory).write { db in
      try db.execute(
        """
        CREATE TABLE bounded (id, revision, createdAt, updatedAt, count, rating, total, share, at, kept, names);
        INSERT INTO bounded VALUES ('1', 1, 0, 0, 9, 5.0, 9007199254740992, 0.5, 253402300799999, '[]', NULL);
        """)
      #expect(try Bounded.first(in: db, "WHERE 1")?.count == 9)
      try db.execute("UPDATE bounded SET \(column) = \(value)")
      #expect(throws: StoreError.broken(path: "", reason: column)) { try Bounded.first(in: db, "WHERE 1") }
    }
  }

  @Test("a number outside the limits of its field is written into no row, and the error names the field")
  func outsideWrites() throws {
    func field(_ change: (inout Bounded) -> Void) -> JSONValue? {
      var item = Bounded()
      change(&item)
      do {
        _ = try item.columnValues()
        return nil
      } catch {
        return (error as? RPCError)?.data["field"]
      }
    }
    #expect(field { _ in } == nil && field { ($0.count, $0.rating, $0.total) = (9, 5, 1 << 53) } == nil)
    #expect(field { $0.count = 10 } == "count" && field { $0.rating = 1e308 } == "stars")
    #expect(field { $0.total = .max } == "total" && field { $0.share = .infinity } == "share")
  }

  @Test("JSON that a read decodes on demand is checked with the whole item")
  func checkedJSON() throws {
    func isSound(_ change: (inout Bounded) -> Void) -> Bool {
      var item = Bounded()
      change(&item)
      return (try? Bounded.fields.check(item)) != nil
    }
    #expect(isSound { $0.kept = StoredJSON(stored: "[1,2]") } && isSound { $0.names = #"["a"]"# })
    for json in ["[9007199254740993]", "[1.5]", "{", "", "{}"] {
      #expect(!isSound { $0.kept = StoredJSON(stored: json) }, "\(json)")
    }
    for json in ["[1]", "{", "{}"] { #expect(!isSound { $0.names = json }, "\(json)") }
  }

  struct Small: StoredItem {
    static let collectionName = "smalls"
    static let tableName = "small"
    var id = ""
    var revision: Int64 = 0
    var createdAt = Instant(milliseconds: 0)
    var updatedAt = Instant(milliseconds: 0)

    static let fields = Fields<Self> {}
  }

  private struct Late: StoredItem {
    static let collectionName = "lates"
    static let tableName = "late"
    private static let declarations = Mutex(0)
    static var countOfDeclarations: Int { declarations.withLock(\.self) }
    var id = ""
    var revision: Int64 = 0
    var createdAt = Instant(milliseconds: 0)
    var updatedAt = Instant(milliseconds: 0)
    var text = ""
    var seen = ""

    static let fields = Fields<Self> {
      Field("text", \.text)
      Field("seen", \.seen, declared).quiet
    }

    private static var declared: FieldType<String> {
      declarations.withLock { $0 += 1 }
      return String.fieldType
    }
  }

  @Test("A library is opened without the declarations of its fields, which the first write of a collection creates")
  func late() throws {
    let database = try Database(path: Database.inMemory)
    try database.write { db in
      try db.execute(
        """
        CREATE TABLE late (
          id TEXT PRIMARY KEY, revision INTEGER, createdAt INTEGER, updatedAt INTEGER, text TEXT, seen TEXT);
        """)
      let collection = ItemCollection(Late.self, payload: { _, _ in JSONValue?.none })
      let schema = try Schema(collections: [collection], db: db)
      #expect(Late.countOfDeclarations == 0)
      #expect(schema.collection("lates").contentColumns == ["text"])
      #expect(Late.countOfDeclarations == 1)
    }
  }

  @Test("Columns that an item does not know are left alone, also when they come later")
  func newColumn() throws {
    let database = try Database(path: Database.inMemory)
    try database.write { db in
      try db.execute(
        """
        CREATE TABLE small (more TEXT, id TEXT PRIMARY KEY, createdAt INTEGER, updatedAt INTEGER, revision INTEGER);
        INSERT INTO small VALUES ('m', '1', 2, 3, 4);
        """)
      #expect(try Small.find("1", in: db)?.revision == 4)
      try db.execute("ALTER TABLE small ADD COLUMN later TEXT DEFAULT 'x'")
      #expect(try Small.find("1", in: db)?.createdAt == Instant(milliseconds: 2))
    }
  }

  @Test("An empty text is no null, and a text keeps its bytes")
  func texts() throws {
    let database = try Database(path: Database.inMemory)
    try database.write { db in
      for text in ["", "é", "e\u{301}", "한\u{0}글", String(repeating: "x", count: 100_000)] {
        let found = try db.first("SELECT ?, typeof(?1), length(CAST(?1 AS BLOB))", [.text(text)]) {
          (text: $0.text(0), type: $0.text(1), length: $0.int(2))
        }
        #expect(found?.type == "text")
        #expect(found?.length == text.utf8.count)
        #expect(found?.text.utf8.elementsEqual(text.utf8) == true)
      }
      #expect(try db.first("SELECT ?", [.text(nil)]) { $0.isNull(0) } == true)
    }
  }

  @Test("A statement that fails says what SQLite said, leaves nothing open, and quotes no value")
  func failing() throws {
    let database = try Database(path: Database.inMemory)
    try database.write { db in
      try db.execute("CREATE TABLE one (id TEXT PRIMARY KEY)")
      try db.run("INSERT INTO one VALUES (?)", [.text("secret")])
      let error = #expect(throws: DatabaseError.self) { try db.run("INSERT INTO one VALUES (?)", [.text("secret")]) }
      #expect(error?.code == .constraint)
      #expect(error?.description.contains("secret") == false)
      try db.run("INSERT INTO one VALUES (?)", [.text("other")])
      #expect(throws: DatabaseError.self) { try db.run("SELECT * FROM none") }
    }
  }

  @Test("However many sets of columns are changed, no more statements are kept than fit")
  func boundedUpdates() {
    let columns = ["id", "revision", "createdAt", "updatedAt"] + (0..<8).map { "c\($0)" }
    let layout = RowLayout.of(table: "wide", columns: columns)
    for set in 1..<256 {
      let wanted = (0..<8).filter { set >> $0 & 1 == 1 }.map { $0 + 4 }
      let update = layout.update(wanted)
      // It writes all that was wanted, and never what identifies a row.
      #expect(Set(update.places).isSuperset(of: wanted) && update.places.allSatisfy { $0 >= 4 })
      #expect(layout.update(wanted).statement === update.statement)
    }
    #expect(layout.updateCount == RowLayout.mostUpdates)
    // Its statements are never dropped, so a table has one for all libraries.
    #expect(RowLayout.of(table: "wide", columns: columns) === layout)
    #expect(RowLayout.of(table: "wide", columns: columns + ["c8"]) !== layout)
  }
}
