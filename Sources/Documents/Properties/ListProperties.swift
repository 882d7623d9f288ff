import Contract
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// The names of properties, or the values of one of them.
enum ListProperties: ReadMethod {
  static let name = "documents/properties"
  static let summary =
    "The names of the properties that documents have, or the values of one of them, with the number of documents; most "
    + "frequent first. `documents/update` sets properties."
  static let effects: Effects = .reads

  struct Params: Payload {
    var name: String?
    var limit: Int?
    static let example = Params(name: "correspondent", limit: nil)
    static let fields = [
      "name": "The property whose values are listed, ignoring case, width and composition. Default: the names of all.",
      "limit": "Maximum number. Default 100.",
    ]
    static let limits: [String: FieldLimits] = [
      "name": .length(1...DocumentProperties.longestName, notBlank: true), "limit": .range(1...1_000),
    ]
  }

  struct Item: Payload {
    var text: String
    var count: Int
    static let example = Item(text: "ACME", count: 12)
    static let fields = [
      "text": "The name, or the value, as one of the documents has it.", "count": "The number of documents.",
    ]
  }

  struct Result: Payload {
    var items: [Item]
    var total: Int
    static let example = Result(items: [.example], total: 1)
    static let fields = ["items": "The names, or the values.", "total": "The number of all."]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let name = params.name.map { foldedText($0) }
    let (shown, by) = name == nil ? ("label", "name") : ("text", "value")
    let condition = name == nil ? "" : "WHERE name = ?"
    let values = name.map { [SQLValue.text($0)] } ?? []
    var items: [Item] = []
    try snapshot.db.each(
      """
      SELECT min(\(shown)), count(DISTINCT document) FROM documentProperty \(condition)
      GROUP BY \(by) ORDER BY 2 DESC, \(by) LIMIT ?
      """, values + [.integer(params.limit ?? 100)]
    ) { items.append(Item(text: $0.text(0), count: $0.int(1))) }
    let total = try snapshot.db.first("SELECT count(DISTINCT \(by)) FROM documentProperty \(condition)", values) {
      $0.int(0)
    }
    return Result(items: items, total: total ?? 0)
  }
}
