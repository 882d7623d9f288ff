import Contract
import Exchange
import Kit
import PDF
import Store
import Wire

enum IdentifyDocument: ExternalWriteMethod {
  static let name = "documents/identify"
  static let summary =
    "Finds out what a document is: looks for DOIs, arXiv ids and ISBNs in its metadata and on its first pages, asks "
    + "doi.org and the book catalogues, and returns candidates with scores. Without any, it asks Crossref for the "
    + "title. Only with `store` it changes the document, and it replaces no bibliography."
  static let effects: Effects = [.reads, .writes, .network]
  static let canRehearse = true
  static let doing = Text("doing.identifyDocument")
  static let errors: [ErrorKind] = [
    .noFile, .notFound, .passwordRequired, .workerCrashed, .sandboxUnavailable, .timedOut, .corrupt, .badResponse,
    .httpStatus, .rateLimited, .refusedAddress, .tooLarge, .unauthorized, .unreachable,
  ]

  struct Params: Payload {
    var id: DocumentID
    var identifier: String?
    var store: Bool?
    var password: String?
    static let example = Params(id: "0192", identifier: nil, store: true, password: nil)
    static let fields = [
      "id": "The document.",
      "identifier": "A DOI, arXiv id or ISBN to look up instead of those in the document.",
      "store":
        "Stores the best candidate as the bibliography if the document has none and the score is at least 0.8, or "
        + "the `identifier` was given.",
      "password": "The password of a protected document; stored in memory only.",
    ]
    static let limits: [String: FieldLimits] = ["identifier": .length(1...1_000, notBlank: true)]
    static let secrets: Set<String> = ["password"]
  }

  enum Source: String, Choice {
    case given, metadata, page, title
  }

  struct Candidate: Payload {
    var identifier: String
    var source: Source
    var page: Int?
    var score: Double
    var bibliography: JSONObject
    static let example = Candidate(
      identifier: "10.1000/182", source: .page, page: 0, score: 0.97,
      bibliography: ["type": "article-journal", "title": "On Types"])
    static let fields = [
      "identifier": "The DOI, the arXiv id (`arXiv:…`) or the ISBN.",
      "source": "Where it was found: `given`, `metadata` of the file, `page`, or at Crossref by `title`.",
      "page": "The page, from 0.",
      "score": "How well it agrees with the document's title, authors and pages, 0 to 1.",
      "bibliography": "CSL-JSON for `documents/update`.",
    ]
  }

  struct Result: Payload {
    var id: DocumentID
    var candidates: [Candidate]
    var stored: Bool
    var citationKey: String?
    var warnings: [String]
    static let example = Result(
      id: "0192", candidates: [.example], stored: true, citationKey: "knuth1974", warnings: [])
    static let fields = [
      "id": "The document.", "candidates": "The best first.",
      "stored": "Whether the first candidate was stored as the bibliography now.",
      "citationKey": "The document's citation key, if it has one.",
      "warnings": "Services that could not be asked, for people.",
    ]
  }

  struct Plan: Sendable {
    var params: Params
    var given: WorkIdentifier?
    var document: DocumentRecord
    var pages: PageTextSupply
    var metadata: ContentsPlan
    var caller: FeatureCaller
  }

  struct Fetched: Sendable {
    var candidates: [Candidate]
    var failures: [RPCError]
  }

