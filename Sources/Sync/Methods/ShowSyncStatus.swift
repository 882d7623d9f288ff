import Contract
import Kit
import Store
import Wire

enum SyncState: String, Choice {
  case off, idle, running, paused, failed
}

enum ShowSyncStatus: ReadMethod {
  static let name = "sync/status"
  static let summary = "The state of the exchange with other devices, and when each of them was last heard."
  static let since = 1
  static let effects: Effects = .reads

  typealias Params = Empty

  struct Result: Payload {
    var state: SyncState
    var name: String?
    var lastRunAt: Instant?
    var problem: String?
    var waiting: Int
    var waitingFiles: Int
    var filesElsewhere: Int
    var conflicts: Int
    var damaged: Int
    var diverged: Bool?
    var missing: Int
    var newer: Int
    var oversized: Int
    var place: String?
    var devices: [SyncDevice]
    var display: Display
    static let example = Result(
      state: .idle, name: "laptop", lastRunAt: Instant(milliseconds: 1_795_225_445_678), problem: nil, waiting: 0,
      waitingFiles: 0, filesElsewhere: 2, conflicts: 1, damaged: 0, diverged: nil, missing: 0, newer: 0,
      oversized: 0, place: "/home/ann/Sync/commonplace", devices: [.example], display: .example)
    static let fields = [
      "state": "`off`: not set up. `failed`: the last run failed; it is tried again.",
      "name": "The name of this device for people.", "lastRunAt": "When the last run of this daemon ended.",
      "problem": "Why the last run failed.", "waiting": "The number of items that no file at the target has yet.",
      "waitingFiles": "The number of files here, such as documents, that may not lie at the target yet.",
      "filesElsewhere": "The number of files that only other devices have.",
      "conflicts": "The number of conflicts between devices, see `changes/conflicts`.",
      "diverged":
        "True if this library differs from that of a device that has read the same files; absent otherwise. Both write "
        + "all items anew.",
      "damaged": "The number of files at the target that no device could read yet.",
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
        state: .off, name: nil, lastRunAt: nil, problem: nil, waiting: 0, waitingFiles: 0, filesElsewhere: 0,
        conflicts: 0, damaged: 0, diverged: nil, missing: 0, newer: 0, oversized: 0, place: place,
        devices: [],
        display: Display(message: snapshot.words(Text("sync.off"))))
    }
    let files = SharedFileRows(SharedCollections(snapshot.services.library))
    let engine = snapshot.services.memory.known(SyncEngine.self)
    let last = engine?.last
    let isPaused = try snapshot.db.first("SELECT isPaused FROM syncSpace") { $0.integer(0) != 0 } ?? false
    let state: SyncState =
      if engine?.isRunning == true {
        .running
      } else if last?.problem != nil {
        .failed
      } else {
        isPaused ? .paused : .idle
      }
    var result = Result(
      state: state, name: stored.name, lastRunAt: last?.at, problem: last?.problem.map { snapshot.words($0.text) },
      waiting: try waiting(since: stored.absorbed ?? 0, in: snapshot),
      waitingFiles: try files.unsent(
        generation: stored.generation, at: snapshot.services.now().milliseconds, in: snapshot.db
      ).count, filesElsewhere: try files.missing(in: snapshot.db).count,
      conflicts: try count("conflict WHERE source LIKE '\(ConflictRecord.devicePrefix)%'", in: snapshot),
      damaged: stored.ledger.damaged.count, diverged: stored.ledger.divergedAt == nil ? nil : true,
      missing: stored.ledger.missing, newer: stored.ledger.newer,
      oversized: engine?.oversized.count ?? 0, place: place,
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
      case .idle where result.waiting > 0: Text("sync.line.waiting", ["count": String(result.waiting)])
      case .idle where result.newer > 0: Text("sync.line.newer")
      case .idle: Text("sync.line.idle")
      }
    let devices = result.devices.filter { !$0.isThis }.map { device in
      [device.name, device.lastSeenAt.map { time($0, in: snapshot) }].compactMap(\.self).joined(separator: " ")
    }
    let counts = [
      ("sync.line.conflicts", result.conflicts), ("sync.line.damaged", result.damaged),
      ("sync.line.missing", result.missing),
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

  private static func count(_ rows: String, in snapshot: Snapshot) throws -> Int {
    try snapshot.db.first("SELECT count(*) FROM \(rows)") { $0.int(0) } ?? 0
  }
}
