import Contract
import Display
import Exchange
import FoundationEssentials
import Kit
import Store
import Wire

enum ImportProjects: ImportMethod {
  static let name = "projects/import"
  static let summary =
    "Imports tasks from another program's file, in one undo step: all that can be read, or nothing. Importing again "
    + "creates no duplicates, and updates cards from the file. Fields changed here stay; if both sides changed the "
    + "same field, `changes/conflicts` lists the file's version."
  static let effects: Effects = [.writes, .files]
  static let doing = Text("doing.importProjects")

  struct Params: Payload {
    var path: String?
    var data: String?
    var format: TaskImportFormat?
    var board: String?
    var dryRun: Bool?
    var confirm: String?
    static let example = Params(
      path: "/home/ann/tasks.ics", data: nil, format: .ics, board: nil, dryRun: nil, confirm: nil)
    static let fields = GivenImport.notes(
      format:
        "`ics`: iCalendar, its VTODOs; `taskwarrior`: the format of `task export`; `todotxt`; `markdown`: lists with "
        + "`[ ]`; `jsonl`: the format of `projects/export`; `todoist`: a project as CSV. Default: detected from the file; `todotxt` by the name "
        + "`todo.txt` or by priorities, projects, contexts and days in most of its lines.",
      items: "tasks"
    ).merging([
      "board":
        "The board of new cards whose tasks name no board: its id or title. Default: the default board. A board that a "
        + "file of ours names is found by its id or title, or added."
    ]) { _, note in note }
    static let limits = GivenImport.limits.merging(["board": CardBoards.paramLimits]) { _, limits in limits }
    static let exactlyOne = GivenImport.exactlyOne
  }

  struct Plan: Sendable {
    var params: Params
    var zone: Zone
    /// For days in words.
    var today: CalendarDay
    var locale: LocaleTag
    var epoch: String
    /// The files from which cards were imported.
    var files: [String]
    /// The cards that were imported from lists.
    var lines: [ImportedLine]
  }

  typealias Fetched = TaskReading
  typealias Position = ProjectImport

  static let fileLimit = 64 << 20

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    // Refused before the file is read.
    if let board = params.board { _ = try CardBoards(in: snapshot).require(named: board, in: snapshot) }
    return Plan(
      params: params, zone: snapshot.reader.zone, today: snapshot.services.today(for: snapshot.reader),
      locale: snapshot.reader.locale, epoch: snapshot.services.library.identity.epoch,
      files: params.path == nil ? [] : try StoredSource.files(in: snapshot),
      lines: [nil, .todotxt, .markdown, .todoist].contains(params.format) ? try ImportedLine.all(in: snapshot) : [])
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> TaskReading {
    let params = plan.params
    let given = GivenImport(
      path: params.path, data: params.data, limit: fileLimit, format: params.format?.rawValue ?? "")
    let reading = try await given.read { bytes, checkCancelled in
      guard let format = params.format ?? Self.format(of: bytes, path: params.path) else {
        if bytes.isBlankText {
          throw RPCError.invalidParams(
            field: params.path == nil ? "data" : "path", reason: Text("import.emptyFile", ["source": given.source]))
        }
        throw RPCError.invalidParams(
          field: "format",
          reason: Text(
            "import.noFormat",
            ["source": given.source, "choices": TaskImportFormat.allCases.map(\.rawValue).joined(separator: ", ")]))
      }
      if format != .todoist, let other = MistakenFormat(bytes, as: format.tasks) {
        throw other.error(of: given.source, as: format)
      }
      do {
        let file = try plan.file(of: bytes, as: format, checkCancelled: checkCancelled)
        var reading = TaskReading(
          file, format: format.tasks, origin: TaskOrigin(params.path, others: plan.files, lines: plan.lines),
          confirmation: LargeImport(bytes, format: format.rawValue, epoch: plan.epoch))
        reading.given = format
        return reading
      } catch let failure as WrongFormat {
        if format != .todoist, let other = MistakenFormat(bytes, as: format.tasks, hasFailed: true) {
          throw other.error(of: given.source, as: format)
        }
        // The format was detected, not given.
        throw RPCError(failure, of: given.source, format: format.rawValue)
      }
    }
    try reading.confirmation.require(params.confirm, count: reading.tasks.count, isDryRun: params.dryRun)
    return reading
  }

  /// See `TaskExchange.format(of:path:)`.
  private static func format(of bytes: [UInt8], path: String?) -> TaskImportFormat? {
    TodoistFile.isIts(bytes) ? .todoist : TaskExchange.format(of: bytes, path: path).map(TaskImportFormat.init)
  }

  static func finish(
    _ reading: TaskReading, of plan: Plan, from position: ProjectImport?, in transaction: Transaction
  ) throws -> Sliced<ProjectImport, ImportReport> {
    var progress = position ?? ProjectImport()
    try progress.items.resume(in: transaction.snapshot)
    let isDryRun = plan.params.dryRun == true
    let snapshot = transaction.snapshot
    let target = try CardBoards(in: snapshot).require(
      named: plan.params.board ?? CardBoardRecord.defaultID, in: snapshot)
    let boards = try ImportedBoards(reading.boards, target: target.id, in: snapshot)
    if position == nil { progress.likeColumns = boards.likenesses(of: reading.tasks, in: snapshot) }
    if !isDryRun {
      // A board without cards consists of its columns alone.
      if reading.tasks.isEmpty { try boards.store(target.id, in: transaction) }
      try boards.storeListed(in: transaction)
    }
    while progress.items.index < reading.tasks.count {
      guard transaction.hasRoom else { return .more(progress) }
      try progress.take(reading, zone: plan.zone, boards: boards, isDryRun: isDryRun, in: transaction)
    }
    let now = try CardBoards(in: snapshot)
    let comes = isDryRun && progress.items.counts.added + progress.items.counts.updated > 0
    progress.items.counts.notes += progress.likeColumns.filter {
      comes || now.columns(of: $0.board)[$0.state] != nil
    }.map(\.note)
    return .done(
      ImportReport(
        progress.items.counts, notes: reading.notes, format: reading.given.rawValue,
        confirm: isDryRun ? reading.confirmation.token : nil, for: transaction.reader, services: transaction.services))
  }
}

extension ImportProjects.Plan {
  fileprivate func file(
    of bytes: [UInt8], as format: TaskImportFormat, checkCancelled: () throws -> Void
  ) throws -> TaskFile {
    if format == .todoist {
      let reading = TodoistDate.Reading(locale: locale, today: today, zone: zone)
      var file = try TodoistFile.read(bytes, reading, checkCancelled: checkCancelled)
      file.noteIfNothing(in: [], as: format.tasks)
      return file
    }
    var file = try TaskExchange.read(bytes, as: format.tasks, zone: zone, checkCancelled: checkCancelled)
    file.noteIfNothing(in: bytes, as: format.tasks)
    return file
  }
}

extension TaskOrigin {
  /// Checks only whether the files exist.
  fileprivate init(_ path: String?, others: [String], lines: [ImportedLine]) {
    self.lines = lines
    self.path = path.map { URL(filePath: $0).resolvingSymlinksInPath().path }
    gone = Set(others.filter { !FileManager.default.fileExists(atPath: $0) })
  }
}
