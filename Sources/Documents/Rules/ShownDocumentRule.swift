import Contract
import Kit
import Store
import Wire

/// A rule for documents in replies.
typealias DocumentRule = ItemJSON<ShownDocumentRule>

/// A rule for documents as one client sees it.
struct ShownDocumentRule: SnapshotItem {
  static let name = "DocumentRule"

  let item: DocumentRuleRecord
  private let snapshot: Snapshot

  init(_ rule: DocumentRuleRecord, in snapshot: Snapshot) throws {
    (item, self.snapshot) = (rule, snapshot)
  }

  static let derived: [DerivedMember<Self>] = [
    DerivedMember(
      "failure", "Why it does nothing: its query is invalid now. Absent otherwise.", example: nil
    ) { try $0.failure },
    DerivedMember("display", of: "DocumentRule.Display", "Strings for people.") {
      DerivedMember("title", "The title, or the query.", example: "Invoices") { $0.item.shownTitle }
      DerivedMember("actions", "What it does with a document that matches.", example: "tag invoices") {
        try $0.actions
      }
    },
  ]

  private var failure: String? {
    get throws {
      do {
        _ = try DocumentRuleRecord.query(item.text, in: snapshot)
        return nil
      } catch let error as RPCError {
        return snapshot.words(error.text)
      }
    }
  }

  private var actions: String {
    get throws {
      var actions: [Text] = []
      if !item.tags.isEmpty {
        actions.append(Text("documents.ruleAction.tag", ["tags": item.tags.joined(separator: ", ")]))
      }
      for (name, value) in try DocumentProperties.read(item.properties).sorted(by: { $0.key < $1.key }) {
        actions.append(Text("documents.ruleAction.set", ["name": name, "value": value]))
      }
      if let title = item.retitle { actions.append(Text("documents.ruleAction.title", ["title": title])) }
      return actions.map { snapshot.words($0) }.joined(separator: ", ")
    }
  }

  static let example: DocumentRuleRecord = {
    var rule = DocumentRuleRecord()
    (rule.id, rule.revision) = ("0195", 44)
    rule.createdAt = Instant(milliseconds: 1_795_225_445_678)
    rule.updatedAt = rule.createdAt
    (rule.title, rule.text, rule.tags) = ("Invoices", "invoice OR Rechnung", ["invoices"])
    rule.properties = #"{"correspondent":"ACME"}"#
    return rule
  }()
}
