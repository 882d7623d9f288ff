import Contract
import Kit
import SQLite
import Store
import Wire

enum ShowSyncStatus: ReadMethod {
  static let name = "sync/status"
  static let summary = "The state of the exchange with other devices, and when each of them was last heard."
  static let effects: Effects = .reads

  typealias Params = Empty

  struct Result: Payload {
    var state: SyncState
    var name: String?
    var lastRunAt: Instant?
    var nextRunAt: Instant?
    var problem: String?
    var problemKey: String?
    var waiting: Int
    var waitingFiles: Int
    var waitingBytes: Int
    var filesElsewhere: Int
    var conflicts: Int
    var damaged: Int
    var damagedFiles: [String]?
    var diverged: Bool?
    var missing: Int
    var newer: Int
    var oversized: Int
    var hidden: Int
    var place: String?
    var devices: [SyncDevice]
    var display: Display
    static let example = Result(
      state: .idle, name: "laptop", lastRunAt: Instant(milliseconds: 1_795_225_445_678),
      nextRunAt: Instant(milliseconds: 1_795_225_745_678), problem: nil, problemKey: nil, waiting: 0,
      waitingFiles: 0, waitingBytes: 0, filesElsewhere: 2, conflicts: 1, damaged: 0, damagedFiles: nil, diverged: nil,
      missing: 0, newer: 0, oversized: 0, hidden: 0, place: "/home/ann/Sync/commonplace", devices: [.example],
      display: .example)
    static let fields = [
      "state":
        "`off`: not set up. `waiting`: the target cannot be reached; it is tried again. `needsCode`: another device has "
        + "replaced the code. `needsUpgrade`: a newer version made the shared library. `failed`: the last run failed "
        + "otherwise; it is tried again.",
      "name": "The name of this device for people.", "lastRunAt": "When the last run of this daemon ended.",
      "nextRunAt": "When the schedule runs next, if nothing is written until then; absent if it does not.",
      "problem": "Why the last run failed.",
      "problemKey": "The same for programs: the `key` of the error, such as `sync.targetGone`.",
      "waiting": "The number of items that no file at the target has yet.",
      "waitingFiles": "The number of files here, such as documents, that may not lie at the target yet.",
      "waitingBytes": "The size of those files.",
      "filesElsewhere": "The number of files that only other devices have.",
      "conflicts": "The number of conflicts between devices, see `changes/conflicts`.",
      "diverged":
        "True if this library differs from that of a device that has read the same files; absent otherwise. Both write "
        + "all items anew.",
      "damaged": "The number of files at the target that no device could read yet.",
      "damagedFiles": "Their names in the folder `log` of the target, of the first 20; absent if there are none.",
      "hidden":
        "The number of items that this version cannot store as the devices have them: of two texts it shows the newer, and "
        + "lists the other as a conflict.",
      "missing":
        "The number of files that are known to exist and that the target does not show: they are on their way, or it "
        + "withholds them.",
      "newer": "The number of files of a newer version, which wait here until that version is installed.",
      "oversized": "The number of items that are too large for a file at the target: they stay here.",
      "place": "The place of the files: a path or a URL. Absent if none is named.",
      "devices": "All devices that share the library, this one first.", "display": "Strings for people.",
    ]
    static let limits: [String: FieldLimits] = ["problem": .form(.namingFiles), "place": .form(.namingFiles)]
  }

  struct Display: Payload {
    var message: String
    static let example = Display(message: "All here · phone today 3:04 PM · 1 conflict")
    static let fields = [
      "message":
        "The state, when each other device was last heard, the conflicts, and what is wrong at the target, on one line."
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let place = snapshot.services.syncSettings.target == nil ? nil : snapshot.services.syncSettings.place
    guard let stored = try StoredLedger.read(in: snapshot.db) else {
      return Result(
        state: .off, name: nil, lastRunAt: nil, nextRunAt: nil, problem: nil, problemKey: nil, waiting: 0,
        waitingFiles: 0, waitingBytes: 0, filesElsewhere: 0, conflicts: 0, damaged: 0, damagedFiles: nil, diverged: nil,
        missing: 0, newer: 0, oversized: 0, hidden: 0, place: place, devices: [],
        display: Display(message: snapshot.words(Text("sync.off"))))
    }
    let files = SharedFileRows(SharedCollections(snapshot.services.library))
    let engine = snapshot.services.memory.known(SyncEngine.self)
    let last = engine?.last
    let isPaused = try snapshot.db.first("SELECT isPaused FROM syncSpace") { $0.integer(0) != 0 } ?? false
    let state: SyncState =
      if engine?.isRunning == true {
        .running
      } else if last?.problem == nil, isPaused {
        .paused
      } else {
        SyncState(after: last?.problem)
      }
    let unsent = try files.unsent(
      generation: stored.generation, at: snapshot.services.now().milliseconds, in: snapshot.db)
    let damaged = stored.ledger.damaged
    var result = Result(
      state: state, name: stored.name, lastRunAt: last?.at,
      nextRunAt: isPaused
        ? Instant?.none
        : engine?.schedule.untilNextRun.map {
          Instant(milliseconds: snapshot.services.now().milliseconds + Int64($0 / .milliseconds(1)))
        },
      problem: last?.problem.map { snapshot.words($0.text) }, problemKey: last?.problem?.text.key,
      waiting: try waiting(since: stored.absorbed ?? 0, in: snapshot), waitingFiles: unsent.count,
      waitingBytes: try unsent.reduce(0) { try $0 + size(of: $1, in: snapshot) },
      filesElsewhere: try files.missing(in: snapshot.db).count,
      conflicts: try SyncConflict.count(in: snapshot.db), damaged: damaged.count,
      damagedFiles: damaged.isEmpty ? nil : damaged.prefix(20).map(\.description),
      diverged: stored.ledger.divergedAt == nil ? nil : true,
      missing: stored.ledger.missing, newer: stored.ledger.newer, oversized: engine?.oversized.count ?? 0,
      hidden: try SharingTransaction.hidden(in: snapshot.db).count, place: place,
      devices: SyncDevice.all(of: stored), display: Display(message: ""))
    result.display.message = line(result, in: snapshot)
    return result
  }

