import Contract
import Kit
import Store
import Wire

enum WatchFolder: ExternalWriteMethod {
  static let name = "documents/watch"
  static let summary =
    "Watches a folder: adds its PDFs, refreshes those that change, and reports those that vanish. Documents stay. "
    + "Scans it at once, and every 30 seconds while the daemon runs. A repeated call changes the options and scans at "
    + "once. Changes made by the watch are not undo steps."
  static let effects: Effects = [.reads, .writes, .files]
  static let doing = Text("doing.watchFolder")
  static let errors: [ErrorKind] = [.notFound, .notAllowed, .tooLarge]

  struct Params: Payload {
    var path: String
    var recursive: Bool?
    var patterns: [String]?
    var tags: [String]?
    static let example = Params(path: "/home/ann/papers", recursive: nil, patterns: nil, tags: ["papers"])
    static let fields = [
      "path": "The absolute path of the folder. Hidden files and symbolic links in it are ignored.",
      "recursive": "Whether subfolders are watched too. Default true.",
      "patterns": "Which files: name patterns with `*` and `?`, ignoring case. Default `*.pdf`.",
      "tags": "Tags for the documents added from it.",
    ]
    static let limits: [String: FieldLimits] = [
      "path": .form(.absolutePath), "patterns": .length(1...NamePatterns.most),
    ].merging(DocumentRecord.fields.limits("tags")) { $1 }
  }

  typealias Result = WatchedFolderReport

  typealias Plan = WatchedFolder
  typealias Fetched = Empty

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> WatchedFolder {
    let patterns = params.patterns ?? NamePatterns.usual
    _ = try NamePatterns(patterns)
    return WatchedFolder(
      path: params.path.withoutTrailingSlashes, isRecursive: params.recursive ?? true, patterns: patterns,
      tags: try TagList.normalized(params.tags ?? []), epoch: snapshot.services.library.identity.epoch)
  }

  static func fetch(_ plan: WatchedFolder, with services: Services, progress: Progress) async throws -> Empty {
    try await onThread { _ in try FoundFiles.requireFolder(plan.path) }
    var folder = plan
    folder.confinement = FileConfinement.current
    // Before the scan: it may take long, and a daemon that is killed resumes it after restart.
    try await services.library.write(as: DaemonCaller(), label: name) { [folder] in try folder.write(in: $0) }
    await services.folderWatch.scan(plan.path, progress: progress, with: services)
    services.folderWatch.start(with: services)
    return Empty()
  }

  static func finish(_ fetched: Empty, of plan: WatchedFolder, in transaction: Transaction) throws -> Result {
    guard try WatchedFolder.find(plan.path, in: transaction.db) != nil else {
      throw RPCError(.notFound, text: Text("documents.notWatched", ["path": plan.path]))
    }
    transaction.changeSetting()
    return try WatchedFolderReport(plan, in: transaction.snapshot)
  }
}

enum UnwatchFolder: WriteMethod {
  static let name = "documents/unwatch"
  static let summary = "Stops watching a folder. Its documents stay."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notAllowed, .notFound]

  struct Params: Payload {
    var path: String
    static let example = Params(path: "/home/ann/papers")
    static let fields = ["path": "The folder, as in `documents/watched`."]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Result: Payload {
    var path: String
    static let example = Result(path: "/home/ann/papers")
    static let fields = ["path": "The folder."]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let path = params.path.withoutTrailingSlashes
    guard try WatchedFolder.remove(path, in: transaction) else {
      throw RPCError(.notFound, text: Text("documents.notWatched", ["path": path]))
    }
    let services = transaction.services
    transaction.afterCommit { services.folderWatch.forget(path) }
    return Result(path: path)
  }
}

enum ListWatchedFolders: ReadMethod {
  static let name = "documents/watched"
  static let summary = "The watched folders, at most 100, and their states."
  static let effects: Effects = .reads
  typealias Params = Empty
  typealias Result = Page<WatchedFolderReport>

  static func run(_ params: Empty, in snapshot: Snapshot) throws -> Page<WatchedFolderReport> {
    let folders = try WatchedFolder.all(in: snapshot.db)
    return Page(
      items: try folders.map { try WatchedFolderReport($0, in: snapshot) }, offset: 0, limit: WatchedFolder.most,
      total: folders.count, next: nil)
  }
}

/// A watched folder for one client.
struct WatchedFolderReport: Payload {
  enum State: String, Choice {
    case scanning, watching, paused
  }

  var path: String
  var recursive: Bool
  var patterns: [String]
  var tags: [String]
  var state: State
  var reason: String?
  var scannedAt: Instant?
  var count: Int
  var missing: Int
  var missingFiles: [String]
  var refused: Int
  var refusedFiles: [AddedFile]
  static let example = WatchedFolderReport(
    path: "/home/ann/papers", recursive: true, patterns: NamePatterns.usual, tags: ["papers"], state: .watching,
    reason: nil, scannedAt: Instant(milliseconds: 1_795_225_445_678), count: 12, missing: 1,
    missingFiles: ["/home/ann/papers/old.pdf"], refused: 0, refusedFiles: [])
  static let fields = [
    "path": "The folder.", "recursive": "Whether subfolders are watched too.",
    "patterns": "The patterns of file names.",
    "tags": "Tags for the documents added from it.",
    "state":
      "`scanning`: the first scan since the daemon started is running; `watching`; `paused`: the folder cannot be "
      + "scanned. A paused folder is tried every 30 seconds, and its documents stay.",
    "reason": "Why it is paused, and what to do, for people.", "scannedAt": "When the last scan ended.",
    "count": "The number of its files that are documents.",
    "missing": "The number of its files that vanished, whose documents stay.",
    "missingFiles": "Their paths, at most 100.",
    "refused": "The number of its files and folders refused.",
    "refusedFiles": "The refused files and reasons, at most 100. A file is tried again after it changes.",
  ]
  static let limits: [String: FieldLimits] = [
    "path": .form(.absolutePath), "missingFiles": .form(.absolutePath), "reason": .form(.namingFiles),
  ]

  private static let mostFiles = FolderWatch.Status.most
}

extension WatchedFolderReport {
  init(_ folder: WatchedFolder, in snapshot: Snapshot) throws {
    let status = snapshot.services.folderWatch.status(of: folder.path)
    // Files whose documents somebody removed are left alone.
    let files = "FROM watchedFile WHERE folder = ? AND document IN (SELECT id FROM document)"
    let (present, missing) =
      try snapshot.db.first(
        "SELECT count(*) FILTER (WHERE NOT isMissing), count(*) FILTER (WHERE isMissing) \(files)",
        [.text(folder.path)]
      ) { ($0.int(0), $0.int(1)) } ?? (0, 0)
    self.init(
      path: folder.path, recursive: folder.isRecursive, patterns: folder.patterns, tags: folder.tags,
      state: status.map { $0.paused == nil ? .watching : .paused } ?? .scanning,
      reason: status?.paused.map { snapshot.sentences($0) }, scannedAt: status?.scannedAt, count: present,
      missing: missing,
      missingFiles: try snapshot.db.texts(
        "SELECT path \(files) AND isMissing ORDER BY path LIMIT \(Self.mostFiles)",
        [.text(folder.path)]),
      refused: status?.refused.count ?? 0,
      refusedFiles: status?.firstRefused.map { AddedFile($0, in: snapshot) } ?? [])
  }
}
