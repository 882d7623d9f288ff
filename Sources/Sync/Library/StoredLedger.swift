import Contract
import SQLite
import Store
import Wire

/// What the library remembers while it is shared, in its tables: the ledger of files, and what was absorbed.
struct StoredLedger: Equatable {
  /// The target's space, as hexadecimal digits, and the generation of its secret.
  var space: String
  var generation: Int
  /// The name of this device for people.
  var name: String
  /// The clock up to which changes of the library are in the states; nil until all items are.
  var absorbed: Int64?
  /// The clock up to which the changes of its writer are in files; nil if a version that did not note it wrote the last.
  var written: Int64?
  /// The fields that the version shared that ran last, by collection; nil if it noted none. See `AddedFields`.
  var fields: [String: [String]]?
  /// The last write that files have of a writer whose library this one is a copy of, as long as later ones of it are in
  /// states. See `SharedLibrary.moveCopiedWrites`.
  var copied: Dot?
  /// When the library was first shared, in milliseconds since 1970; 0 in one that an earlier version shared.
  var sharedAt: Int64 = 0
  /// Whether no file was written since: no other device can know this library.
  var isUnknown = false
  /// The moments for all items that others had forgotten up to before they could know this library, whatever their
  /// clocks were.
  var earlierMoments: Set<Dot> = []
  var ledger: FileLedger
  /// Of all states; nil in a library that an earlier version shared, until it is first asked for.
  var digest: StateDigest?

  init(space: String, generation: Int, name: String, _ ledger: FileLedger) {
    (self.space, self.generation, self.name, self.ledger) = (space, generation, name, ledger)
    // There are no states yet.
    digest = StateDigest()
  }

  // MARK: - Tables

  /// - Returns: nil if the library is not shared.
  /// - Throws: `StoreError.broken` for values that no version of ours stored, `DatabaseError`.
  static func read(in db: Database) throws -> StoredLedger? {
    guard var stored = try readRow(in: db) else { return nil }
    try db.each("SELECT name, record FROM syncFile") { row in
      guard let name = FileName(try row.requiredText(0)),
        let record = (try? JSONParser.parse(row.requiredText(1))).flatMap({ FileLedger.Record($0) })
      else { throw StoreError.broken(path: "", reason: "syncFile.record") }
      stored.ledger.records[name] = record
    }
    try db.each("SELECT writer, peer FROM syncPeer") { row in
      guard let writer = WriterID(try row.requiredText(0)),
        let peer = (try? JSONParser.parse(row.requiredText(1))).flatMap({ FileLedger.Peer($0) })
      else { throw StoreError.broken(path: "", reason: "syncPeer.peer") }
      stored.ledger.peers[writer] = peer
    }
    var upTo: [WriterID: Int64] = [:]
    try db.each("SELECT writer, upTo FROM syncSeen") { row in
      guard let writer = WriterID(try row.requiredText(0)) else {
        throw StoreError.broken(path: "", reason: "syncSeen.writer")
      }
      upTo[writer] = row.integer(1)
    }
    stored.ledger.seen = FileSet(upTo: upTo, also: stored.ledger.seen.also)
    try db.each("SELECT name, bytes FROM syncStaged ORDER BY place") { row in
      guard let name = FileName(try row.requiredText(0)) else {
        throw StoreError.broken(path: "", reason: "syncStaged.name")
      }
      stored.ledger.staged.append(FileLedger.Staged(name: name, bytes: Array(row.bytes(1))))
    }
    for index in stored.ledger.staged.indices {
      stored.ledger.staged[index].bytes += try StagedParts.bytes(of: stored.ledger.staged[index].name, in: db)
    }
    return stored
  }

  /// Reads it without the files and the other writers, which have tables of their own.
  ///
  /// - Returns: nil if the library is not shared.
  /// - Throws: as `read`.
  static func readRow(in db: Database) throws -> StoredLedger? {
    guard let text = try db.first("SELECT ledger FROM syncSpace", [], { try $0.requiredText(0) }) else { return nil }
    guard let json = try? JSONParser.parse(text), let stored = StoredLedger(json) else {
      throw StoreError.broken(path: "", reason: "syncSpace.ledger")
    }
    return stored
  }

  /// - Returns: `fields` alone; nil if the library is not shared, too.
  /// - Throws: `DatabaseError`.
  static func fields(in db: Database) throws -> [String: [String]]? {
    let text = try db.first("SELECT ledger -> 'fields' FROM syncSpace") { $0.isNull(0) ? nil : $0.text(0) } ?? nil
    return text.flatMap { try? JSONParser.parse($0) }.flatMap(fields)
  }

