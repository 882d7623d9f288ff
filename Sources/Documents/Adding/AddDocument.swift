import Contract
import HTTP
import Kit
import PDF
import Store
import Wire

/// Adds a document. Its row is written only when its bytes are complete, checked and stored. Until then there is a
/// job with progress. A failure leaves at most a download that can be resumed.
enum AddDocument: ExternalWriteMethod {
  static let name = "documents/add"
  static let summary = "Adds a PDF from a URL, a path or as bytes. If the bytes already exist, returns that document."
  static let effects: Effects = [.reads, .writes, .files, .network]
  static let doing = Text("doing.addDocument")
  static let errors: [ErrorKind] = [
    .invalidURL, .notPDF, .corrupt, .passwordRequired, .unreachable, .httpStatus, .rateLimited, .refusedAddress,
    .tooLarge,
    .timedOut, .workerCrashed, .sandboxUnavailable, .diskFull, .notAllowed, .notFound, .exists, .badResponse, .busy,
    .readOnly,
    .unauthorized,
  ]

  struct Params: Payload {
    var url: String?
    var path: String?
    var data: String?
    var link: Bool?
    var title: String?
    var author: String?
    var tags: [String]?
    var password: String?
    var credential: String?
    var index: Bool?
    var detach: Bool?
    var id: DocumentID?

    static let example = Params(
      url: "https://example.org/R-lang.pdf", path: nil, data: nil, link: nil, title: "The R language", author: nil,
      tags: ["statistics"], password: nil, credential: nil, index: nil, detach: nil, id: nil)
    static let fields = [
      "url":
        "An http, https or file URL. A PDF is recognised by its bytes, not by the URL's extension. A token in the URL "
        + "is sent, but stored and shown as `{credential}`.",
      "path": "The absolute path of a regular file, which is copied unless `link` is true.",
      "data": "The file itself in base64, at most 12 MiB.",
      "link":
        "Whether the bytes stay in the file at `path`, or at the file URL, instead of being copied. The file is only "
        + "read, and recognised by its hash: moved within its folder it is found again, changed it is `changed` until "
        + "`documents/refresh`. It must be no symbolic link. Added again, it is linked to its present place; added "
        + "without `link`, it is copied.",
      "title":
        "Its title. Default: the file's own, else its name. An existing document keeps its title, author and tags.",
      "author": "The author. Default: from the file.",
      "tags": "Its tags. Surrounding white space and duplicates are removed.",
      "password": "The document's password; stored in memory only.",
      "credential":
        "Instead of `password`, the name of a credential of config.toml for the URL's origin, or for "
        + "`http://localhost`. The library stores the name.",
      "index":
        "For a protected file: whether its text is also stored on disk, unencrypted, so that it can be searched.",
      "detach": "Whether to continue if this client disconnects.",
      "id": "An id chosen by the client, so that a request without a reply can be repeated.",
    ]
    static let exactlyOne = [["url", "path", "data"]]
    static let atMostOne = [["password", "credential"]]
    static let limits = DocumentRecord.fields.limits("url", "title", "author", "tags", "credential")
      .merging(["path": .form(.absolutePath), "data": .length(1...(16 << 20))]) { $1 }
    static let secrets: Set<String> = ["password"]
  }

  typealias Result = Document

  struct Plan: Sendable {
    var source: GivenSource
    var title: String?
    var author: String?
    var tags: [String] = []
    var password: String?
    var credential: String?
    var keepsText: Bool
    var detach: Bool
    var id: String
    /// Identifies this request's work; it is not stored.
    var job: String
    var caller: FeatureCaller
    /// The document that an earlier attempt of a retried request already added.
    var known: String?
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    var source: GivenSource
    if let url = params.url {
      switch try DocumentURL(checking: url) {
      case .web(let url): source = .web(url)
      case .file(let path): source = .file(path: path, url: url.trimmingBlanks())
      }
    } else if let path = params.path {
      source = GivenSource(path: path, with: snapshot.services)
    } else {
      source = .bytes(params.data ?? "")
    }
    if params.link == true { source = try source.leftInPlace() }
    let known = try params.id.flatMap { try snapshot.find(DocumentRecord.self, id: $0.text) }
    return Plan(
      source: source, title: params.title, author: params.author, tags: try TagList.normalized(params.tags ?? []),
      password: params.password, credential: params.credential,
      keepsText: params.index ?? false,
      detach: params.detach ?? false, id: params.id?.text ?? snapshot.services.newID(),
      job: snapshot.services.newID(), caller: snapshot.feature, known: known?.id)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Incoming? {
    if plan.known != nil { return nil }
    var plan = plan
    if let credential = plan.credential {
      let origins = plan.source.origin.map { [$0] } ?? []
      plan.password = try await DocumentCredential.password(named: credential, origins: origins, with: services)
    }
    return try await Arrival(plan: plan, services: services).incoming(progress)
  }

