import Contract
import Kit
import Store
import Wire

/// A device that shares the library.
struct SyncDevice: Payload {
  var id: String
  var name: String
  var lastSeenAt: Instant?
  var isThis: Bool
  var isUpToDate: Bool
  var version: Int
  var clockAhead: Int?
  static let example = SyncDevice(
    id: "019c2f5e", name: "phone", lastSeenAt: Instant(milliseconds: 1_795_225_445_678), isThis: false,
    isUpToDate: true, version: 1, clockAhead: nil)
  static let fields = [
    "id": "Its id.", "name": "Its name for people.",
    "lastSeenAt": "When it last wrote a file, by its own clock; absent if it has written none.",
    "isThis": "Whether it is this device.",
    "isUpToDate": "Whether it had read all files of this device when it last wrote one.",
    "version":
      "The version of what it shares, as its last file states it: a greater one than that of this device has collections or "
      + "fields that are kept here and not shown.",
    "clockAhead": "By how many seconds its clock is ahead of this one at least, if that is more than 5 minutes.",
  ]

  /// This device and the others. A device that was started anew writes as another writer: the last one counts.
  static func all(of stored: StoredLedger) -> [SyncDevice] {
    let ledger = stored.ledger
    let own = SyncDevice(
      id: ledger.identity.device, name: stored.name,
      lastSeenAt: ledger.lastWrite > 0 ? Instant(milliseconds: ledger.lastWrite) : nil, isThis: true, isUpToDate: true,
      version: Int(SharedCollections.version))
    var newest: [String: FileLedger.Peer] = [:]
    for peer in ledger.peers.values where peer.device != ledger.identity.device {
      if peer.at >= newest[peer.device]?.at ?? 0 { newest[peer.device] = peer }
    }
    let files = ledger.records.keys.filter { $0.file.writer == ledger.writer }.map(\.file)
    let others = newest.values.sorted { ($0.name, $0.device) < ($1.name, $1.device) }.map { peer in
      let ahead = (peer.at - peer.heard) / 1_000
      return SyncDevice(
        id: peer.device, name: peer.name, lastSeenAt: Instant(milliseconds: peer.at), isThis: false,
        isUpToDate: files.allSatisfy(peer.reads.contains), version: Int(peer.schema),
        clockAhead: ahead > 300 ? Int(ahead) : nil)
    }
    return [own] + others
  }
}

enum ListSyncDevices: ReadMethod {
  static let name = "sync/devices"
  static let summary = "The devices that share the library, this one first."
  static let effects: Effects = .reads

  typealias Params = Empty

  struct Result: Payload {
    var items: [SyncDevice]
    static let example = Result(items: [.example])
    static let fields = ["items": "The devices; empty if the library is not shared."]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    Result(items: try StoredLedger.read(in: snapshot.db).map(SyncDevice.all) ?? [])
  }
}

enum UpdateSyncDevice: WriteMethod {
  static let name = "sync/updateDevice"
  static let summary = "Renames this device. The others show the new name after its next file."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notAllowed]

  struct Params: Payload {
    var name: String
    static let example = Params(name: "laptop")
    static let fields = ["name": "The name for people."]
    static let limits = SetUpSync.Params.limits.filter { $0.key == "name" }
  }
  typealias Result = Empty

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    try StoredLedger.change(in: transaction) { $0.name = params.name }
    return Empty()
  }
}

enum ForgetSyncDevice: WriteMethod {
  static let name = "sync/forgetDevice"
  static let summary =
    "Takes a device that is gone out of the list. It is listed again if it writes again: `sync/renew` keeps it out."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notAllowed, .notFound]

  struct Params: Payload {
    var id: String
    static let example = Params(id: "019c2f5e")
    static let fields = ["id": "The device, as `sync/devices` lists it; not this one."]
    static let limits: [String: FieldLimits] = ["id": .length(1...256)]
  }
  typealias Result = Empty

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    try StoredLedger.change(in: transaction) { stored in
      let isOwn = params.id == stored.ledger.identity.device
      guard !isOwn, stored.ledger.forget(device: params.id) else { throw SyncProblem.unknownDevice }
    }
    return Empty()
  }
}

extension StoredLedger {
  /// Changes the ledger outside of a run.
  ///
  /// - Throws: `RPCError` if the library is not shared, `StoreError.broken`, `DatabaseError`.
  fileprivate static func change(in transaction: Transaction, _ body: (inout StoredLedger) throws -> Void) throws {
    guard let old = try read(in: transaction.db) else { throw SyncProblem.off }
    var stored = old
    try body(&stored)
    transaction.services.sync.noteLedgerChange()
    try stored.write(over: old, in: transaction.db)
    transaction.changeSetting()
  }
}
