import Contract
import Kit
import Store
import Wire

/// Adds files and folders. Each file is added or refused by itself; one report states the outcome of each.
enum AddFiles: ExternalWriteMethod {
  static let name = "documents/addFiles"
  static let summary =
    "Adds PDFs from several paths and folders, and reports each as added, existing, or refused and why. Each 20 files "
    + "are one commit and one undo step; a cancelled request keeps its commits."
  static let effects: Effects = [.reads, .writes, .files]
  static let doing = Text("doing.addFiles")

  struct Params: Payload {
    var paths: [String]
    var recursive: Bool?
    var patterns: [String]?
    var tags: [String]?
    var link: Bool?
    static let example = Params(
      paths: ["/home/ann/papers"], recursive: nil, patterns: nil, tags: ["papers"], link: nil)
    static let fields = [
      "paths":
        "Absolute paths of files and folders. In folders, hidden files and symbolic links are ignored. One call adds "
        + "at most 10,000 files.",
      "recursive": "Whether subfolders are scanned too. Default true.",
      "patterns":
        "Which files of folders are added: name patterns with `*` and `?`, ignoring case. Default `*.pdf`. A file "
        + "named in `paths` is always tried.",
      "tags": "Tags for the added documents. Existing ones keep theirs.",
      "link":
        "Whether the bytes stay in the files instead of being copied, as with `documents/add`. Linked documents whose "
        + "files are found here are linked to these.",
    ]
    static let limits: [String: FieldLimits] = [
      "paths": FieldLimits(minimumLength: 1, maximumLength: 1_000, form: .absolutePath),
      "patterns": .length(1...NamePatterns.most),
    ].merging(DocumentRecord.fields.limits("tags")) { $1 }
  }

  struct Result: Payload {
    var added: Int
    var existing: Int
    var refused: Int
    var total: Int
    var ignored: Int
    var files: [AddedFile]
    var unlisted: Int?
    static let example = Result(
      added: 1, existing: 0, refused: 0, total: 1, ignored: 2, files: [.example], unlisted: nil)
    static let fields = [
      "added": "The number of documents added.",
      "existing": "The number of files whose document already existed.",
      "refused": "The number of files and folders refused.",
      "total": "The sum of these: every file tried, and every folder or path that could not be scanned.",
      "ignored": "The number of entries of folders ignored: hidden ones, symbolic links, files of other names.",
      "files": "The outcome for each file, those refused first, then by path.",
      "unlisted": "The number of files missing from `files` because the reply would be too large; absent if none.",
    ]
  }

  struct Plan: Sendable {
    var paths: [String]
    var isRecursive: Bool
    var patterns: NamePatterns
    var tags: [String]
    var links: Bool
    var caller: FeatureCaller
  }

  struct Fetched: Sendable {
    var entries: [FileIntake.Entry]
    /// Read, and written with the reply: all files that are added, if they are few.
    var rest: [FileIntake.Arrived]
    var ignored: Int
    /// The report, if it is complete without the rest: of many files, it is not for the writer's thread.
    var files: [AddedFile]?
  }

