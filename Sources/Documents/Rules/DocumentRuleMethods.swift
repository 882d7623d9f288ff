import Contract
import Kit
import Store
import Wire

enum ListDocumentRules: ArrivalList {
  static let name = "documents/rules"
  static let summary = "The rules for documents, in the order in which they run: that of their addition."
  static let effects: Effects = .reads

  enum Size: PartSize {
    static let usual = 50
    static let most = 200
  }

  static func show(in snapshot: Snapshot) -> (DocumentRuleRecord) throws -> DocumentRule {
    { try DocumentRule($0, in: snapshot) }
  }
}

enum AddDocumentRule: WriteMethod {
  static let name = "documents/addRule"
  static let summary =
    "Adds a rule for documents: those that match its query get tags, properties or a title, once after they arrive, "
    + "when their text is extracted. Stored documents stay as they are until `documents/applyRules`. The same again, "
    + "with the same `id`, returns the rule that exists."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.exists, .notAllowed]

  typealias Params = NewItem<ShownDocumentRule>
  typealias Result = DocumentRule

  static func run(_ params: Params, in transaction: Transaction) throws -> DocumentRule {
    try AddItem<ShownDocumentRule>.run(
      params, in: transaction, check: { try $0.requireAction() },
      requireRoom: { try DocumentRuleRecord.requireRoom(orElse: "documents.tooManyRules", in: transaction) })
  }
}

enum UpdateDocumentRule: WriteMethod, ManyItemsMethod {
  static let name = "documents/updateRule"
  static let summary =
    "Changes the given fields of a rule. What it did with documents stays; `documents/applyRules` runs it on stored ones."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.conflict, .notFound]

  typealias Params = ItemUpdate<ShownDocumentRule>
  typealias Result = DocumentRule

  static func run(_ params: Params, in transaction: Transaction) throws -> DocumentRule {
    try DocumentRule(
      params.change(in: transaction) { rule, _ in try rule.requireAction() }.after, in: transaction.snapshot)
  }
}

enum RemoveDocumentRule: RemoveItemMethod {
  typealias Item = DocumentRuleRecord
  static let name = "documents/removeRule"
  static let summary = "Removes a rule. What it did with documents stays."
}
