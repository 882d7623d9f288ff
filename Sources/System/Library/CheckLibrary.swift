import Contract
import Kit
import Store
import Wire

enum CheckLibrary: ExternalReadMethod {
  static let name = "library/check"
  static let summary = "Checks the whole library: the file, the log, every blob's bytes, the search index."
  static let effects: Effects = [.reads, .files]
  static let paramEffects: [String: Effects] = ["repair": .destroys, "rebuildIndex": .destroys]
  static let doing = Text("doing.checkLibrary")

  struct Params: Payload {
    var repair: Bool?
    var rebuildIndex: Bool?
    static let example = Params(repair: false, rebuildIndex: true)
    static let fields = [
      "repair":
        "Removes unreferenced files. Shrinks the file of a library of an earlier version if most of it is free; writes "
        + "wait meanwhile.",
      "rebuildIndex":
        "First rebuilds the search index and the link tables from the data. Before that, deletes unreferenced files "
        + "and their extracted text, so that no trace of deleted items remains after an hour.",
    ]
  }

  struct Result: Payload {
    var ok: Bool
    var findings: [String]
    var items: Int
    var blobs: Int
    var removedFiles: Int
    static let example = Result(ok: true, findings: [], items: 12, blobs: 1, removedFiles: 0)
    static let fields = [
      "ok": "Whether no problem was found.", "findings": "The problems found, a sentence each.",
      "items": "The total number of items.", "blobs": "The number of files hashed.",
      "removedFiles": "The number of unreferenced files removed.",
    ]
  }

  typealias Plan = CheckOptions
  typealias Fetched = CheckReport

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> CheckOptions {
    CheckOptions(repair: params.repair ?? false, rebuildIndex: params.rebuildIndex ?? false)
  }

  static func fetch(
    _ plan: CheckOptions, with services: Services, progress: Progress
  ) async throws -> CheckReport {
    try await onThread { checkCancelled in
      try services.library.check(plan) {
        try checkCancelled()
        progress.report(percentage: $0)
      }
    }
  }

  static func finish(_ report: CheckReport, of plan: CheckOptions, in snapshot: Snapshot) throws -> Result {
    let findings = report.findings.map(snapshot.words)
    return Result(
      ok: findings.isEmpty, findings: findings, items: report.items, blobs: report.blobs,
      removedFiles: report.removedFiles)
  }
}
