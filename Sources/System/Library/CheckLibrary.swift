import Contract
import Kit
import Store
import Wire

enum CheckLibrary: ExternalReadMethod {
  static let name = "library/check"
  static let summary = "Looks through the whole library: the file, the log, every blob's bytes, the search index."
  static let since = 1
  static let effects: Effects = [.reads, .files]
  static let doing = Text("doing.checkLibrary")

  struct Params: Payload {
    var repair: Bool?
    var rebuildIndex: Bool?
    static let example = Params(repair: false, rebuildIndex: true)
    static let fields = [
      "repair":
        "Removes files that nothing names any more. Shrinks the file of a library of an earlier version that is mostly free, "
        + "while writes wait.",
      "rebuildIndex":
        "First makes the search index and the tables of links anew from the data. Files that nothing names go before, with "
        + "the text that was read from them: of what was forgotten an hour after it came nothing is left.",
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
      "ok": "Whether nothing was found.", "findings": "What is wrong, a sentence each.",
      "items": "How many items there are.", "blobs": "How many files were hashed.",
      "removedFiles": "How many files went that nothing named.",
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
