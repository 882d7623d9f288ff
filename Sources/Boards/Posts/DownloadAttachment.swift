import Contract
import Display
import Exchange
import FoundationEssentials
import HTTP
import Kit
import Store
import Wire

/// Downloads an attachment of a post, such as the recording of a podcast.
enum DownloadAttachment: ExternalWriteMethod {
  static let name = "boards/download"
  static let summary =
    "Downloads an attachment of a post into the files of the library. An interrupted download is resumed by the next "
    + "call. The largest size is set by `boards.download` of `config.toml`."
  static let effects: Effects = [.writes, .network]
  static let doing = Text("doing.downloadAttachment")
  static let errors: [ErrorKind] = BoardErrors.fetching + [.busy, .diskFull, .notAllowed, .notFound]

  struct Params: Payload {
    var id: PostID
    var url: String?
    static let example = Params(id: "0193", url: nil)
    static let fields = [
      "id": "The post.",
      "url": "The URL of the attachment. Default: the first audio or video, else the first attachment.",
    ]
    static let limits: [String: FieldLimits] = ["url": .length(1...8_000)]
  }
  typealias Result = Post

  struct Plan: Sendable {
    var params: Params
    var url: String
    /// A name for the file.
    var title: String
    /// Whether the URL is on the host of a source whose URL a person typed.
    var isAtHome: Bool
    /// Whether the file is here.
    var isHere = false
    /// Its hash, if only another device has it.
    var elsewhere: String?
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let post = try snapshot.get(PostSummary.self, id: params.id.text)
    let attachments = try post.head.attachments.value()
    let attachment: PostAttachment?
    if let url = params.url {
      attachment = attachments.first { $0.url.map { sameBytes($0, url) } ?? false }
      if attachment == nil { throw RPCError.invalidParams(field: "url", reason: Text("boards.otherAttachment")) }
    } else {
      attachment = attachments.first(where: \.isRecording) ?? attachments.first { $0.url != nil }
    }
    guard let attachment, let url = attachment.url else {
      throw RPCError(.notAllowed, text: Text("boards.noAttachment"))
    }
    // That of another device may have taken the place of the first one.
    var source: SourceRecord?
    for placement in try post.head.placements.value() where source == nil {
      source = try snapshot.find(SourceRecord.self, id: placement.source)
    }
    var plan = Plan(
      params: params, url: url, title: attachment.title ?? fileName(of: url, post.head.title),
      isAtHome: source.map { $0.isTyped && Origin($0.address.url) == Origin(url) } ?? false)
    let known = try snapshot.find(PostMarkRecord.self, id: post.id)?.files.value() ?? []
    for download in known where sameBytes(download.url, url) {
      guard let file = try snapshot.find(FileRecord.self, id: download.file) else { continue }
      let isElsewhere = try BlobsElsewhere.contains(file.hash, in: snapshot.db)
      if isElsewhere { plan.elsewhere = file.hash } else { plan.isHere = true }
    }
    return plan
  }

  /// The last part of a URL's path; the post's title if that is empty.
  private static func fileName(of url: String, _ title: String) -> String {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    let last = path.split(separator: "/").last.map(String.init) ?? ""
    return PercentEncoding.decoded(last).flatMap { $0.isEmpty ? nil : $0 } ?? title
  }

  /// Nil if the file is here.
  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> StoredBytes? {
    if plan.isHere { return nil }
    do {
      return try await download(plan, with: services, progress: progress)
    } catch let error as RPCError {
      // It may be gone at its source: then the other device's is fetched.
      if let hash = plan.elsewhere { services.fileRequests.request(hash) }
      throw error
    }
  }

