import Contract
import Kit
import PDF
import Store
import Wire

enum ImportMarks: ExternalLongWriteMethod {
  static let name = "documents/importMarks"
  static let summary =
    "Imports the annotations in the document's file, of every type that PDF viewers make. Repeated, it adds only new "
    + "ones."
  static let effects: Effects = [.reads, .writes]
  static let canRehearse = true
  static let doing = Text("doing.importMarks")
  static let errors: [ErrorKind] = [
    .elsewhere, .noFile, .notFound, .passwordRequired, .notAllowed, .workerCrashed, .sandboxUnavailable, .timedOut,
    .corrupt,
    .tooLarge,
  ]
  typealias Params = WholeDocumentParams

  struct Left: Payload {
    var kind: String
    var count: Int
    static let example = Left(kind: "link", count: 3)
    static let fields = [
      "kind": "`link`, `widget`, `popup` and the like, which no user made; or `hidden`.",
      "count": "The number of annotations.",
    ]
  }

  struct Difference: Payload {
    var collection: String
    var id: ItemID
    var page: Int
    var contents: String
    static let example = Difference(collection: "highlights", id: "0193", page: 2, contents: "Compare chapter 4.")
    static let fields = [
      "collection": "`highlights` or `memos`.", "id": "The item, which does not change.", "page": "Its page, from 0.",
      "contents": "The contents in the file.",
    ]
  }

  struct Result: Payload {
    var added: Int
    var memos: Int
    var known: Int
    var left: [Left]
    var differing: [Difference]
    static let example = Result(added: 4, memos: 1, known: 2, left: [.example], differing: [.example])
    static let fields = [
      "added": "The number of new highlights, underlines, notes and so on; `documents/highlights` lists them.",
      "memos": "The number of new memos, from notes that this or another library had put into the file.",
      "known": "The number that already existed.", "left": "The annotations skipped, by kind.",
      "differing": "Existing items whose annotation in the file differs; the first 1,000.",
    ]
  }

  struct Plan: Sendable {
    var document: DocumentRecord
    var password: Password
    var caller: any Caller
  }

  typealias Fetched = FileMarks
  typealias Position = MarkIntake.Counts

  static func prepare(_ params: WholeDocumentParams, in snapshot: Snapshot) throws -> Plan {
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    try document.requireFile(in: snapshot)
    guard document.keepsText else {
      throw RPCError(.notAllowed, text: Text("documents.importProtected", ["source": document.title]))
    }
    return Plan(
      document: document, password: snapshot.password(for: document, given: params.password), caller: snapshot.caller)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> FileMarks {
    let document = plan.document
    let (source, password) = try await services.source(of: document, opening: plan.password)
    let marks: FileMarks
    do {
      marks = try await FileMarks.read(
        source, pages: Array(0..<document.pageCount), with: services, progress: progress)
    } catch let failure as WorkerFailure {
      throw RPCError(failure, source: document.title)
    }
    services.unlock(document, with: password)
    // The text under a mark is the library's, which may not have been extracted for these pages yet.
    let pages = Set(marks.marks.filter(\.kind.isOnText).map(\.page)).sorted()
    let missing = try await services.library.read(as: plan.caller) { snapshot in
      try pages.filter { try snapshot.text(of: $0, in: document) == nil }
    }
    for page in missing {
      try Task.checkCancellation()
      do {
        _ = try await PageTextSource(document: document, page: page, stored: nil, password: password)
          .fetch(with: services)
      } catch let error as RPCError where error.kind != nil {
        services.log("marks of page \(page) of \(document.hash.prefix(8)) are imported without their text: \(error)")
      }
    }
    return marks
  }

  static func finish(
    _ marks: FileMarks, of plan: Plan, from position: MarkIntake.Counts?, in transaction: Transaction
  ) throws -> Sliced<MarkIntake.Counts, Result> {
    // It may have been removed, or may have got other bytes, while the worker read.
    let document = try transaction.snapshot.get(DocumentRecord.self, id: plan.document.id)
    guard document.hash == plan.document.hash else {
      throw RPCError(.conflict, data: ["collection": .string(DocumentRecord.collectionName), "current": .null])
    }
    var intake = MarkIntake(of: document, in: transaction, position ?? .init())
    while intake.counts.index < marks.marks.count {
      guard transaction.hasRoom else { return .more(intake.counts) }
      try intake.take(marks.marks[intake.counts.index])
    }
    let counts = intake.counts
    return .done(
      Result(
        added: counts.added, memos: counts.memos, known: counts.known,
        left: marks.others.sorted { $0.key < $1.key }.map { Left(kind: $0.key, count: $0.value) },
        differing: counts.differing))
  }
}