  private static func fields(_ json: JSONValue) -> [String: [String]]? {
    guard let members = json.objectValue?.members else { return nil }
    let pairs = members.map { ($0.key, ($0.value.arrayValue ?? []).compactMap(\.stringValue)) }
    return Dictionary(pairs, uniquingKeysWith: { $1 })
  }

  /// Stores what differs from `old`, which the tables have.
  ///
  /// - Throws: `DatabaseError`.
  func write(over old: StoredLedger?, in db: Database) throws {
    if old.map({ !hasSameRow(as: $0) }) ?? true {
      try db.run(
        "INSERT INTO syncSpace (one, space, ledger) VALUES (1, ?1, ?2) ON CONFLICT DO UPDATE SET space = ?1, ledger = ?2",
        [.text(space), .text(json.description)])
    }
    let known = old?.ledger.records ?? [:]
    for (name, record) in ledger.records where known[name] != record {
      try db.run(
        "INSERT INTO syncFile (name, record) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET record = ?2",
        [.text(name.description), .text(record.json.description)])
    }
    for name in known.keys where ledger.records[name] == nil {
      try db.run("DELETE FROM syncFile WHERE name = ?", [.text(name.description)])
    }
    try writePeers(over: old?.ledger.peers ?? [:], in: db)
    try writeSeen(over: old?.ledger.seen.upTo ?? [:], in: db)
    let staged = old?.ledger.staged ?? []
    if staged == ledger.staged { return }
    let (names, kept) = (Set(staged.map(\.name)), Set(ledger.staged.map(\.name)))
    for name in names.subtracting(kept) {
      try db.run("DELETE FROM syncStaged WHERE name = ?", [.text(name.description)])
    }
    for file in ledger.staged where !names.contains(file.name) {
      let hasParts = try StagedParts.exist(of: file.name, in: db)
      try db.run("INSERT INTO syncStaged (name, place, bytes) VALUES (?, ?, ?)") {
        $0.add(file.name.description)
        $0.add(file.name.file.number)
        $0.add(hasParts ? StagedParts.first(of: file.bytes) : file.bytes)
      }
    }
  }

  private func writePeers(over known: [WriterID: FileLedger.Peer], in db: Database) throws {
    for (writer, peer) in ledger.peers where known[writer] != peer {
      try db.run(
        "INSERT INTO syncPeer (writer, peer) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET peer = ?2",
        [.text(writer.description), .text(peer.json.description)])
    }
    for writer in known.keys where ledger.peers[writer] == nil {
      try db.run("DELETE FROM syncPeer WHERE writer = ?", [.text(writer.description)])
    }
  }

  private func writeSeen(over known: [WriterID: Int64], in db: Database) throws {
    for (writer, number) in ledger.seen.upTo where known[writer] != number {
      try db.run(
        "INSERT INTO syncSeen (writer, upTo) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET upTo = ?2",
        [.text(writer.description), .integer(number)])
    }
    for writer in known.keys where ledger.seen.upTo[writer] == nil {
      try db.run("DELETE FROM syncSeen WHERE writer = ?", [.text(writer.description)])
    }
  }

  /// Whether both are the same without what has tables of its own.
  private func hasSameRow(as old: StoredLedger) -> Bool {
    func row(_ stored: StoredLedger) -> StoredLedger {
      var row = stored
      (row.ledger.records, row.ledger.staged, row.ledger.peers) = ([:], [], [:])
      row.ledger.seen = FileSet(upTo: [:], also: row.ledger.seen.also)
      return row
    }
    return sameBytes(name, old.name) && row(self) == row(old)
  }

  /// Forgets all of it: the library is no longer shared.
  ///
  /// - Throws: `DatabaseError`.
  static func remove(from db: Database) throws {
    let tables = [
      "syncItem", "syncLink", "syncHidden", "syncFile", "syncStaged", "syncStagedPart", "syncPeer", "syncSeen",
      "syncSent", "syncUnnamed", "syncSpace",
    ]
    for table in tables {
      try db.run("DELETE FROM \(table)")
    }
  }
}

// MARK: - JSON