  private static func download(
    _ plan: Plan, with services: Services, progress: Progress
  ) async throws -> StoredBytes? {
    let part = services.partFile(of: "attachment\u{0}\(plan.url)")
    var request = DownloadRequest(url: plan.url, part: part, limit: services.settings().boards.attachmentLimit) {
      head, isWhole in
      if isPage(head) { return .refused("a web page") }
      return head.count >= 1_024 || isWhole ? .accepted : .undecided
    }
    request.isNamedByContent = !plan.isAtHome
    let download: Download?
    do throws(HTTPFailure) {
      download = try await services.http.downloadIfChanged(request) { progress.report($0) }
    } catch {
      if case .cancelled = error { throw CancellationError() }
      if case .refusedContent = error {
        throw RPCError(.badResponse, text: Text("boards.attachmentIsPage", ["url": WebURL.masked(plan.url)]))
      }
      throw RPCError(error)
    }
    guard let download else { return nil }
    FileWrites.note()
    return try await stored(download, part: part, named: plan.title, with: services)
  }

  private static func stored(
    _ download: Download, part: String, named name: String, with services: Services
  ) async throws -> StoredBytes {
    let (path, place) = (download.file, StoredBytes.Place(services))
    defer {
      Download.discard(part: part)
      download.lock.giveUp()
    }
    do {
      return try await onThread { _ in try StoredBytes(adopting: path, named: name, in: place) }
    } catch let failure as FileFailure {
      throw RPCError(failure)
    }
  }

  /// Servers answer with a page where a file was, or where a login is needed.
  private static func isPage(_ head: Data) -> Bool {
    let bytes = head.drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }.prefix(14)
    let start = String(decoding: bytes, as: UTF8.self).lowercased()
    return start.hasPrefix("<!doctype html") || start.hasPrefix("<html")
  }

  static func finish(_ stored: StoredBytes?, of plan: Plan, in transaction: Transaction) throws -> Post {
    let post = try transaction.snapshot.get(PostRecord.self, id: plan.params.id.text)
    guard let stored else {
      transaction.keepSilent()
      return try Post(ShownPost.single(post, in: transaction.snapshot))
    }
    let (file, isNew) = try stored.record(in: transaction)
    let known = try transaction.snapshot.find(PostMarkRecord.self, id: post.id)?.files.value() ?? []
    let others = known.filter { !sameBytes($0.url, plan.url) }
    let earlier = known.filter { sameBytes($0.url, plan.url) }
    // The same file, whose bytes only another device had, or that another call has just downloaded.
    var current = isNew ? [] : earlier.filter { sameBytes($0.file, file.id) }
    if current.isEmpty {
      current = [
        DownloadedFile(url: plan.url, file: file.id, size: file.size, at: transaction.now, own: isNew ? true : nil)
      ]
    }
    let files = try StoredJSON(others + current)
    if try !PostMarks.set(post.id, in: transaction, { $0.files = files }) {
      try PostMarks.notify(post.id, in: transaction)
    }
    if !isNew {
      transaction.touch(
        collection: FileRecord.collectionName, id: file.id, revision: file.revision, fields: ["hash"])
    }
    try DownloadedFile.removeFiles(of: earlier.filter { !sameBytes($0.file, file.id) }, in: transaction)
    return try Post(ShownPost.single(post, in: transaction.snapshot))
  }
}

/// Removes downloaded attachments of a post, such as after listening.
enum RemoveDownload: WriteMethod {
  static let name = "boards/removeDownload"
  static let summary =
    "Removes the downloaded attachments of a post, and their files unless something else shows them. One undo step."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var id: PostID
    var url: String?
    static let example = Params(id: "0193", url: nil)
    static let fields = ["id": "The post.", "url": "Only the attachment with this URL."]
    static let limits: [String: FieldLimits] = ["url": .length(1...8_000)]
  }
  typealias Result = Post

  static func run(_ params: Params, in transaction: Transaction) throws -> Post {
    let post = try transaction.snapshot.get(PostRecord.self, id: params.id.text)
    let known = try transaction.snapshot.find(PostMarkRecord.self, id: post.id)?.files.value() ?? []
    let gone = known.filter { file in params.url.map { sameBytes($0, file.url) } ?? true }
    if gone.isEmpty { transaction.keepSilent() }
    let rest = try StoredJSON(known.filter { !gone.contains($0) })
    if !gone.isEmpty { try PostMarks.set(post.id, in: transaction) { $0.files = rest } }
    try DownloadedFile.removeFiles(of: gone, in: transaction)
    return try Post(ShownPost.single(post, in: transaction.snapshot))
  }
}
