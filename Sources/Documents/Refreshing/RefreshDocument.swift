import Contract
import HTTP
import Kit
import Store
import Wire

/// Fetches a document again. If its bytes have changed, they replace the old ones, and every mark is placed in them,
/// in one undo step.
///
///     fetch    the bytes, conditionally ─► inspected ─► all text extracted ─► marks placed
///     finish   document, pages, text, marks: one commit, or nothing
///
/// The whole text is extracted first, so that no mark is placed while pages are unread.
enum RefreshDocument: ExternalWriteMethod {
  static let name = "documents/refresh"
  static let summary =
    "Fetches a document again, or takes given bytes, and places its marks in them. A document without a file gets one so. "
    + "One undo step restores the old bytes."
  static let effects: Effects = [.reads, .writes, .files, .network]
  static let doing = Text("doing.refreshDocument")
  static let errors: [ErrorKind] = AddDocument.errors + [.conflict, .elsewhere, .noFile]

  struct Params: Payload {
    var id: DocumentID
    var url: String?
    var path: String?
    var data: String?
    var password: String?
    var ifRevision: Int64?

    static let example = Params(id: "0192", url: nil, path: nil, data: nil, password: nil, ifRevision: nil)
    static let fields = [
      "id": "The document.",
      "url":
        "A URL to fetch this once, such as its own with the token, which is not stored. `documents/update` changes it "
        + "permanently.",
      "path":
        "The absolute path of the new file, to which a linked document is linked then. Default: the file that it is "
        + "linked to, else the document's origin, its URL first.",
      "data": "The new file itself in base64, at most 12 MiB.",
      "password": "The document's password; stored in memory only.",
      "ifRevision": "Fails with `conflict` if the document has another revision.",
    ]
    static let atMostOne = [["url", "path", "data"]]
    static let limits: [String: FieldLimits] = [
      "url": .length(1...8_192, notBlank: true), "path": .form(.absolutePath), "data": .length(1...(16 << 20)),
    ]
    static let secrets: Set<String> = ["password"]
  }

  struct Result: Payload {
    var document: Document
    var refreshed: Bool
    var counts: MarkCounts
    var marks: [MarkReport]
    static let example = Result(document: .example, refreshed: true, counts: .example, marks: [.example])
    static let fields = [
      "document": "The document now.",
      "refreshed": "Whether its bytes changed. If not, nothing was changed.",
      "counts": "The number of marks by outcome.",
      "marks": "The outcome for each mark: highlights, bookmarks, memos, by page.",
    ]
  }

  struct Plan: Sendable {
    var document: DocumentRecord
    var source: GivenSource
    var bytes: KnownBytes
    var password: String?
    /// The password of the present bytes.
    var oldPassword: String?
    var ifRevision: Int64?
    /// Identifies this request's work; it is not stored.
    var job: String
    var caller: FeatureCaller
  }

  enum Fetched: Sendable {
    case unchanged
    case changed(Incoming, Reanchoring)
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    if document.hasFile { try document.requireFile(in: snapshot) }
    let known = snapshot.services.documents.password(of: document.hash)
    return Plan(
      document: document, source: try source(params, of: document, in: snapshot),
      bytes: KnownBytes(
        hash: document.hash,
        validators: try DocumentBytes.validators(of: document.hash, document: document.id, in: snapshot)),
      password: params.password ?? known, oldPassword: known, ifRevision: params.ifRevision,
      job: snapshot.services.newID(), caller: snapshot.feature)
  }

  private static func source(
    _ params: Params, of document: DocumentRecord, in snapshot: Snapshot
  ) throws -> GivenSource {
    let link = try LinkedFile.find(document.hash, in: snapshot.db)
    if let path = params.path {
      let source = GivenSource(path: path, with: snapshot.services)
      guard link != nil, case .file = source else { return source }
      return .linked(path: path, url: nil)
    }
    if let data = params.data { return .bytes(data) }
    if let url = params.url {
      switch try DocumentURL(checking: url) {
      case .web(let url): return .web(url)
      case .file(let path): return .file(path: path, url: url)
      }
    }
    if let link { return .linked(path: link.path, url: nil) }
    if let url = document.url {
      guard !SecretPlace.isIn(url) else {
        throw RPCError(.unauthorized, text: Text("documents.secretNotStored", ["url": url]))
      }
      switch try DocumentURL(checking: url) {
      case .web(let url): return document.isTyped ? .web(url) : .unconfirmed(url)
      case .file(let path):
        guard document.isTyped else {
          throw RPCError(.notAllowed, text: Text("documents.unconfirmedFile", ["url": url]))
        }
        return .file(path: path, url: url)
      }
    }
    guard document.isTyped, let path = JSONList.strings(document.origins).last(where: { $0.hasPrefix("/") }) else {
      try document.requireAnyFile()
      throw RPCError.invalidParams(field: "path", reason: Text("documents.noSource", ["title": document.title]))
    }
    return .file(path: path, url: nil)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    try await services.refreshes.value(for: plan.key, progress: progress) { progress in
      try await Refreshing(plan: plan, services: services).fetched(progress)
    }
  }
}

extension RefreshDocument.Plan {
  /// Two requests for the same URL share one fetch. A file's contents may change between them.
  fileprivate var key: String {
    guard let url = source.address else { return job }
    return "\(document.id)\u{0}\(document.hash)\u{0}\(url)\u{0}\(password ?? "")"
  }
}

extension Services {
  fileprivate var refreshes: SharedWork<RefreshDocument.Fetched> {
    memory.object(SharedWork<RefreshDocument.Fetched>.self) { SharedWork() }
  }
}