extension StoredLedger {
  private var json: JSONValue {
    var json: JSONObject = [
      "space": .string(space), "generation": .integer(Int64(generation)), "name": .string(name),
    ]
    json["formats"] = .integer(ledger.formats)
    json["absorbed"] = absorbed.map { .integer($0) }
    json["written"] = written.map { .integer($0) }
    json["copied"] = copied.map { FileID($0.writer, $0.number).json }
    json["fields"] = fields.map { fields in
      let members = fields.sorted { $0.key < $1.key }.map { name, fields in
        JSONObject.Member(key: name, value: .array(fields.map { .string($0) }))
      }
      return .object(JSONObject(members))
    }
    json["writer"] = .string(ledger.writer.description)
    json["identity"] = [
      "boot": .string(ledger.identity.boot), "device": .string(ledger.identity.device),
      "epoch": .string(ledger.identity.epoch),
    ]
    json["next"] = .integer(ledger.next)
    json["lastAt"] = .integer(ledger.lastAt)
    json["lastWrite"] = .integer(ledger.lastWrite)
    json["day"] = [.integer(ledger.day.began), .integer(ledger.day.files)]
    json["also"] = .array(ledger.seen.also.sorted().map(\.json))
    json["lost"] = .array(ledger.lost.sorted().map(\.json))
    json["needsCompaction"] = .bool(ledger.needsCompaction)
    json["compaction"] = ledger.compaction?.json
    json["divergedAt"] = ledger.divergedAt.map { .integer($0) }
    json["forgottenAt"] = ledger.forgottenAt.map { .integer($0) }
    json["sharedAt"] = .integer(sharedAt)
    if isUnknown { json["isUnknown"] = true }
    if !earlierMoments.isEmpty {
      json["earlierMoments"] = .array(earlierMoments.sorted().map { FileID($0.writer, $0.number).json })
    }
    json["digest"] = digest.map { .string($0.description) }
    json["needsReport"] = .bool(ledger.needsReport)
    json["patience"] = .number(ledger.patience)
    return .object(json)
  }

  private init?(_ json: JSONValue) {
    guard let space = json["space"]?.stringValue, let generation = json["generation"]?.exactInteger,
      let name = json["name"]?.stringValue, let writer = json["writer"]?.stringValue.flatMap({ WriterID($0) }),
      let boot = json["identity"]?["boot"]?.stringValue, let device = json["identity"]?["device"]?.stringValue,
      let epoch = json["identity"]?["epoch"]?.stringValue, let next = json["next"]?.exactInteger,
      let lastAt = json["lastAt"]?.exactInteger, let lastWrite = json["lastWrite"]?.exactInteger,
      let also = json["also"]?.arrayValue, let lost = json["lost"]?.arrayValue,
      let patience = json["patience"]?.doubleValue
    else { return nil }
    var random = SystemRandomNumberGenerator()
    var ledger = FileLedger(WriterIdentity(boot: boot, device: device, epoch: epoch), using: &random)
    (ledger.writer, ledger.next, ledger.lastAt, ledger.lastWrite) = (writer, next, lastAt, lastWrite)
    ledger.seen = FileSet(upTo: [:], also: also.compactMap { FileID($0) })
    (ledger.lost, ledger.patience) = (Set(lost.compactMap { FileID($0) }), patience)
    ledger.needsCompaction = json["needsCompaction"]?.boolValue ?? false
    ledger.compaction = json["compaction"].flatMap { FileLedger.Compaction($0) }
    ledger.divergedAt = json["divergedAt"]?.exactInteger
    ledger.forgottenAt = json["forgottenAt"]?.exactInteger
    if let day = json["day"]?.arrayValue?.compactMap(\.exactInteger), day.count == 2 {
      ledger.day = FileLedger.Day(began: day[0], files: day[1])
    }
    ledger.needsReport = json["needsReport"]?.boolValue ?? false
    ledger.formats = json["formats"]?.exactInteger ?? ledger.formats
    self.init(space: space, generation: Int(generation), name: name, ledger)
    absorbed = json["absorbed"]?.exactInteger
    written = json["written"]?.exactInteger
    copied = json["copied"].flatMap { FileID($0) }.map { Dot($0.writer, $0.number) }
    fields = json["fields"].flatMap(Self.fields)
    sharedAt = json["sharedAt"]?.exactInteger ?? 0
    isUnknown = json["isUnknown"]?.boolValue ?? false
    let moments = (json["earlierMoments"]?.arrayValue ?? []).compactMap { FileID($0) }
    earlierMoments = Set(moments.map { Dot($0.writer, $0.number) })
    digest = json["digest"]?.stringValue.flatMap { StateDigest($0) }
  }
}

extension FileID {
  fileprivate var json: JSONValue { [.string(writer.description), .integer(number)] }

  fileprivate init?(_ json: JSONValue) {
    guard let pair = json.arrayValue, pair.count == 2, let writer = pair[0].stringValue.flatMap({ WriterID($0) }),
      let number = pair[1].exactInteger
    else { return nil }
    self.init(writer, number)
  }
}

extension FileSet {
  fileprivate var json: JSONValue {
    [
      .array(upTo.map { FileID($0.key, $0.value) }.sorted().map(\.json)), .array(also.sorted().map(\.json)),
    ]
  }

