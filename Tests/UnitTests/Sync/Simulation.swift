import TestSupport
import Wire

@testable import Sync

/// Several devices that edit and sync one library, led by chance, and what has to hold in the end.
struct Simulation {
  struct Device {
    var id: String
    var library: SimulatedLibrary
    var run: SyncRun?
    var clockError: Int64 = 0
    var isAlive = true
    var isOnline = true
    var store = SimulatedStore()
    var carrier = SimulatedCarrier()
    var boot = 0
    /// A copy of the disk.
    var image: SimulatedLibrary?
  }

  /// A written value that must be current or listed in the end, unless somebody who saw it replaced it.
  struct Owed {
    var key: ItemKey
    var field: ByteKey
    var author: Int
  }

  static let cards = SyncedCollection(
    ["title": .latest, "rank": .quiet, "done": .maximum, "body": .text, "tags": .set, "waits": .references("cards")],
    acyclic: ["waits"])
  static let documents = SyncedCollection(["title": .latest, "hash": .latest, "page": .quiet], identity: "hash")
  static let marks = SyncedCollection(["document": .reference("documents"), "note": .text], holder: "document")
  static let older = SyncSchema(version: 1, ["cards": cards, "documents": documents, "marks": marks])
  /// With a collection, a field and a value that the older one does not know.
  static let newer: SyncSchema = {
    var schema = older
    schema.version = 2
    schema.collections["books"] = SyncedCollection(["title": .latest, "tags": .set])
    schema.collections["cards"]?.fields["color"] = .latest
    return schema
  }()

  /// A fetched file: all devices read the same ones.
  private struct Fetched: Hashable {
    var name: FileName
    var bytes: [UInt8]
  }

  /// Takes the place of a device while it is changed, of which there would be two copies otherwise.
  private static let noDevice: Device = {
    var random = SeededGenerator(seed: 0)
    let identity = WriterIdentity(boot: "", device: "", epoch: "")
    return Device(id: "", library: SimulatedLibrary(older, FileLedger(identity, using: &random)))
  }()

  private var random: SeededGenerator
  private var devices: [Device] = []
  private var now: Int64 = 1_790_000_000_000
  private var hub: [String: [UInt8]] = [:]
  private var opened: [Fetched: OpenedLog] = [:]
  private var server = SimulatedStore()
  private let hasServer: Bool
  private let isDamaging: Bool
  private let isLosing: Bool
  private var isQuiet = false
  private var policy = SyncPolicy()
  private var owed: [String: Owed] = [:]
  private var replaced: Set<String> = []
  /// Items that were removed by a device that had seen all their edits, and that nobody edited since.
  private var removed: Set<ItemKey> = []
  /// Items with edits of which the simulation does not know who has seen them.
  private var unfollowed: Set<ItemKey> = []
  private var words = 0
  private(set) var edits = 0
  private(set) var runs = 0

  /// - Parameter omitted: what the devices leave out when they join files.
  init(seed: UInt64, omitting omitted: OmittedRule? = nil) {
    random = SeededGenerator(seed: seed)
    hasServer = Bool.random(using: &random)
    isDamaging = Int.random(in: 0..<3, using: &random) == 0
    isLosing = Int.random(in: 0..<3, using: &random) == 0
    policy.files = Int.random(in: 3...12, using: &random)
    policy.bytes = Int.random(in: 1_000...20_000, using: &random)
    if Bool.random(using: &random) { policy.heartbeat = nil }
    // Compactions of several files.
    if Bool.random(using: &random) { policy.fileBytes = Int.random(in: 1_000...10_000, using: &random) }
    let hasVersions = Bool.random(using: &random)
    for number in 0..<Int.random(in: 2...5, using: &random) {
      let schema = hasVersions && number % 2 == 0 ? Self.older : Self.newer
      let ledger = FileLedger(WriterIdentity(boot: "0", device: "d\(number)", epoch: "e"), using: &random)
      devices.append(Device(id: "d\(number)", library: SimulatedLibrary(schema, ledger)))
      devices[number].library.states.omitted = omitted
    }
  }