  static func finish(_ incoming: Incoming?, of plan: Plan, in transaction: Transaction) throws -> Document {
    let snapshot = transaction.snapshot
    guard let incoming else {
      let record = try snapshot.get(DocumentRecord.self, id: plan.known ?? plan.id)
      return try Document(existing(record, of: plan, in: snapshot))
    }
    if let password = incoming.password { transaction.services.documents.unlock(incoming.blob.hash, with: password) }
    if var record = try incoming.attach(from: plan.source, in: transaction) {
      if let credential = plan.credential, record.isProtected {
        record = try transaction.change(record) { $0.credential = credential }
      }
      if plan.keepsText { record = try record.beginningToKeepText(in: transaction) }
      var document = try shown(record, from: incoming, in: snapshot)
      document.attached = true
      return try Document(document)
    }
    if let record = try DocumentRecord.holding(incoming.blob.hash, in: snapshot) {
      var known = try record.addingOrigin(of: plan.source, in: transaction)
      if let credential = plan.credential, known.isProtected {
        known = try transaction.change(known) { $0.credential = credential }
      }
      if plan.keepsText { known = try known.beginningToKeepText(in: transaction) }
      if sameBytes(known.hash, incoming.blob.hash) {
        if try known.lacksPages(in: snapshot) {
          try incoming.arrive(in: transaction)
        } else {
          try incoming.moveBytes(of: known, in: transaction)
        }
      }
      return try Document(existing(known, of: plan, from: incoming, in: snapshot))
    }
    guard try snapshot.find(DocumentRecord.self, id: plan.id) == nil else {
      throw RPCError(.exists, text: Text("documents.idTaken", ["id": plan.id]))
    }
    return try Document(shown(incoming.write(as: plan, in: transaction), from: incoming, in: snapshot))
  }

  private static func shown(
    _ record: DocumentRecord, from incoming: Incoming?, in snapshot: Snapshot
  ) throws -> ShownDocument {
    var document = try ShownDocument(record, in: snapshot)
    guard let incoming else { return document }
    document.similar = try record.alike(in: snapshot)
    document.repaired = incoming.isRepaired ? true : nil
    return document
  }

  /// The document keeps its title, which the user may have changed since. The reply states so.
  private static func existing(
    _ record: DocumentRecord, of plan: Plan, from incoming: Incoming? = nil, in snapshot: Snapshot
  ) throws -> ShownDocument {
    var document = try shown(record, from: incoming, in: snapshot)
    document.existing = true
    if let title = plan.title, !sameBytes(title, record.title) {
      document.keptTitle = snapshot.words(Text("documents.titleKept", ["title": title]))
    }
    return document
  }
}

extension DocumentRecord {
  /// The document that has these bytes, or once had them.
  static func holding(_ hash: String, except id: String? = nil, in snapshot: Snapshot) throws -> DocumentRecord? {
    try first(
      in: snapshot.db,
      """
      WHERE (hash = ?1 OR id IN (SELECT document FROM documentBytes WHERE hash = ?1)) AND id IS NOT ?2
      ORDER BY hash <> ?1, id LIMIT 1
      """, [.text(hash), .text(id)])
  }

  /// Other documents whose files carry the same permanent /ID: versions of one file, re-saved.
  func similar(in snapshot: Snapshot) throws -> [DocumentID]? {
    let ids = try snapshot.db.texts(
      """
      SELECT d.id FROM pdf p JOIN pdf q ON q.permanentID = p.permanentID AND q.hash <> p.hash
      JOIN document d ON d.hash = q.hash WHERE p.hash = ? AND d.id <> ? ORDER BY d.id LIMIT 20
      """, [.text(hash), .text(id)])
    return ids.isEmpty ? nil : ids.map(DocumentID.init(unchecked:))
  }

  /// The same, and documents that share nine tenths of their pages' text, whatever their files' /ID.
  fileprivate func alike(in snapshot: Snapshot) throws -> [DocumentID]? {
    let versions = try similar(in: snapshot) ?? []
    let copies = try PagePrints.documents(like: hash, except: id, in: snapshot).map(DocumentID.init(unchecked:))
    let all = versions + copies.filter { copy in !versions.contains { $0.text == copy.text } }
    return all.isEmpty ? nil : all
  }

  /// The user now allows the document's text to be stored on disk, which was not allowed when the document was added.
  fileprivate func beginningToKeepText(in transaction: Transaction) throws -> DocumentRecord {
    guard !keepsText else { return self }
    // Revoking the permission would not delete the text.
    transaction.isUndoable = false
    let services = transaction.services
    transaction.afterCommit { [hash] in services.indexer.index(hash, with: services) }
    return try transaction.change(self) { $0.keepsText = true }
  }

  func addingOrigin(of source: GivenSource, in transaction: Transaction) throws -> DocumentRecord {
    var record = self
    // A user who adds the document by this URL, or by another path where there is no URL, has typed its origin.
    if !isTyped, source.isTyped, let place = source.url ?? (url == nil ? source.origin : nil),
      url.map({ sameBytes($0, place) }) ?? true
    {
      record = try transaction.change(record) { $0.isTyped = true }
        .forgettingPaths(except: place, in: transaction)
    }
    var known = JSONList.strings(record.origins)
    guard let origin = source.origin, !known.contains(where: { sameBytes($0, origin) }), known.count < 100 else {
      return record
    }
    known.append(origin)
    record.origins = JSONList.json(known)
    try transaction.db.run(
      "UPDATE document SET origins = ? WHERE id = ?", [.text(record.origins), .text(id)])
    transaction.touch(collection: Self.collectionName, id: id, revision: record.revision, fields: ["origins"])
    return record
  }
}

extension DocumentRecord {
  /// Forgets the paths from an archive when a person confirms a document's origin: a refresh would read the last one.
  ///
  /// - Parameter origin: the confirmed one.
  /// - Throws: `DatabaseError`.
  func forgettingPaths(except origin: String? = nil, in transaction: Transaction) throws -> DocumentRecord {
    let known = JSONList.strings(origins)
    let typed = known.filter { path in !path.hasPrefix("/") || origin.map { sameBytes($0, path) } ?? false }
    if typed.count == known.count { return self }
    var record = self
    record.origins = JSONList.json(typed)
    try transaction.db.run(
      "UPDATE document SET origins = ? WHERE id = ?", [.text(record.origins), .text(id)])
    transaction.touch(collection: Self.collectionName, id: id, revision: revision, fields: ["origins"])
    return record
  }
}