  /// The state, each other device with when it was last heard, and the conflicts.
  private static func line(_ result: Result, in snapshot: Snapshot) -> String {
    let state: Text =
      switch result.state {
      case .off: Text("sync.off")
      case .running: Text("sync.line.running")
      case .failed: Text("sync.line.failed")
      case .paused: Text("sync.line.paused")
      case .waiting: Text("sync.line.unreachable")
      case .needsCode: SyncProblem.needsCode.text
      case .needsUpgrade: SyncProblem.needsUpgrade.text
      case .idle where result.waiting > 0: Text("sync.line.waiting", ["count": String(result.waiting)])
      case .idle where result.newer > 0: Text("sync.line.newer")
      case .idle: Text("sync.line.idle")
      }
    let devices = result.devices.filter { !$0.isThis }.map { device in
      [device.name, device.lastSeenAt.map { time($0, in: snapshot) }].compactMap(\.self).joined(separator: " ")
    }
    let counts = [
      ("sync.line.conflicts", result.conflicts), ("sync.line.damaged", result.damaged),
      ("sync.line.missing", result.missing), ("sync.line.hidden", result.hidden),
    ].filter { $0.1 > 0 }.map { Text($0.0, ["count": String($0.1)]) }
    let clocks = result.devices.filter { $0.clockAhead != nil }.map { Text("sync.line.clock", ["device": $0.name]) }
    return ([snapshot.words(state)] + devices + (counts + clocks).map { snapshot.words($0) }).joined(separator: " · ")
  }

  /// “today 3:04 PM”, “Nov 21, 2026”.
  private static func time(_ instant: Instant, in snapshot: Snapshot) -> String {
    let (reader, services) = (snapshot.reader, snapshot.services)
    let (day, today) = (services.day(of: instant, in: reader.zone), services.today(for: reader))
    let date = services.dates.relativeString(
      .mediumDate, on: day.yearMonthDay, today: today.yearMonthDay, for: reader)
    if day != today { return date }
    return date + " " + services.dates.string(.time, at: instant.milliseconds, for: reader)
  }

  /// The items that are in no file, and those that were written since they were last absorbed.
  private static func waiting(since clock: Int64, in snapshot: Snapshot) throws -> Int {
    let shared = SharedCollections(snapshot.services.library).changes
    return try snapshot.db.first(
      """
      SELECT count(*) FROM (
        SELECT collection, id FROM syncItem WHERE file IS NULL
        UNION SELECT h.collection, h.id FROM changes h JOIN commits c ON c.clock = h.clock
          WHERE h.clock > ? AND NOT (c.connection = '' AND c.label = ?) AND \(shared))
      """, [.integer(clock), .text(SharingTransaction.label)]
    ) { $0.int(0) } ?? 0
  }

  private static let blobSize = CachedStatement("SELECT size FROM blob WHERE hash = ?")

  private static func size(of hash: String, in snapshot: Snapshot) throws -> Int {
    try snapshot.db.first(blobSize, { $0.add(hash) }, { $0.int(0) }) ?? 0
  }
}

extension SyncConflict {
  /// How many are listed.
  ///
  /// - Throws: `DatabaseError`.
  static func count(in db: Database) throws -> Int {
    try db.first("SELECT count(*) FROM conflict WHERE source LIKE '\(ConflictRecord.devicePrefix)%'") { $0.int(0) } ?? 0
  }
}