  /// DOIs and arXiv ids are on the first pages of a paper, the ISBN of a book a few pages later.
  private static let (paperPages, bookPages) = (3, 8)
  private static let mostLookups = 5

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let given = params.identifier.map { WorkIdentifier($0) }
    if case .some(.none) = given {
      throw RPCError.invalidParams(field: "identifier", reason: Text("documents.badIdentifier"))
    }
    let pages = try PageTextSupply.plan(params.id.text, password: params.password, in: snapshot)
    return Plan(
      params: params, given: given ?? nil, document: pages.document, pages: pages,
      metadata: try ContentsPlan(.metadata, of: params.id.text, password: params.password, in: snapshot),
      caller: snapshot.feature)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    let count = min(plan.document.pageCount, bookPages)
    let texts = try await plan.pages.texts(of: 0..<count, with: services).texts
    let metadata = try await ShowMetadata.fetch(plan.metadata, with: services, progress: progress)
    let score = CandidateScore(
      pages: texts.prefix(bookPages).map(\.text), titles: [plan.document.title, metadata.title ?? ""])
    let found = plan.given.map { [($0, CandidateScore.Source.given)] } ?? identifiers(in: texts, metadata)
    let lookup = WorkLookup(services: services, caller: plan.caller)
    var result = Fetched(candidates: [], failures: [])
    for (identifier, source) in found.prefix(mostLookups) {
      try Task.checkCancellation()
      await add(identifier, source, score, lookup, to: &result)
    }
    if plan.given == nil, !result.candidates.contains(where: { $0.score >= 0.6 }) {
      try await addByTitle(plan, metadata, score, lookup, to: &result)
    }
    try Task.checkCancellation()
    // Nothing could be asked: an empty list would say that nothing is known.
    if result.candidates.isEmpty, let failure = result.failures.first { throw failure }
    result.candidates = result.candidates.enumerated().sorted {
      ($1.element.score, $0.offset) < ($0.element.score, $1.offset)
    }.map(\.element)
    return result
  }

  private static func identifiers(
    in texts: [PageText], _ metadata: DocumentMetadata
  ) -> [(WorkIdentifier, CandidateScore.Source)] {
    let words = [metadata.xmp, metadata.subject, metadata.keywords, metadata.title].compactMap(\.self)
    var found = IdentifierScan.all(in: words.joined(separator: "\n")).map { ($0, CandidateScore.Source.metadata) }
    for text in texts {
      for identifier in IdentifierScan.all(in: text.text) where !found.contains(where: { $0.0 == identifier }) {
        if case .isbn = identifier {} else if text.page >= paperPages { continue }
        found.append((identifier, .page(text.page)))
      }
    }
    return found
  }

  private static func add(
    _ identifier: WorkIdentifier, _ source: CandidateScore.Source, _ score: CandidateScore, _ lookup: WorkLookup,
    to result: inout Fetched
  ) async {
    do {
      guard let item = try await lookup.item(of: identifier) else { return }
      let (kind, page): (Source, Int?) =
        switch source {
        case .given: (.given, nil)
        case .metadata: (.metadata, nil)
        case .page(let page): (.page, page)
        case .search: (.title, nil)
        }
      result.candidates.append(
        Candidate(
          identifier: identifier.text, source: kind, page: page, score: score.score(of: item, from: source),
          bibliography: item.json))
    } catch {
      result.failures.append(error as? RPCError ?? .internalError)
    }
  }

  /// Asks Crossref for the title of the file, or of the document, and looks up the works whose titles agree.
  private static func addByTitle(
    _ plan: Plan, _ metadata: DocumentMetadata, _ score: CandidateScore, _ lookup: WorkLookup,
    to result: inout Fetched
  ) async throws {
    let titles = [metadata.title, plan.document.title].compactMap { $0?.readable }
    // A single word is mostly a file's name.
    guard
      let title = titles.first(where: {
        $0.split(whereSeparator: \.isWhitespace).count > 1 || !$0.utf8.allSatisfy { $0 < 0x80 }
      })
    else { return }
    let author = plan.document.author ?? metadata.author ?? ""
    do {
      let works = try await lookup.works(titled: String("\(title) \(author)".prefix(300)))
      for work in works where !result.candidates.contains(where: { $0.identifier == work.doi.text }) {
        var item = CSLItem(type: "document")
        item["title"] = work.title
        guard score.titleScore(item) == 1 else { continue }
        await add(.doi(work.doi), .search, score, lookup, to: &result)
      }
    } catch let error as RPCError {
      result.failures.append(error)
    }
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in transaction: Transaction) throws -> Result {
    let snapshot = transaction.snapshot
    var document = try snapshot.get(DocumentRecord.self, id: plan.document.id)
    var isStored = false
    // The pages that the score is about must still be its pages.
    if plan.params.store == true, document.bibliography == nil, document.hash == plan.document.hash,
      let best = fetched.candidates.first, plan.given != nil || best.score >= CandidateScore.certain
    {
      document = try transaction.change(document) { try $0.take(CSLItem(best.bibliography), in: snapshot) }
      isStored = true
    }
    let services = transaction.services
    return Result(
      id: plan.params.id, candidates: fetched.candidates, stored: isStored, citationKey: document.citationKey,
      warnings: fetched.failures.map {
        services.catalogue.string(for: $0.text, language: transaction.reader.language)
      })
  }
}
