import Contract
import Kit
import Store
import Wire

/// The reading goal of a year; its id is the year.
struct ReadingGoalRecord: StoredItem {
  static let collectionName = "readingGoals"
  static let tableName = "readingGoal"

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var books: Int?
  var pages: Int?

  static let fields = Fields<Self> {
    Field("books", \.books, .integer(1...100_000), "The number of books to read in the year.")
    Field("pages", \.pages, .integer(1...100_000_000), "The number of pages to read in the year.")
  }
}

/// A reading goal in replies.
typealias ReadingGoal = ItemJSON<ShownReadingGoal>

struct ShownReadingGoal: SnapshotItem {
  static let name = "ReadingGoal"
  static let headNotes = ["id": "The year, such as `2026`."]

  let item: ReadingGoalRecord

  init(_ goal: ReadingGoalRecord, in snapshot: Snapshot) throws { item = goal }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember("title", "The year, as a title.", example: "2026") { $0.item.id },
    DerivedMember("year", "The year.", example: 2026) { Int($0.item.id) ?? 0 },
  ]

  static let example: ReadingGoalRecord = {
    var goal = ReadingGoalRecord()
    (goal.id, goal.revision) = ("2026", 46)
    goal.createdAt = Instant(milliseconds: 1_795_225_445_678)
    (goal.updatedAt, goal.books) = (goal.createdAt, 30)
    return goal
  }()
}

enum SetGoal: WriteMethod {
  static let name = "books/setGoal"
  static let summary =
    "Sets how many books, how many pages or both are to be read in a year. Without any of them the year has no goal, "
    + "and the reply none. `books/statistics` tells how far it is reached."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.conflict]

  struct Params: Payload {
    var year: Int?
    var books: Int?
    var pages: Int?
    var ifRevision: Int64?
    static let example = Params(year: 2026, books: 30, pages: nil, ifRevision: nil)
    static let fields = [
      "year": "The year. Default: this year.", "books": "The number of books. Absent or null: no goal for books.",
      "pages": "The number of pages. Absent or null: no goal for pages.",
      "ifRevision": "Fails with `conflict` if the goal has another revision.",
    ]
    static let limits: [String: FieldLimits] = ReadingGoalRecord.fields.limits("books", "pages").merging([
      "year": .range(1...9_999)
    ]) { own, _ in own }
  }

  struct Result: Payload {
    var goal: ReadingGoal?
    static let example = Result(goal: .example)
    static let fields = ["goal": "The goal; absent if the year has none."]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let snapshot = transaction.snapshot
    let id = String(params.year ?? snapshot.services.today(for: snapshot.reader).year)
    let known = try snapshot.find(ReadingGoalRecord.self, id: id)
    if let known { try transaction.require(known, at: params.ifRevision) }
    if params.books == nil, params.pages == nil {
      if let known { try transaction.remove(known) }
      return Result(goal: nil)
    }
    func set(_ goal: inout ReadingGoalRecord) { (goal.books, goal.pages) = (params.books, params.pages) }
    if let known { return Result(goal: try ReadingGoal(transaction.change(known, set), in: snapshot)) }
    var goal = ReadingGoalRecord()
    goal.id = id
    set(&goal)
    return Result(goal: try ReadingGoal(transaction.insert(goal), in: snapshot))
  }
}
