import Contract
import Foundation
import Store
import Wire

enum ExportEntries: ExternalReadMethod {
  static let name = "diary/export"
  static let summary = "Writes entries, as one state of the library has them, into a folder or a file of their own."
  static let since = 1
  static let effects: Effects = [.reads, .files]
  static let errors: [ErrorKind] = [.exists, .diskFull, .notAllowed]

  enum Format: String, Choice {
    case markdown, jsonl
  }

  struct Params: Payload {
    var path: String
    var format: Format
    var from: CalendarDay?
    var to: CalendarDay?
    static let example = Params(path: "/home/ann/diary", format: .markdown, from: nil, to: nil)
    static let fields = [
      "path": "An absolute path at which there is nothing yet.",
      "format":
        "`markdown`: a folder with a file an entry, its id, day and moments as front matter and its text byte for byte; "
        + "`jsonl`: a file with an entry a line. `diary/import` reads both back.",
      "from": "The first day. Default: the first of all.", "to": "The last day. Default: the last of all.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Result: Payload {
    var path: String
    var entries: Int
    static let example = Result(path: "/home/ann/diary", entries: 12)
    static let fields = ["path": "Where they are.", "entries": "How many there are."]
  }

  struct Plan: Sendable {
    var params: Params
    var caller: any Caller
  }
  typealias Fetched = Int

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    Plan(params: params, caller: snapshot.caller)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Int {
    let params = plan.params
    let records = try await services.library.read(as: plan.caller) { snapshot in
      try EntryRecord.all(
        in: snapshot.db, "WHERE day BETWEEN ? AND ? ORDER BY day, writtenAt, id",
        [.text(params.from?.description ?? "0000-01-01"), .text(params.to?.description ?? "9999-12-31")])
    }
    let part = "\(params.path).\(services.newID()).part"
    do {
      try await onThread { checkCancelled in
        let export = EntryExport(records: records, part: part, path: params.path)
        switch params.format {
        case .markdown: try export.writeFolder(checkCancelled)
        case .jsonl: try export.writeLines(checkCancelled)
        }
      }
    } catch let failure as FileFailure {
      throw failure.reply
    }
    return records.count
  }

  static func finish(_ count: Int, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    Result(path: plan.params.path, entries: count)
  }
}

/// Entries on their way to a path. They get its name when all of them are there; what fails leaves nothing.
private struct EntryExport {
  let records: [EntryRecord]
  let part: String
  let path: String

  func writeFolder(_ checkCancelled: () throws -> Void) throws {
    var information = stat()
    guard lstat(path, &information) != 0 else { throw FileFailure(path: path, EEXIST) }
    try completing {
      guard mkdir(part, 0o700) == 0 else { throw FileFailure(path: part, errno) }
      for record in records {
        try checkCancelled()
        try NewFile(at: part + "/" + MarkdownFile.name(of: record)).write(MarkdownFile(record).bytes)
      }
      // Onto nothing, or an empty folder that somebody made meanwhile; anything else makes it fail.
      guard rename(part, path) == 0 else { throw FileFailure(path: path, errno) }
    }
  }

  func writeLines(_ checkCancelled: () throws -> Void) throws {
    try completing {
      let file = try NewFile(at: part)
      for record in records {
        try checkCancelled()
        try file.write(Array("\(Self.line(of: record))\n".utf8))
      }
      try file.sync()
      // Unlike a rename, a link never takes the place of another file.
      guard link(part, path) == 0 else { throw FileFailure(path: path, errno) }
      unlink(part)
    }
  }

  private func completing(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      try? FileManager.default.removeItem(atPath: part)
      throw error
    }
  }

  private static func line(of record: EntryRecord) -> JSONValue {
    [
      "id": .string(record.id), "revision": .integer(record.revision), "day": .string(record.day.description),
      "timeZone": .string(record.timeZone), "writtenAt": .string(record.writtenAt.description),
      "text": .string(record.text),
    ]
  }
}

extension FileFailure {
  fileprivate var reply: RPCError {
    switch errno {
    case EEXIST, ENOTEMPTY: RPCError(.exists, text: Text("file.exists", ["path": path]))
    case _ where isDiskFull: RPCError(.diskFull, text: Text("error.diskFull", ["path": path]))
    default: RPCError(.notAllowed, text: Text("diary.workFailed", ["path": path, "reason": reason]))
    }
  }
}
