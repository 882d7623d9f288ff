import Contract
import Kit
import Store
import Wire

enum ApplyDocumentRules: LongWriteMethod {
  static let name = "documents/applyRules"
  static let summary =
    "Runs the rules, or one of them, on the stored documents, in one undo step; titles stay. With `dryRun`, only "
    + "reports which documents match. Works offline."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var id: DocumentRuleID?
    var dryRun: Bool?
    static let example = Params(id: "0195", dryRun: true)
    static let fields = ["id": "The rule. Default: all, in their order.", "dryRun": "`true`: nothing is changed."]
  }

  /// A document that a rule would change, or has changed.
  struct Sample: Payload {
    var id: DocumentID
    var title: String
    static let example = Sample(id: "0192", title: "The R language")
    static let fields = ["id": "The document.", "title": "Its title."]
  }

  struct Applied: Payload {
    var rule: DocumentRuleID
    var title: String
    var matched: Int
    var changed: Int
    var samples: [Sample]
    static let example = Applied(rule: "0195", title: "Invoices", matched: 12, changed: 3, samples: [.example])
    static let fields = [
      "rule": "The rule.", "title": "Its title, or its query.", "matched": "The number of documents that match it.",
      "changed": "The number of those that it changes: others have its tags and properties already.",
      "samples": "The first documents that it changes, at most 20.",
    ]
  }

  struct Result: Payload {
    var documents: Int
    var count: Int
    var rules: [Applied]
    static let example = Result(documents: 137, count: 3, rules: [.example])
    static let fields = [
      "documents": "The number of stored documents.", "count": "The number of documents that the rules change.",
      "rules": "The rules, in the order in which they run, without those that match no document.",
    ]
  }

  /// The end of the last slice.
  struct Position: Sendable {
    var document = ""
    var documents = 0
    var changed = 0
    var rules: [Applied] = []
    /// Parsed by the first slice.
    var queries: QueryRules<DocumentRuleRecord>?
  }

  fileprivate static let mostSamples = 20

  static func run(
    _ params: Params, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, Result> {
    var position = position ?? Position()
    let snapshot = transaction.snapshot
    if position.documents == 0, let id = params.id { _ = try snapshot.get(DocumentRuleRecord.self, id: id.text) }
    let rules =
      try position.queries.map { DocumentRules($0, in: transaction) }
      ?? DocumentRules(only: params.id?.text, in: transaction)
    position.queries = rules.rules
    // One document in each slice, however long that takes: otherwise it would never end.
    repeat {
      guard
        let document = try DocumentRecord.first(
          in: snapshot.db, "WHERE id > ? ORDER BY id LIMIT 1", [.text(position.document)])
      else { return .done(try result(of: position, in: snapshot)) }
      position.count(try rules.run(on: document, isDryRun: params.dryRun == true).matches, of: document)
      position.documents += 1
      position.document = document.id
    } while transaction.hasRoom
    return .more(position)
  }

  private static func result(of position: Position, in snapshot: Snapshot) throws -> Result {
    let order = try DocumentRuleRecord.all(in: snapshot).map(\.id)
    let applied = position.rules.sorted { left, right in
      (order.firstIndex(of: left.rule.text) ?? 0) < (order.firstIndex(of: right.rule.text) ?? 0)
    }
    return Result(documents: position.documents, count: position.changed, rules: applied)
  }
}

extension ApplyDocumentRules.Position {
  fileprivate mutating func count(_ matches: [DocumentRules.Match], of document: DocumentRecord) {
    if matches.contains(where: { !$0.actions.isEmpty }) { changed += 1 }
    for match in matches {
      let id = DocumentRuleID(unchecked: match.rule.id)
      let index =
        rules.firstIndex { $0.rule == id }
        ?? {
          rules.append(.init(rule: id, title: match.rule.shownTitle, matched: 0, changed: 0, samples: []))
          return rules.count - 1
        }()
      rules[index].matched += 1
      if match.actions.isEmpty { continue }
      rules[index].changed += 1
      guard rules[index].samples.count < ApplyDocumentRules.mostSamples else { continue }
      rules[index].samples.append(.init(id: DocumentID(unchecked: document.id), title: document.title))
    }
  }
}
