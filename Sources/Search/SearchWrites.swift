import Contract
import Kit
import Store
import Wire

enum ForgetSearches: WriteMethod {
  static let name = "search/forget"
  static let summary =
    "Deletes one past search, or all, permanently, without undo. Removing a saved search, by its id, can be undone."
  static let effects: Effects = [.writes, .destroys]
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var id: SearchID?
    var all: Bool?
    var scope: SearchScope?
    static let example = Params(id: "0192", all: nil, scope: nil)
    static let fields = [
      "id": "A past search or a saved one.", "all": "`true`: every past search.",
      "scope": "With `all`: only those with this scope.",
    ]
    static let exactlyOne = [["id", "all"]]
    static let atMostOne = [["id", "scope"]]
  }

  struct Result: Payload {
    var removed: SearchID?
    var count: Int
    static let example = Result(removed: "0192", count: 1)
    static let fields = ["removed": "The removed search.", "count": "The number of searches removed."]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    if let saved = try params.id.flatMap({ try transaction.snapshot.find(SavedSearchRecord.self, id: $0.text) }) {
      try transaction.remove(saved)
      return Result(removed: params.id, count: 1)
    }
    if let id = params.id {
      let record = try transaction.snapshot.get(SearchRecord.self, id: id.text)
      if !transaction.isDryRun { transaction.services.searchNotes.drop { record.isSame(as: $0) } }
      try SearchHistory.forget([record], in: transaction)
      return Result(removed: id, count: 1)
    }
    guard params.all == true else {
      throw RPCError.invalidParams(field: "all", reason: Text("search.allWantsTrue"))
    }
    if !transaction.isDryRun {
      transaction.services.searchNotes.drop { params.scope == nil || $0.scope == params.scope }
    }
    let records =
      try params.scope.map {
        try SearchRecord.all(in: transaction.db, "WHERE scope = ?", [.text($0.rawValue)])
      } ?? SearchRecord.all(in: transaction.db, "")
    try SearchHistory.forget(records, in: transaction)
    return Result(removed: nil, count: records.count)
  }
}

enum ConfigureSearch: WriteMethod {
  static let name = "search/configure"
  static let summary =
    "Turns the search history on or off; without `history` only returns the setting. Recorded searches stay."
  static let effects: Effects = .writes

  enum Switch: String, Choice {
    case on, off
  }

  struct Params: Payload {
    var history: Switch?
    static let example = Params(history: .off)
    static let fields = ["history": "`off`: no further searches are recorded or suggested."]
  }

  struct Result: Payload {
    var history: Switch
    static let example = Result(history: .off)
    static let fields = ["history": "The setting in effect."]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let isOn = try SearchHistory.isOn(in: transaction.db)
    guard let wanted = params.history, (wanted == .on) != isOn else { return Result(history: isOn ? .on : .off) }
    transaction.changeSetting()
    try transaction.db.run(
      wanted == .on ? "DELETE FROM searchHistoryOff" : "INSERT INTO searchHistoryOff (one) VALUES (1)")
    return Result(history: wanted)
  }
}
