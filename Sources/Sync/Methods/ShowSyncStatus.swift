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

  struct Device: Payload {
    var name: String
    var lastSeenAt: Instant?
    var isThis: Bool
    var isUpToDate: Bool
    static let example = Device(
      name: "phone", lastSeenAt: Instant(milliseconds: 1_795_225_445_678), isThis: false, isUpToDate: true)
    static let fields = [
      "name": "Its name for people.",
      "lastSeenAt": "When it last wrote a file, by its own clock; absent if it has written none.",
      "isThis": "Whether it is this device.",
      "isUpToDate": "Whether it had read all files of this device when it last wrote one.",
    ]
  }

  struct Result: Payload {
    var state: SyncState
    var name: String?
    var lastRunAt: Instant?
    var problem: String?
    var waiting: Int
    var waitingFiles: Int
    var missingFiles: Int
    var conflicts: Int
    var damaged: Int
    var devices: [Device]
    static let example = Result(
      state: .idle, name: "laptop", lastRunAt: Instant(milliseconds: 1_795_225_445_678), problem: nil, waiting: 0,
      waitingFiles: 0, missingFiles: 2, conflicts: 1, damaged: 0, devices: [.example])
    static let fields = [
      "state": "`off`: not set up. `failed`: the last run failed; it is tried again.",
      "name": "The name of this device for people.", "lastRunAt": "When the last run of this daemon ended.",
      "problem": "Why the last run failed.", "waiting": "The number of items that no file at the target has yet.",
      "waitingFiles": "The number of files here, such as documents, that may not lie at the target yet.",
      "missingFiles": "The number of files that only other devices have.",
      "conflicts": "The number of conflicts between devices, see `changes/conflicts`.",
      "damaged": "The number of files at the target that no device could read yet.",
      "devices": "All devices that share the library, this one first.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    guard let stored = try StoredLedger.read(in: snapshot.db) else {
      return Result(
        state: .off, name: nil, lastRunAt: nil, problem: nil, waiting: 0, waitingFiles: 0, missingFiles: 0,
        conflicts: 0,
        damaged: 0, devices: [])
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
    return Result(
      state: state, name: stored.name, lastRunAt: last?.at, problem: last?.problem.map { snapshot.words($0.text) },
      waiting: try waiting(since: stored.absorbed ?? 0, in: snapshot),
      waitingFiles: try files.unsent(
        generation: stored.generation, at: snapshot.services.now().milliseconds, in: snapshot.db
      ).count, missingFiles: try files.missing(in: snapshot.db).count,
      conflicts: try count("conflict WHERE source LIKE '\(SharingTransaction.sourcePrefix)%'", in: snapshot),
      damaged: stored.ledger.damaged.count, devices: devices(of: stored))
  }

  /// The items that are in no file, and those that were written since they were last absorbed.
  private static func waiting(since clock: Int64, in snapshot: Snapshot) throws -> Int {
    let shared = SharedCollections(snapshot.services.library).all.map { "'\($0.name)'" }.joined(separator: ", ")
    return try snapshot.db.first(
      """
      SELECT count(*) FROM (
        SELECT collection, id FROM syncItem WHERE file IS NULL
        UNION SELECT h.collection, h.id FROM changes h JOIN commits c ON c.clock = h.clock
          WHERE h.clock > ? AND NOT (c.connection = '' AND c.label = ?) AND h.collection IN (\(shared)))
      """, [.integer(clock), .text(SharingTransaction.label)]
    ) { $0.int(0) } ?? 0
  }

  private static func count(_ rows: String, in snapshot: Snapshot) throws -> Int {
    try snapshot.db.first("SELECT count(*) FROM \(rows)") { $0.int(0) } ?? 0
  }

  /// A device that was started anew writes as another writer: the last one counts.
  private static func devices(of stored: StoredLedger) -> [Device] {
    let ledger = stored.ledger
    let own = Device(
      name: stored.name, lastSeenAt: ledger.lastWrite > 0 ? Instant(milliseconds: ledger.lastWrite) : nil, isThis: true,
      isUpToDate: true)
    var newest: [String: FileLedger.Peer] = [:]
    for peer in ledger.peers.values where peer.device != ledger.identity.device {
      if peer.at >= newest[peer.device]?.at ?? 0 { newest[peer.device] = peer }
    }
    let files = ledger.records.keys.filter { $0.file.writer == ledger.writer }.map(\.file)
    let others = newest.values.sorted { ($0.name, $0.device) < ($1.name, $1.device) }.map { peer in
      Device(
        name: peer.name, lastSeenAt: Instant(milliseconds: peer.at), isThis: false,
        isUpToDate: files.allSatisfy(peer.reads.contains))
    }
    return [own] + others
  }
}