  fileprivate init?(_ json: JSONValue) {
    guard let lists = json.arrayValue, lists.count == 2 else { return nil }
    let (runs, also) = (lists[0].arrayValue ?? [], lists[1].arrayValue ?? [])
    let pairs = runs.compactMap { FileID($0) }.map { ($0.writer, $0.number) }
    self.init(upTo: Dictionary(pairs, uniquingKeysWith: max), also: also.compactMap { FileID($0) })
  }
}

extension FileLedger.Compaction {
  fileprivate var json: JSONValue {
    var json: JSONObject = ["first": .integer(first), "includes": includes.json]
    json["last"] = last.map { [.string($0.collection.text), .string($0.id.text)] }
    json["digest"] = digest.map { .string($0.description) }
    return .object(json)
  }

  fileprivate init?(_ json: JSONValue) {
    guard let first = json["first"]?.exactInteger, let includes = json["includes"].flatMap({ FileSet($0) }) else {
      return nil
    }
    self.init(first: first, includes: includes)
    if let last = json["last"]?.arrayValue, last.count == 2, let collection = last[0].stringValue,
      let id = last[1].stringValue
    {
      self.last = ItemKey(ByteKey(collection), ByteKey(id))
    }
    digest = json["digest"]?.stringValue.flatMap { StateDigest($0) }
  }
}

extension FileLedger.Peer {
  fileprivate var json: JSONValue {
    [
      "device": .string(device), "name": .string(name), "at": .integer(at), "schema": .integer(schema),
      "file": .integer(file), "reads": reads.json, "heard": .integer(heard),
    ]
  }

  fileprivate init?(_ json: JSONValue) {
    guard let device = json["device"]?.stringValue, let name = json["name"]?.stringValue,
      let at = json["at"]?.exactInteger, let schema = json["schema"]?.exactInteger,
      let file = json["file"]?.exactInteger, let reads = json["reads"].flatMap({ FileSet($0) })
    else { return nil }
    self.init(
      device: device, name: name, at: at, schema: schema, file: file, reads: reads,
      heard: json["heard"]?.exactInteger ?? at)
  }
}

extension FileLedger.Record {
  fileprivate var json: JSONValue {
    var json: JSONObject = ["size": .integer(Int64(size))]
    switch reading {
    case .waiting(let failures, let next): json["waiting"] = [.integer(Int64(failures)), .integer(next)]
    case .damaged(let next): json["damaged"] = .integer(next)
    case .newer: json["newer"] = .bool(true)
    case .outdated: json["outdated"] = .bool(true)
    case .read: break
    }
    if !includes.isEmpty { json["includes"] = includes.json }
    if isCompaction { json["compaction"] = .bool(true) }
    if parts > 1 { json["parts"] = .integer(parts) }
    if isContinued { json["continued"] = .bool(true) }
    json["missingSince"] = missingSince.map { .integer($0) }
    json["replacedAt"] = replacedAt.map { .integer($0) }
    json["includedSince"] = includedSince.map { .integer($0) }
    if isReported { json["reported"] = .bool(true) }
    return .object(json)
  }

  fileprivate init?(_ json: JSONValue) {
    guard let size = json["size"]?.exactInteger else { return nil }
    var reading = Reading.read
    if let waiting = json["waiting"]?.arrayValue, waiting.count == 2, let failures = waiting[0].exactInteger,
      let next = waiting[1].exactInteger
    {
      reading = .waiting(failures: Int(failures), next: next)
    } else if let next = json["damaged"]?.exactInteger {
      reading = .damaged(next: next)
    } else if json["newer"]?.boolValue == true {
      reading = .newer
    } else if json["outdated"]?.boolValue == true {
      reading = .outdated
    }
    self.init(size: Int(size), reading: reading)
    includes = json["includes"].flatMap { FileSet($0) } ?? FileSet()
    isCompaction = json["compaction"]?.boolValue ?? false
    parts = json["parts"]?.exactInteger ?? 1
    isContinued = json["continued"]?.boolValue ?? false
    missingSince = json["missingSince"]?.exactInteger
    replacedAt = json["replacedAt"]?.exactInteger
    includedSince = json["includedSince"]?.exactInteger
    isReported = json["reported"]?.boolValue ?? false
  }
}

extension StoredLedger {
  /// The name that the next file states: in the first one with a number if another device has the same name, as two
  /// libraries of one machine would.
  var distinctName: String {
    guard ledger.lastWrite == 0 else { return name }
    let others = ledger.peers.values.filter { $0.device != ledger.identity.device }.map(\.name)
    guard others.contains(where: { sameBytes($0, name) }) else { return name }
    let numbered = (2...others.count + 2).lazy.map { "\(name.prefix(90)) \($0)" }
    return numbered.first { name in !others.contains { sameBytes($0, name) } } ?? name
  }
}
