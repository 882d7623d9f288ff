import Foundation
import SQLite
import SearchEngine
import Store

/// A library of texts in memory, with the search index and nothing else.
package struct SearchLibrary {
  package let db: Database

  package init() throws {
    db = try Self.open(Database.inMemory)
    try db.write { try SearchIndex.create(in: $0) }
  }

  /// Holds `texts` as the diary entries 0, 1, 2, …
  package init(_ texts: String...) throws {
    try self.init(texts: texts)
  }

  package init(texts: [String]) throws {
    try self.init()
    try db.write { db in
      for (number, text) in texts.enumerated() {
        try SearchIndex.put(.diary(number, body: text), in: db)
      }
    }
  }

  /// A database with what the search index needs.
  package static func open(_ path: String, access: Database.Access = .writing) throws -> Database {
    try Database(path: path, access: access) { try SearchIndex.prepare($0) }
  }

  /// The numbers of the entries that a user's text finds, best first.
  package func find(_ text: String, lastIsPrefix: Bool = false) throws -> [Int] {
    let query = try MatchQuery(userText: text, lastIsPrefix: lastIsPrefix)
    return try db.read { db in
      try SearchIndex.candidates(matching: query, limit: 400, now: 0, in: db).map { Int($0.item)! }
    }
  }

  /// The diary entries of a list that is narrowed by a question, and whether these are all; nil where it asks for
  /// nothing.
  package func listed(
    _ root: MatchQuery.Node, _ part: SearchPart? = nil
  ) throws -> (items: Set<String>, isAll: Bool)? {
    try db.read { db in
      guard let rows = try MatchingRows(MatchQuery(root), in: ["diary"], part: part, db: db) else { return nil }
      var items: Set<String> = []
      try db.each("SELECT item FROM search_entry WHERE rowid IN (\(rows.sql))", rows.values) { row in
        items.insert(row.text(0))
      }
      return (items, rows.isAll)
    }
  }

  package func problems() throws -> [String] {
    try db.write { try SearchIndex.check($0) }
  }
}

extension SearchRanking {
  /// What the texts are of, best first.
  package func items(in db: Database) throws -> [String] {
    try hits.compactMap { try SearchIndex.hit(of: $0, in: db)?.item }
  }

  /// How many match, by the names of collections.
  package var namedCounts: [String: Int] {
    counts.reduce(into: [:]) { $0[$1.key.name] = $1.value }
  }
}

extension SearchEntry {
  package static func diary(_ number: Int, at: Int64 = 0, title: String = "", body: String) -> SearchEntry {
    SearchEntry(collection: "diary", item: String(number), at: at, title: title, body: body)
  }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
///
/// A test that chance is to lead is led in the same way each time, so that what has passed passes again, until
/// `COMMONPLACE_SEED` names another number, or is `random`.
package struct SeededGenerator: RandomNumberGenerator {
  package static let seed: UInt64 =
    switch ProcessInfo.processInfo.environment["COMMONPLACE_SEED"] {
    case "random": UInt64.random(in: 0...UInt64.max)
    case let number?: UInt64(number) ?? 0
    case nil: 2_026
    }

  private var state: UInt64

  package init(seed: UInt64 = Self.seed) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