  /// - Returns: what did not hold; empty if all did.
  mutating func failures() -> [String] {
    for _ in 0..<Int.random(in: 40...160, using: &random) { step() }
    return settle() + checkEnd()
  }

  private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  private mutating func step() {
    now += Int64.random(in: 0...(chance(10) ? 3 * SyncPolicy.day : SyncPolicy.hour), using: &random)
    let living = devices.indices.filter { devices[$0].isAlive }
    guard let index = living.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<14: edit(index)
    case 14..<30: for _ in 0..<Int.random(in: 1...12, using: &random) { advance(index) }
    case 30: devices[index].isOnline.toggle()
    // A crash: the run is gone, what it has written is not.
    case 31: devices[index].run = nil
    case 32:
      let years = Int64.random(in: -3...3, using: &random)
      devices[index].clockError = chance(2) ? 0 : years * 365 * SyncPolicy.day
    case 33, 34: carry(index)
    case 35 where isLosing: devices[index].image = devices[index].library
    case 36 where isLosing: restore(index)
    case 37 where isLosing && living.count > 2 && chance(4): lose(index) { $0.isAlive = false }
    case 38 where isDamaging: damage(index)
    default: carry(index)
    }
  }

  // MARK: - Edits

  private mutating func word(_ letter: String) -> String {
    words += 1
    return "\(letter)\(words)"
  }

  private mutating func edit(_ index: Int) {
    edits += 1
    devices[index].library.show()
    let rows = devices[index].library.rows
    let known = devices[index].library.schema.collections.keys.sorted()
    let collection = known.randomElement(using: &random) ?? "cards"
    let keys = rows.keys.filter { $0.collection == collection }.sorted()
    guard let key = keys.randomElement(using: &random), keys.count > 5 || !chance(3) else {
      return add(index, to: collection)
    }
    let row = rows[key] ?? [:]
    if chance(12) { return remove(index, key) }
    let fields = devices[index].library.schema.collections[collection]?.fields ?? [:]
    guard let (field, kind) = fields.sorted(by: { $0.key < $1.key }).randomElement(using: &random) else { return }
    if kind != .quiet { removed.remove(key) }
    if kind == .references("cards") || kind == .maximum { unfollowed.insert(key) }
    switch (collection, field, kind) {
    case ("documents", "hash", _), (_, _, .reference): return
    case ("cards", "done", _): finish(index, key)
    case (_, _, .latest): write(index, key, field, .string(word("v")), adding: nil)
    case (_, _, .quiet), (_, _, .maximum):
      var row = row
      row[field] = .integer(Int64.random(in: 1...100, using: &random))
      devices[index].library.put(row, at: key)
    case (_, _, .text):
      var lines = (row[field]?.stringValue ?? "").split(separator: "\n").map(String.init)
      if !lines.isEmpty, chance(4) { lines.remove(at: Int.random(in: 0..<lines.count, using: &random)) }
      let line = word("l")
      lines.insert(line, at: Int.random(in: 0...lines.count, using: &random))
      write(index, key, field, .string(lines.map { $0 + "\n" }.joined()), adding: line)
    case (_, _, .set):
      var tags = row[field]?.arrayValue?.compactMap(\.stringValue) ?? []
      if !tags.isEmpty, chance(3) { tags.remove(at: Int.random(in: 0..<tags.count, using: &random)) }
      if chance(4) { tags.shuffle(using: &random) }
      let tag = word("t")
      tags.insert(tag, at: Int.random(in: 0...tags.count, using: &random))
      write(index, key, field, .array(tags.map { .string($0) }), adding: tag)
    case (_, _, .references):
      var row = row
      let ids = keys.filter { $0 != key && chance(3) }.map { JSONValue.string($0.id.text) }
      row[field] = ids.isEmpty ? nil : .array(ids)
      devices[index].library.put(row, at: key)
    }
  }

  /// Writes a value that is owed from now on; what it replaces was seen.
  private mutating func write(
    _ index: Int, _ key: ItemKey, _ field: ByteKey, _ value: JSONValue, adding element: String?
  ) {
    var row = devices[index].library.rows[key] ?? [:]
    let before = Self.words(in: row[field]).union(listed(index, key, field, isText: element != nil))
    row[field] = value
    replaced.formUnion(before.subtracting(Self.words(in: value)))
    devices[index].library.put(row, at: key)
    for word in element.map({ [$0] }) ?? Array(Self.words(in: value)) {
      owed[word] = Owed(key: key, field: field, author: index)
    }
  }

  /// The words of a conflict that is listed for a value; the lines of a text are all in the text itself.
  private func listed(_ index: Int, _ key: ItemKey, _ field: ByteKey, isText: Bool) -> Set<String> {
    if isText { return [] }
    return devices[index].library.view.conflicts.filter { $0.item == key && $0.field == field }.reduce(into: []) {
      for value in $1.values { $0.formUnion(Self.words(in: value)) }
    }
  }

  private static func words(in value: JSONValue?) -> Set<String> {
    switch value {
    case .string(let text): Set(text.split(separator: "\n").map(String.init))
    case .array(let list): list.reduce(into: []) { $0.formUnion(words(in: $1)) }
    default: []
    }
  }

  private mutating func add(_ index: Int, to collection: ByteKey) {
    let key = ItemKey(collection, ByteKey(word("i")))
    switch collection {
    case "documents":
      // The same file is often added on two devices.
      let hash = JSONValue.string("h\(Int.random(in: 0..<6, using: &random))")
      let isThere = devices[index].library.rows.contains { $0.key.collection == collection && $0.value["hash"] == hash }
      if isThere { return }
      devices[index].library.put(["hash": hash], at: key)
      write(index, key, "title", .string(word("v")), adding: nil)
    case "marks":
      let documents = devices[index].library.rows.keys.filter { $0.collection == "documents" }.sorted()
      guard let document = documents.randomElement(using: &random) else { return }
      devices[index].library.put(["document": .string(document.id.text)], at: key)
      let line = word("l")
      write(index, key, "note", .string("\(line)\n"), adding: line)
    default: write(index, key, "title", .string(word("v")), adding: nil)
    }
  }

  /// A recurring card that is finished makes the next one, on two devices the same.
  private mutating func finish(_ index: Int, _ key: ItemKey) {
    var row = devices[index].library.rows[key] ?? [:]
    let done = (row["done"]?.integerValue ?? 0) + 1
    row["done"] = .integer(done)
    devices[index].library.put(row, at: key)
    let next = ItemKey(key.collection, ByteKey("n\(key.id.text)-\(done)"))
    guard key.id.text.utf8.count < 12, devices[index].library.rows[next] == nil,
      devices[index].library.states.all[next] == nil
    else { return }
    devices[index].library.put(["rank": .integer(done), "body": "step\nstep 2\n"], at: next, byRule: true)
  }

  private mutating func remove(_ index: Int, _ key: ItemKey) {
    let library = devices[index].library
    var keys = [key]
    // The marks of a document go with it.
    if key.collection == "documents" {
      keys += library.rows.filter { $0.value["document"] == .string(key.id.text) }.map(\.key)
    }
    // A removal covers the whole state, with the fields of newer versions.
    let whole = LibraryView(library.states.all, schema: Self.newer)
    for key in keys {
      for value in whole.rows[key, default: [:]].values { replaced.formUnion(Self.words(in: value)) }
      for value in library.rows[key, default: [:]].values { replaced.formUnion(Self.words(in: value)) }
      for conflict in library.view.conflicts where conflict.item == key {
        for value in conflict.values { replaced.formUnion(Self.words(in: value)) }
      }
      let isSeen = owed.allSatisfy { $0.value.key != key || replaced.contains($0.key) }
      if isSeen, !unfollowed.contains(key), key.id.text.hasPrefix("i"), ["cards", "books"].contains(key.collection) {
        removed.insert(key)
      }
      devices[index].library.remove(key)
    }
  }

  // MARK: - Runs

  private mutating func advance(_ index: Int) {
    guard devices[index].isOnline || isQuiet else { return }
    let time = max(0, now + devices[index].clockError)
    var device = Self.noDevice
    swap(&device, &devices[index])
    defer { swap(&device, &devices[index]) }
    if device.run == nil {
      runs += 1
      // Before anything is absorbed: a copy of a library must not write as the same writer.
      let identity = WriterIdentity(boot: "\(device.boot)", device: device.id, epoch: "e")
      device.library.ledger.begin(identity, using: &random)
      device.run = SyncRun(
        policy: policy, sealing: PlainSealing(),
        device: (device.id, "phone \(index)", device.library.schema.version))
    }
    device.library.absorb(at: time)
    guard var run = device.run.take(), let step = step(of: &run, &device.library, at: time) else { return }
    let faults =
      isQuiet
      ? StoreFaults.none : StoreFaults(lostAnswer: 12, halfPut: 15, staleListing: hasServer ? 6 : nil, failure: 30)
    var answer: SyncAnswer
    if hasServer {
      answer = server.perform(step, faults, &random)
    } else {
      answer = device.store.perform(step, faults, &random)
    }
    // A crash between the operation and its note.
    if !isQuiet, Int.random(in: 0..<40, using: &random) == 0 { return }
    if case .get(let name) = step, case .content(let bytes?) = answer { answer = .opened(open(name, bytes, run)) }
    run.finish(step, answer, &device.library.ledger, &device.library.states, now: time, using: &random)
    device.run = run
  }

  private mutating func open(_ name: FileName, _ bytes: [UInt8], _ run: SyncRun) -> OpenedLog {
    let fetched = Fetched(name: name, bytes: bytes)
    if let log = opened[fetched] { return log }
    let log = run.open(name, bytes)
    opened[fetched] = log
    return log
  }

  /// The next step; nil if the run has ended, also by a crash between the transactions in which a file is written.
  private mutating func step(of run: inout SyncRun, _ library: inout SimulatedLibrary, at time: Int64) -> SyncStep? {
    while true {
      // Only after the last of several files, since it takes long.
      if run.listing.flatMap({ run.unread($0, library.ledger, now: time) }) == nil { library.show() }
      guard let work = run.work(&library.ledger, &library.states, now: time, using: &random) else { return nil }
      switch work {
      case .step(let step): return step
      case .stage(let kind):
        let plan = run.plan(kind, library.ledger, &library.states, now: time)
        if crashes { return nil }
        run.stage(plan, &library.ledger, &library.states, now: time, using: &random)
        let noted = plan.keys.prefix(Int.random(in: 0...plan.keys.count, using: &random))
        library.states.note(Array(noted), writtenTo: plan.file)
        if crashes { return nil }
        library.states.note(Array(plan.keys[noted.endIndex...]), writtenTo: plan.file)
      }
    }
  }

  private var crashes: Bool {
    mutating get { !isQuiet && chance(30) }
  }

  private mutating func carry(_ index: Int) {
    guard !hasServer, devices[index].isOnline || isQuiet else { return }
    var device = Self.noDevice
    swap(&device, &devices[index])
    device.carrier.carry(&device.store, &hub, isWhole: isQuiet, &random)
    swap(&device, &devices[index])
  }

  // MARK: - Losses

  private mutating func damage(_ index: Int) {
    let files = hasServer ? server.files : devices[index].store.files
    guard let name = files.keys.sorted().randomElement(using: &random) else { return }
    var store = hasServer ? server : devices[index].store
    if chance(2) { store.set(name, nil) } else { store.rot(name, &random) }
    if hasServer { server = store } else { devices[index].store = store }
  }

  /// A device that dies or is put back takes along what only it had.
  private mutating func lose(_ index: Int, _ change: (inout Device) -> Void) {
    change(&devices[index])
    devices[index].run = nil
    for index in devices.indices { devices[index].library.show() }
    let seen = devices.filter(\.isAlive).map { Self.words(in: $0.library) }
    owed = owed.filter { word, owed in seen.contains { $0.contains(word) } }
  }

  private static func words(in library: SimulatedLibrary) -> Set<String> {
    var words: Set<String> = []
    for row in library.rows.values { for value in row.values { words.formUnion(Self.words(in: value)) } }
    for conflict in library.view.conflicts { for value in conflict.values { words.formUnion(Self.words(in: value)) } }
    return words
  }

  /// Puts back an image of a disk, or starts a second device from it.
  private mutating func restore(_ index: Int) {
    guard let image = devices[index].image else { return }
    if chance(3), devices.count < 6 {
      var copy = devices[index]
      (copy.id, copy.library, copy.run) = ("d\(devices.count)", image, nil)
      devices.append(copy)
    } else {
      lose(index) {
        $0.library = image
        $0.boot += 1
      }
    }
  }

  // MARK: - The end

  private var living: [Int] { devices.indices.filter { devices[$0].isAlive } }

  /// Runs until nothing changes any more.
  private mutating func settle() -> [String] {
    isQuiet = true
    policy.heartbeat = nil
    var stillRounds = 0
    for _ in 0..<150 {
      let before = changes
      for index in living {
        carry(index)
        devices[index].run = nil
        for _ in 0..<3_000 {
          advance(index)
          if devices[index].run == nil { break }
        }
        carry(index)
      }
      stillRounds = changes == before ? stillRounds + 1 : 0
      // Files that are missed are replaced after three weeks at the latest, and those included are removed after one.
      if stillRounds > 4 { return [] }
      now += stillRounds > 1 ? 16 * SyncPolicy.day : SyncPolicy.day
    }
    return ["it is never still"]
  }

  private var changes: Int { server.changes + devices.reduce(0) { $0 + $1.store.changes } }

  private mutating func checkEnd() -> [String] {
    var failures: [String] = []
    let living = living
    guard let first = living.first else { return [] }
    let library = devices[first].library
    let bytesOfStates = library.states.bytes
    for index in living {
      let other = devices[index].library
      if index != first, other.states.bytes != bytesOfStates {
        failures.append("d\(first) and d\(index) have other states")
      }
      if other.rows != other.view.rows { failures.append("d\(index) has rows that are no view") }
      if other.view != LibraryView(library.states.all, schema: other.schema) {
        failures.append("d\(index) has another view")
      }
      if other.ledger.divergedAt != nil { failures.append("d\(index) has found another digest") }
      if !other.states.dirtyKeys.isEmpty { failures.append("d\(index) has items that are not written") }
    }
    let view = LibraryView(library.states.all, schema: Self.newer)
    let classes = SameItems(library.states.all)
    for (word, owed) in owed.sorted(by: { $0.key < $1.key }) where !replaced.contains(word) {
      let key = classes.leader(of: owed.key)
      let listed = view.conflicts.filter { $0.item == key && $0.field == owed.field }.flatMap(\.values)
      let current = Self.words(in: view.rows[key]?[owed.field])
      if !current.contains(word), !listed.contains(where: { Self.words(in: $0).contains(word) }) {
        failures.append("\(word) of d\(owed.author) in \(owed.key.collection) \(owed.key.id) \(owed.field) is lost")
      }
    }
    // A device that was put back may never have heard of a removal, or brings back edits that were owed no more.
    if !isLosing {
      for key in removed.sorted() where view.rows[key] != nil {
        failures.append("\(key.collection) \(key.id) was removed and is there again")
      }
    }
    // What lies there changes nothing, and is of a bounded size.
    let files = hasServer ? server.files : devices[first].store.files
    var states = library.states
    for (name, bytes) in files {
      guard let name = FileName(name), name.matches(bytes), let file = try? LogFile(bytes) else { continue }
      states.join(file.items)
    }
    if states.bytes != bytesOfStates { failures.append("files have states that nobody has") }
    let bytes = files.values.reduce(0) { $0 + $1.count }
    let limit = 2 * max(2 * bytesOfStates.count, policy.bytes) + bytesOfStates.count + 20_000
    if bytes > limit { failures.append("\(bytes) bytes of files for \(bytesOfStates.count) of states") }
    let parts = 2 * bytesOfStates.count / policy.fileBytes
    if files.count > 2 * policy.files + 12 + parts { failures.append("\(files.count) files") }
    return failures
  }
}
