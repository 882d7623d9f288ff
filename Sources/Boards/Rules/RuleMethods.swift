import Contract
import Kit
import Store
import Wire

enum ListRules: ArrivalList {
  static let name = "boards/rules"
  static let summary = "The rules for posts, in the order in which they run: that of their addition."
  static let effects: Effects = .reads

  enum Size: PartSize {
    static let usual = 50
    static let most = 200
  }

  static func show(in snapshot: Snapshot) -> (RuleRecord) throws -> Rule {
    { try Rule($0, in: snapshot) }
  }
}

enum AddRule: WriteMethod {
  static let name = "boards/addRule"
  static let summary =
    "Adds a rule for posts: those that match its query are hidden, marked as read, saved or tagged, in the commit in which "
    + "they arrive. Stored posts stay as they are until `boards/applyRules`. A hidden post is in no list and no count: "
    + "`boards/posts {hidden: true}` lists the hidden ones, and `is:hidden` finds them. The same again, with the same "
    + "`id`, returns the rule that exists."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.exists, .notAllowed, .notFound]

  typealias Params = NewItem<ShownRule>
  typealias Result = Rule

  static func run(_ params: Params, in transaction: Transaction) throws -> Rule {
    try AddItem<ShownRule>.run(
      params, in: transaction, check: { try $0.requireAction() },
      requireRoom: { try RuleRecord.requireRoom(orElse: "boards.tooManyRules", in: transaction) })
  }
}

enum UpdateRule: WriteMethod, ManyItemsMethod {
  static let name = "boards/updateRule"
  static let summary =
    "Changes the given fields of a rule. What it did with posts stays; `boards/applyRules` runs it on stored posts."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.conflict, .notFound]

  typealias Params = ItemUpdate<ShownRule>
  typealias Result = Rule

  static func run(_ params: Params, in transaction: Transaction) throws -> Rule {
    try Rule(
      params.change(in: transaction) { rule, _ in try rule.requireAction() }.after, in: transaction.snapshot)
  }
}

enum RemoveRule: RemoveItemMethod {
  typealias Item = RuleRecord
  static let name = "boards/removeRule"
  static let summary = "Removes a rule. What it did with posts stays."
}
