import Client
import Contract
import Foundation
import Kit
import SQLite
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Sync

/// The simulation of devices, with real libraries: their rows, change logs and tables of sync.
@Suite("Sync: real libraries over a bad folder", .timeLimit(.minutes(10))) struct SharedFaultsTests {
  private static let names = ["laptop", "phone", "tablet"]

  private struct Home {
    let folder: TemporaryFolder
    let clock: TestClock
    var device: SharedDevice
    /// A copy of the disk.
    var image: TemporaryFolder?
  }

  private static func homes(at place: TemporaryFolder) async throws -> [Home] {
    var homes: [Home] = []
    var code: JSONValue?
    for name in names {
      let (folder, clock) = (TemporaryFolder(), TestClock())
      let device = try await SharedDevice(at: place.path, in: folder, clock: clock)
      var params: JSONObject = ["name": .string(name)]
      params["code"] = code
      let reply = try await device.call("sync/setUp", .object(params))
      code = code ?? reply["code"]
      homes.append(Home(folder: folder, clock: clock, device: device))
    }
    return homes
  }

  @Test(
    "they end equal, whatever happens to files, runs, clocks and disks, and every edit is current, listed or in a history",
    arguments: 0..<6)
  func faults(seed: Int) async throws {
    var random = SeededGenerator(seed: SeededGenerator.seed &+ UInt64(seed))
    let place = TemporaryFolder()
    var files = BadFolder(path: place.file("log"))
    var homes = try await Self.homes(at: place)
    var (added, now): (Set<String>, Int64) = ([], homes[0].clock.now.milliseconds)
    // The words of the edits that were acknowledged.
    var words: Set<String> = []
    /// Does what destroys bytes. Words of which it destroyed the last copy are not expected any more; all others are.
    func destroying(_ body: (inout [Home], inout BadFolder) async throws -> Void) async throws {
      let before = try await Self.copies(of: words, homes.map(\.device), files)
      try await body(&homes, &files)
      let after = try await Self.copies(of: words, homes.map(\.device), files)
      words.subtract(before.subtracting(after))
    }
    for step in 0..<80 {
      let index = Int.random(in: homes.indices, using: &random)
      let pause = Int64.random(in: 0...3_600_000, using: &random)
      now += pause
      for home in homes { home.clock.advance(milliseconds: pause) }
      let device = homes[index].device
      switch Int.random(in: 0..<26, using: &random) {
      case 0..<10:
        // Many are refused: the item is not there, or would wait for itself.
        let word = "w\(step)x"
        let (method, params) = Self.edit(word, using: &random)
        if try await device.client.failure(method, params) == nil, params.description.contains(word) {
          words.insert(word)
        }
      case 10, 11:
        let id = "added-\(step)"
        try await device.call("notes/add", ["id": .string(id), "text": "Tea"])
        added.insert(id)
      case 12..<17: _ = try await device.client.failure("sync/run")
      case 17, 18: try await Self.breakOff(device, after: .random(in: 0...3, using: &random))
      case 19..<23: try await destroying { try $1.strike(using: &random) }
      case 23:
        // Or right again.
        let error = Bool.random(using: &random) ? 0 : Int64.random(in: -2...2, using: &random) * 365 * SyncPolicy.day
        Self.set(homes[index].clock, to: now + error)
      case 24: try await Self.restart(&homes[index], at: place, copying: true)
      default:
        guard homes[index].image != nil else { continue }
        try await destroying { homes, _ in try await Self.restart(&homes[index], at: place, copying: false) }
        // What only its disk had is gone.
        var there: Set<String> = []
        for home in homes { there.formUnion(try await Self.notes(home.device)) }
        added.formIntersection(there)
      }
    }
    try files.bringBack()
    for home in homes { Self.set(home.clock, to: now) }
    // Files that are missed are replaced after three weeks at the latest.
    for pause in Array(repeating: 4 * SyncPolicy.hour, count: 5) + Array(repeating: 4 * SyncPolicy.day, count: 8) {
      for home in homes {
        home.clock.advance(milliseconds: pause)
        try await home.device.run()
      }
    }
    let devices = homes.map(\.device)
    for _ in 0..<2 { try await exchange(devices) }
    let comment: Comment = "COMMONPLACE_SEED=\(SeededGenerator.seed) \(seed)"
    try await Self.check(devices, added: added, comment)
    var recorded = ""
    for device in devices { recorded += try await Self.record(of: device) }
    #expect(words.filter { !recorded.contains($0) }.sorted() == [], comment)
    #expect(!words.isEmpty, comment)
    for device in devices { await device.stop() }
  }

  private static func check(_ devices: [SharedDevice], added: Set<String>, _ seed: Comment) async throws {
    let (contents, digest) = (try await devices[0].contents(), try await digests(devices[0]).states)
    let (conflicts, notes) = (try await conflicts(devices[0]), try await notes(devices[0]))
    #expect(!added.isEmpty && added.isSubset(of: notes), seed)
    for device in devices {
      let (others, digests) = (try await device.contents(), try await digests(device))
      for (collection, items) in contents { #expect(others[collection] == items, seed) }
      #expect(try await Self.conflicts(device) == conflicts, seed)
      #expect(digests.states == digest && digests.stored == digest, seed)
      #expect(try await device.didNothing(), seed)
    }
  }

  // MARK: - What happens

  private static func edit(
    _ text: String, using random: inout SeededGenerator
  ) -> (method: String, params: JSONValue) {
    let id = JSONValue.string(["a", "b", "c"].randomElement(using: &random)!)
    let other = JSONValue.string(["a", "b", "c"].randomElement(using: &random)!)
    let word = JSONValue.string(text)
    let text = JSONValue.string("first\n\nline \(text)\n\nlast")
    let edits: [(String, JSONValue)] = [
      ("projects/add", ["id": id, "title": word]), ("projects/update", ["id": id, "title": word]),
      ("projects/update", ["id": id, "tags": [word]]), ("projects/update", ["id": id, "blockedBy": [other]]),
      ("projects/update", ["id": id, "body": text]), ("projects/remove", ["id": id]),
      ("projects/move", ["id": id, "state": ["todo", "doing", "done"].randomElement(using: &random)!]),
      ("projects/addBoard", ["id": id, "title": word]), ("projects/updateBoard", ["id": id, "title": word]),
      ("notes/add", ["id": id, "text": text]), ("notes/update", ["id": id, "text": text]), ("notes/remove", ["id": id]),
      ("diary/add", ["id": id, "text": text]), ("diary/update", ["id": id, "text": text]), ("diary/remove", ["id": id]),
      ("search/save", ["id": id, "text": word]), ("search/forget", ["id": id]),
    ]
    return edits.randomElement(using: &random)!
  }

  /// A run that ends between two of its transactions, if it has so many.
  private static func breakOff(_ device: SharedDevice, after count: Int) async throws {
    let sync = device.daemon.daemon.services.sync
    let left = Mutex(count)
    sync.pause = {
      let isOver = left.withLock { left in
        left -= 1
        return left < 0
      }
      if isOver { withUnsafeCurrentTask { $0?.cancel() } }
    }
    _ = try await device.client.failure("sync/run")
    sync.pause = nil
  }

  /// Starts a device anew, from a copy of its disk unless that is made now.
  private static func restart(_ home: inout Home, at place: TemporaryFolder, copying: Bool) async throws {
    await home.device.stop()
    if copying {
      let image = TemporaryFolder()
      try copyDisk(home.folder, to: image)
      home.image = image
    } else if let image = home.image {
      try copyDisk(image, to: home.folder)
    }
    home.device = try await SharedDevice(at: place.path, in: home.folder, clock: home.clock)
  }

  private static func set(_ clock: TestClock, to time: Int64) {
    clock.advance(milliseconds: time - clock.now.milliseconds)
  }

  // MARK: - What a device has

  /// What its clients can see: the items as they are, their earlier versions, and the conflicts.
  private static func record(of device: SharedDevice) async throws -> String {
    var record = try await device.call("changes/conflicts").description
    for collection in ["projects", "cardBoards", "notes", "diary", "savedSearches"] {
      for id in ["a", "b", "c"] {
        let item: JSONValue = ["collection": .string(collection), "id": .string(id)]
        for method in ["changes/item", "changes/history"] {
          do { record += try await device.call(method, item).description } catch let error as RemoteError {
            #expect(error.kind == "notFound")
          }
        }
      }
    }
    return record
  }

  /// The words of which a device has a copy, or a whole file at the target.
  private static func copies(
    of words: Set<String>, _ devices: [SharedDevice], _ files: BadFolder
  ) async throws -> Set<String> {
    var texts: [String] = []
    for device in devices {
      texts.append(try await record(of: device))
      let services = device.daemon.daemon.services
      // A run that broke off has received what it did not show yet.
      texts += try await services.library.read(as: SharedLibrary(services).caller) {
        try $0.db.texts("SELECT state FROM syncItem")
      }
    }
    let services = devices[0].daemon.daemon.services
    let stored = try #require(try await SharedLibrary(services).space())
    let sealing = try await SyncConnection(stored, with: services).sealing
    for (name, bytes) in try files.whole() {
      // An invented one has no content.
      guard let content = try? sealing.open(bytes, as: name.file) else { continue }
      texts.append(String(decoding: content, as: UTF8.self))
    }
    return words.filter { word in texts.contains { $0.contains(word) } }
  }

  private static func notes(_ device: SharedDevice) async throws -> Set<String> {
    Set(try await device.call("notes/list").items.map { $0["id"].text })
  }

  private static func conflicts(_ device: SharedDevice) async throws -> [String] {
    try await device.call("changes/conflicts").items.map { "\($0["item"].text) \($0["field"].text)" }.sorted()
  }

  /// The digest of its states, and the one that was kept while these changed.
  private static func digests(_ device: SharedDevice) async throws -> (states: StateDigest, stored: StateDigest?) {
    let services = device.daemon.daemon.services
    let schema = SharedCollections(services.library).schema
    return try await services.library.read(as: SharedLibrary(services).caller) { snapshot in
      var states = LibraryStates(snapshot.db, schema)
      let digest = states.digest()
      try states.requireWhole()
      return (digest, try StoredLedger.read(in: snapshot.db)?.digest)
    }
  }
}

/// A folder of log files that a program carries badly.
private struct BadFolder {
  let path: String
  /// All that has ever been there.
  private var known: [String: Data] = [:]
  /// What arrives later.
  private var late: [String: Data] = [:]

  init(path: String) { self.path = path }

  private func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Does something to one file.
  mutating func strike(using random: inout SeededGenerator) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { FileName($0) != nil }.sorted()
    for name in names where known[name] == nil { known[name] = FileManager.default.contents(atPath: file(name)) }
    guard let name = names.randomElement(using: &random), var bytes = FileManager.default.contents(atPath: file(name)),
      bytes.count > 1
    else { return }
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1:
      late[name] = bytes
      try FileManager.default.removeItem(atPath: file(name))
    case 2: try bringBack()
    case 3:
      // One that was compacted long ago.
      guard let old = known.keys.sorted().randomElement(using: &random), !names.contains(old) else { return }
      try known[old]?.write(to: URL(filePath: file(old)))
    case 4: try bytes.prefix(bytes.count / 2).write(to: URL(filePath: file(name)))
    case 5:
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 0x20
      try bytes.write(to: URL(filePath: file(name)))
    case 6: try FileManager.default.removeItem(atPath: file(name))
    case 7: try bytes.write(to: URL(filePath: file("\(name) (conflicted copy)")))
    default:
      let invented = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
      let id = FileID(WriterID(random.next()), .random(in: 1...9, using: &random))
      try Data(invented).write(to: URL(filePath: file(FileName(id, of: invented).description)))
    }
  }

  /// The files that are whole, there or late.
  func whole() throws -> [(name: FileName, bytes: [UInt8])] {
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    let there = names.compactMap { name in FileManager.default.contents(atPath: file(name)).map { (name, $0) } }
    return (there + late.map { ($0.key, $0.value) }).compactMap { text, bytes in
      guard let name = FileName(text), name.matches(Array(bytes)) else { return nil }
      return (name, Array(bytes))
    }
  }

  /// What was late arrives.
  mutating func bringBack() throws {
    for (name, bytes) in late { try bytes.write(to: URL(filePath: file(name))) }
    late = [:]
  }
}