  /// The most files whose report is created on the writer's thread.
  private static let fewFiles = 100

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    Plan(
      paths: params.paths, isRecursive: params.recursive ?? true,
      patterns: try NamePatterns(params.patterns ?? NamePatterns.usual),
      tags: try TagList.normalized(params.tags ?? []), links: params.link ?? false,
      caller: snapshot.feature)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    progress.report(message: Text("progress.scanningFolders"))
    let found = try await onThread { checkCancelled in
      try FolderScan.files(
        at: plan.paths, recursive: plan.isRecursive, patterns: plan.patterns, checkCancelled: checkCancelled)
    }
    let intake = intake(plan, with: services)
    var (entries, rest) = try await intake.add(found.files, progress: progress)
    entries = found.problems.map(FileIntake.Entry.init) + entries
    // If the last commit fails, the report of the earlier ones must not be lost.
    if entries.count > fewFiles || entries.contains(where: { $0.outcome == .added }) {
      entries += try await intake.writeOrRefuse(rest).entries
      rest = []
    }
    var fetched = Fetched(entries: entries, rest: rest, ignored: found.ignored)
    if rest.isEmpty {
      fetched.files = try await services.library.read(as: plan.caller) { [entries] in AddedFile.listed(entries, in: $0)
      }
    }
    return fetched
  }

  private static func intake(_ plan: Plan, with services: Services) -> FileIntake {
    FileIntake(caller: plan.caller, tags: plan.tags, links: plan.links, label: name, services: services)
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in transaction: Transaction) throws -> Result {
    let rest = try intake(plan, with: transaction.services)
      .write(fetched.rest, in: transaction)
    let entries = fetched.entries + rest
    // Files added by earlier commits of this request are a change too.
    if entries.contains(where: { $0.outcome == .added }) { transaction.changeSetting() }
    func count(_ outcome: FileIntake.Outcome) -> Int { entries.count { $0.outcome == outcome } }
    let files = fetched.files ?? AddedFile.listed(entries, in: transaction.snapshot)
    return Result(
      added: count(.added), existing: count(.existing), refused: count(.refused), total: entries.count,
      ignored: fetched.ignored, files: files, unlisted: files.count < entries.count ? entries.count - files.count : nil)
  }
}

/// The outcome for one file.
struct AddedFile: Payload {
  enum Outcome: String, Choice {
    case added, existing, refused
  }

  var path: String
  var outcome: Outcome
  var id: DocumentID?
  var title: String?
  var kind: String?
  var reason: String?
  static let example = AddedFile(
    path: "/home/ann/papers/R-lang.pdf", outcome: .added, id: "0192", title: "The R language", kind: nil, reason: nil)
  static let fields = [
    "path": "The file, or the folder that could not be scanned.",
    "outcome": "`added`; `existing`: a document with these bytes existed; `refused`.", "id": "The document.",
    "title": "Its title.", "kind": "If refused, the kind of the error, such as `notPDF` or `passwordRequired`.",
    "reason": "If refused, what is wrong and what to do, for people.",
  ]
  static let limits: [String: FieldLimits] = ["path": .form(.absolutePath), "reason": .form(.namingFiles)]

  /// The most bytes for the entries of one reply.
  private static let mostBytes = 8 << 20

  /// Refused files first, then by path, as many as one reply holds.
  static func listed(_ entries: [FileIntake.Entry], in snapshot: Snapshot) -> [AddedFile] {
    let sorted = entries.sorted { left, right in
      let (first, second) = (left.outcome == .refused ? 0 : 1, right.outcome == .refused ? 0 : 1)
      return (first, left.path) < (second, right.path)
    }
    var bytes = 0
    var files: [AddedFile] = []
    for entry in sorted {
      let file = AddedFile(entry, in: snapshot)
      bytes += 120 + [file.path, file.title, file.reason].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
      guard bytes <= mostBytes else { break }
      files.append(file)
    }
    return files
  }

  init(_ entry: FileIntake.Entry, in snapshot: Snapshot) {
    self.init(
      path: entry.path, outcome: entry.outcome,
      id: entry.document.map(DocumentID.init(unchecked:)), title: entry.title, kind: entry.error?.kind?.rawValue,
      reason: entry.error.map { snapshot.sentences($0.text) })
  }

  private init(
    path: String, outcome: Outcome, id: DocumentID?, title: String?, kind: String?, reason: String?
  ) {
    (self.path, self.outcome, self.id, self.title) = (path, outcome, id, title)
    (self.kind, self.reason) = (kind, reason)
  }
}

extension Snapshot {
  /// A sentence in the client's language, with what to do.
  func sentences(_ text: Text) -> String {
    let advice = services.catalogue.advice(on: text, language: reader.language).map { " " + $0 } ?? ""
    return words(text) + advice
  }
}
