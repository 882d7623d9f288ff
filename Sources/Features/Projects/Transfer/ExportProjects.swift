import Contract
import Display
import Foundation
import Store
import Wire

enum ExportProjects: ExternalReadMethod {
  static let name = "projects/export"
  static let summary =
    "Writes all cards, as one state of the library has them, in the format of another program. What came from a file of "
    + "that format goes back with everything that was in it."
  static let since = 1
  static let effects: Effects = [.reads, .files]
  static let errors: [ErrorKind] = [.exists, .diskFull, .notAllowed, .tooLarge]

  struct Params: Payload {
    var path: String?
    var inline: Bool?
    var format: TaskFormat
    static let example = Params(path: "/home/ann/tasks.ics", inline: nil, format: .ics)
    static let fields = [
      "path": "An absolute path at which there is nothing yet.",
      "inline": "Answer the bytes as `data` instead.",
      "format":
        "`ics`, `taskwarrior` (for `task import`), `todotxt`, `markdown`, or `jsonl`: everything, a card a line, before them "
        + "the columns. "
        + "`projects/import` reads all of them back.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
    static let exactlyOne = [["path", "inline"]]
  }

  struct Result: Payload {
    var path: String?
    var data: String?
    var cards: Int
    static let example = Result(path: "/home/ann/tasks.ics", data: nil, cards: 12)
    static let fields = [
      "path": "Where they are.", "data": "What was written, in base64.", "cards": "How many there are.",
    ]
  }

  struct Plan: Sendable {
    var params: Params
    var caller: any Caller
    var zone: Zone
  }
  typealias Fetched = Result

  private static let inlineLimit = 12 << 20

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    if params.path == nil, params.inline != true {
      throw RPCError.invalidParams(field: "inline", reason: Text("param.invalid"))
    }
    return Plan(params: params, caller: snapshot.caller, zone: snapshot.reader.zone)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    let params = plan.params
    let cards = try await services.library.read(as: plan.caller) { snapshot in
      try ExportedCards(
        ProjectRecord.all(in: snapshot.db, "ORDER BY createdAt, id"), columns: BoardColumns(in: snapshot))
    }
    let export = params.path.map { FileExport(to: $0, id: services.newID()) }
    let now = services.now()
    do {
      return try await onThread { _ in
        let tasks = try cards.tasks(as: params.format, zone: plan.zone)
        let bytes = Array(
          try TaskExchange.write(tasks, as: params.format, columns: cards.columns.all, zone: plan.zone, now: now).utf8)
        if let export {
          try export.writeFile { try $0.write(bytes) }
          return Result(path: export.path, data: nil, cards: tasks.count)
        }
        guard bytes.count <= inlineLimit else { throw GivenFile.tooLarge(inlineLimit) }
        return Result(path: nil, data: Data(bytes).base64EncodedString(), cards: tasks.count)
      }
    } catch let failure as FileFailure {
      throw RPCError(writing: failure)
    }
  }

  static func finish(_ result: Result, of plan: Plan, in snapshot: Snapshot) throws -> Result { result }
}

/// Cards of one state of the library on their way into a file.
struct ExportedCards: Sendable {
  private let cards: [(record: ProjectRecord, kept: KeptSource?)]
  let columns: BoardColumns

  /// In the order in which they came; what came from one file in the order that it had there.
  init(_ records: [ProjectRecord], columns: BoardColumns) throws {
    let cards = try records.enumerated().map {
      (index: $0.offset, record: $0.element, kept: try KeptSource($0.element))
    }
    self.cards = cards.sorted { left, right in
      (left.record.createdAt, left.kept?.place ?? 0, left.index)
        < (right.record.createdAt, right.kept?.place ?? 0, right.index)
    }.map { ($0.record, $0.kept) }
    self.columns = columns
  }

  func tasks(as format: TaskFormat, zone: Zone) throws -> [ForeignTask] {
    var names: [String: String] = [:]
    for (record, kept) in cards {
      if let kept, kept.source.format == format, let name = record.foreignID { names[record.id] = name }
    }
    let waiting = WaitingCards(try cards.map { ($0.record.id, try $0.record.blockers) })
    var heads: Set<String> = []
    return try cards.map { record, kept in
      var task = try ForeignTask(record, columns: columns)
      let source = kept?.source
      let before = source?.format == format ? source?.task(zone: zone) : nil
      let circular = try Self.circularNames(of: record, before: before, format: format, waiting: waiting)
      task.blockedBy =
        Self.names(of: task.blockedBy, known: names, before: before, format: format) + circular
      task.source = source
      if format == .jsonl {
        task.uid = record.id
        task.revision = record.revision
        task.blockedBy = try record.blockers
        task.foreignID = record.foreignID
      } else if let before, record.foreignID != nil {
        // As it is in its own program. Where the format has no names for tasks, one that was changed here needs ours, to
        // be told from a new one.
        let isOwn = before.uid == nil && !task.says(before) || before.revision != nil
        task.uid = isOwn ? before.revision != nil ? before.uid : record.id : before.uid
        task.revision = isOwn ? record.revision : nil
        // What the file begins with stays, whether its first task is still there or not.
        if let source, let head = source.head, heads.insert(head).inserted, !source.before.hasPrefix(head) {
          task.source?.before = head + source.before
        }
      } else {
        // One of ours, or the next of a task that came again: its text, but neither its name nor what stood around it.
        task.uid = record.id
        task.revision = record.revision
        task.source?.before = ""
        task.source?.after = ""
      }
      return task
    }
  }

  /// The names in a card's own text for which it would wait in a circle: there they stay.
  private static func circularNames(
    of record: ProjectRecord, before: ForeignTask?, format: TaskFormat, waiting: WaitingCards
  ) throws -> [String] {
    guard let before, !before.blockedBy.isEmpty else { return [] }
    let own = try record.blockers
    return before.blockedBy.filter { name in
      let id = waiting.has(name) ? name : TaskReading.id(ofUID: name, format: format)
      return !own.contains(id) && waiting.wouldWait(record.id, for: id)
    }
  }

  /// The cards that a card waits for, by the names that they have in the file.
  private static func names(
    of ids: [String], known: [String: String], before: ForeignTask?, format: TaskFormat
  ) -> [String] {
    // Those that never came are named in the card's own text alone.
    let missing = (before?.blockedBy ?? []).map { (TaskReading.id(ofUID: $0, format: format), $0) }
    let own = Dictionary(missing, uniquingKeysWith: { first, _ in first })
    return ids.map { known[$0] ?? own[$0] ?? $0 }
  }
}

/// Which cards wait for which, of one state of the library.
private struct WaitingCards {
  private let blockers: [String: [String]]

  init(_ cards: [(id: String, blockers: [String])]) {
    blockers = Dictionary(cards.map { ($0.id, $0.blockers) }, uniquingKeysWith: { first, _ in first })
  }

  func has(_ id: String) -> Bool { blockers[id] != nil }

  /// Whether a card that waited for another would wait for itself.
  func wouldWait(_ card: String, for blocker: String) -> Bool {
    var seen: Set = [blocker]
    var rest = [blocker]
    while let next = rest.popLast() {
      if next == card { return true }
      for id in blockers[next] ?? [] where seen.insert(id).inserted { rest.append(id) }
    }
    return false
  }
}
