import Contract
import Kit
import Store
import Wire

/// Moves the marks of one document to another, such as from an older copy to a newer one that was added beside it.
/// They keep their ids, colors, notes and times. Marks that both documents have are merged.
enum AdoptMarks: ExternalWriteMethod {
  static let name = "documents/adopt"
  static let summary =
    "Moves the highlights, bookmarks and memos of one document to another, matching them by their text. One undo step."
  static let effects: Effects = [.reads, .writes]
  static let canRehearse = true
  static let doing = Text("doing.adoptMarks")
  static let errors: [ErrorKind] = [
    .elsewhere, .noFile, .notFound, .conflict, .passwordRequired, .workerCrashed, .timedOut, .corrupt,
    .sandboxUnavailable,
  ]

  struct Params: Payload {
    var id: DocumentID
    var from: DocumentID
    static let example = Params(id: "0192", from: "0191")
    static let fields = [
      "id": "The document that receives the marks.", "from": "The document that has them. It stays, without marks.",
    ]
  }

  struct Result: Payload {
    var document: Document
    var counts: MarkCounts
    var marks: [MarkReport]
    static let example = Result(document: .example, counts: .example, marks: [.example])
    static let fields = [
      "document": "The document with the marks.", "counts": "The number of marks by outcome.",
      "marks": "The outcome for each mark: highlights, bookmarks, memos, by page.",
    ]
  }

  struct Plan: Sendable {
    var document: DocumentRecord
    var from: DocumentRecord
    var caller: FeatureCaller
  }
  typealias Fetched = Reanchoring

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    guard params.id.text != params.from.text else {
      throw RPCError.invalidParams(field: "from", reason: Text("documents.adoptItself"))
    }
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    let from = try snapshot.get(DocumentRecord.self, id: params.from.text)
    for document in [document, from] { try document.requireFile(in: snapshot) }
    return Plan(document: document, from: from, caller: snapshot.feature)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Reanchoring {
    func text(of document: DocumentRecord) async throws -> FileText {
      try await services.wholeText(
        of: document, password: services.documents.password(of: document.hash), as: plan.caller)
    }
    let old = try await text(of: plan.from)
    let new = try await text(of: plan.document)
    let from = plan.from.id
    let marks = try await services.library.read(as: plan.caller) { try DocumentMarks(of: from, in: $0) }
    progress.report(message: Text("progress.anchoring"))
    return try await onThread { checkCancelled in
      var reanchoring = try Reanchoring(from: old, to: new, checkCancelled: checkCancelled)
      try reanchoring.judge(marks, checkCancelled: checkCancelled)
      return reanchoring
    }
  }

  static func finish(_ reanchoring: Reanchoring, of plan: Plan, in transaction: Transaction) throws -> Result {
    let snapshot = transaction.snapshot
    let document = try present(plan.document, in: transaction)
    let from = try present(plan.from, in: transaction)
    let marks = try MarkPlacer(into: document, by: reanchoring, in: transaction)
      .place(DocumentMarks(of: from.id, in: snapshot))
    return Result(document: try Document(document, in: snapshot), counts: MarkCounts(marks), marks: marks)
  }

  /// The document's current row, with the bytes that it had when the marks were placed.
  private static func present(_ planned: DocumentRecord, in transaction: Transaction) throws -> DocumentRecord {
    let document = try transaction.snapshot.get(DocumentRecord.self, id: planned.id)
    if document.hash != planned.hash { try transaction.require(document, at: planned.revision) }
    return document
  }
}
