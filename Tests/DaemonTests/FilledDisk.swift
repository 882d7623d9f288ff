import Client
import Foundation
import SQLite
import Store
import TestSupport
import Testing
import Wire

/// A library on a small disk that fills up again and again, each time at a random point of a long operation.
///
///     ┌─ operation ───────────────┬─ room comes back, or not ─ restart, kill, or neither ─ room ─┐
///     │  another client writes ───┴─ the disk is filled                                          │
///     └── the next point ─ perhaps the same once more ─ what was acknowledged, nothing refused ──┘
///
///     at the end: restart ─ every row ─ restart ─ check
///
/// The points of one library follow each other, so each also shows that no later write or start removes what an earlier
/// point acknowledged. Whatever chance decides follows from the seed.
struct FilledDisk {
  enum Operation: CaseIterable {
    case importProjects, removeProjects, importDiary, exportLibrary, importBooks, rebuildIndex
  }

  /// Where an import puts its items.
  private enum Place: CaseIterable {
    case projects, diary, books
  }

  /// What was answered to the operation.
  private enum Outcome {
    case done, refused, unanswered
  }

  /// Of one import. With its slices of 256 rows and then of 20 ms an import of so many has several.
  private static let items = 400
  private static let diskBytes = 64 << 20

  private let seed: UInt64
  private var random: SeededGenerator
  private let folder = TemporaryFolder()
  private let disk: HeldDisk
  private var daemon: DaemonProcess
  private var client: Client
  private var writer: Client

  private var point = 0
  private var label = ""
  /// The ids of toys that were acknowledged, and the titles of those that were refused.
  private var toys: (added: Set<String>, refused: Set<String>) = ([], [])
  /// The points whose items are there.
  private var imported: [Place: Set<Int>] = [:]

  init(seed: UInt64) async throws {
    self.seed = seed
    random = SeededGenerator(seed: seed)
    disk = try await HeldDisk(folder.file("library"), bytes: Self.diskBytes)
    daemon = try await DaemonProcess(in: folder, on: disk)
    (client, writer) = try await (daemon.client(name: "operator"), daemon.client(name: "writer"))
  }

  /// Runs so many points. Returns how often the disk became full in the middle of the operation.
  mutating func run(points: Int) async throws -> Int {
    var refused = 0
    for number in 0..<points {
      refused += try await run(Operation.allCases[number % Operation.allCases.count]) ? 1 : 0
    }
    label = "after all points of seed \(seed)"
    await daemon.stop()
    try verifyRows()
    // A start removes what a long write has left, and nothing else.
    try await start()
    try await verifyWhole()
    await daemon.stop()
    try verifyRows()
    await disk.release()
    return refused
  }

  private mutating func run(_ operation: Operation) async throws -> Bool {
    point += 1
    label = "\(operation), point \(point) of seed \(seed)"
    if operation == .removeProjects, imported[.projects, default: []].isEmpty {
      _ = try await client.call("projects/import", try importParams(of: .projects))
      imported[.projects] = [point]
      point += 1
    }
    let params = try await params(of: operation)
    let before = try await client.call("session/sync").clock

    // Half of the points leave some room from the start, the others take all of it in the middle.
    let isFilledBefore = Bool.random(using: &random)
    let (most, divisor) = (Int.random(in: 0..<4 << 20, using: &random), Int.random(in: 1..<16, using: &random))
    if isFilledBefore { disk.fill(leaving: most / divisor) }
    let reply = client.send(method(of: operation), params)
    let isKilled = Int.random(in: 0..<6, using: &random) == 0
    let last = Int.random(in: 1..<16, using: &random)
    for number in 0..<last { try await addToy("beside \(number) of point \(point)") }
    if !isFilledBefore { disk.fill() }
    if isKilled { await daemon.kill() }
    let outcome = try await outcome(of: reply)
    #expect(outcome != .unanswered || isKilled, "\(label)")

    if Bool.random(using: &random) { disk.makeRoom() }
    let ending = Int.random(in: 0..<6, using: &random)
    if isKilled || ending < 2 {
      if !isKilled, ending == 0 { await daemon.stop() } else if !isKilled { await daemon.kill() }
      try await start()
    }
    disk.makeRoom()
    // A write is possible now; it also finishes what could not be taken back without room.
    try await addToy("with room after point \(point)", mayBeRefused: false)
    #expect(try await client.call("session/sync").clock > before, "\(label)")
    try await record(outcome, of: operation)
    if let place = Self.place(of: operation), Bool.random(using: &random) { try await importAgain(to: place) }
    try await verifyTotals()
    if operation == .rebuildIndex { try await verifyWhole() }
    return outcome == .refused
  }

  /// A daemon that finds no room at all at its start may refuse to; it starts when there is room.
  private mutating func start() async throws {
    do {
      daemon = try await DaemonProcess(in: folder, on: disk)
    } catch let failure as DaemonProcess.NotReady {
      #expect(failure.result.errors.contains("diskFull"), "\(label): \(failure.result)")
      disk.makeRoom()
      daemon = try await DaemonProcess(in: folder, on: disk)
    }
    (client, writer) = try await (daemon.client(name: "operator"), daemon.client(name: "writer"))
  }

  private mutating func addToy(_ title: String, mayBeRefused: Bool = true) async throws {
    do {
      let id = try await writer.call("toys/add", ["title": .string(title)])["id"]?.stringValue
      toys.added.insert(try #require(id))
    } catch let error as RemoteError where mayBeRefused {
      #expect(error.kind == "diskFull", "\(label): \(error)")
      toys.refused.insert(title)
    }
  }

  private func outcome(of reply: PendingReply) async throws -> Outcome {
    do {
      _ = try await reply.value()
      return .done
    } catch let error as RemoteError {
      #expect(error.kind == "diskFull", "\(label): \(error)")
      return .refused
    } catch {
      return .unanswered
    }
  }

  // MARK: The operation

  private static func place(of operation: Operation) -> Place? {
    switch operation {
    case .importProjects: .projects
    case .importDiary: .diary
    case .importBooks: .books
    case .removeProjects, .exportLibrary, .rebuildIndex: nil
    }
  }

  private func method(of operation: Operation) -> String {
    switch operation {
    case .importProjects, .importDiary, .importBooks: "\(Self.place(of: operation)!)/import"
    case .removeProjects: "projects/removeAll"
    case .exportLibrary: "library/export"
    case .rebuildIndex: "library/check"
    }
  }

  private func params(of operation: Operation) async throws -> JSONValue {
    if let place = Self.place(of: operation) { return try importParams(of: place) }
    return switch operation {
    case .removeProjects:
      ["confirm": try await client.call("projects/removeAll", ["dryRun": true])["confirm"] ?? .null]
    case .exportLibrary: ["path": .string(folder.file("library/out.tar"))]
    default: ["rebuildIndex": true]
    }
  }

  private func importParams(of place: Place) throws -> JSONValue {
    let file = folder.file("items")
    let words = String(repeating: "words of a long evening by the river ", count: 20)
    let rows = Self.names(of: point).map { name in
      switch place {
      case .diary:
        #"{"id": "d\#(name)", "text": "Entry \#(name) \#(words)", "day": "2026-11-01", "writtenAt": "2026-11-01T09:00:00.000Z"}"#
      case .books: "Book\(name),Author\(name)"
      case .projects: #"{"id": "p\#(name)", "title": "Card \#(name)", "body": "\#(words)", "state": "todo"}"#
      }
    }
    let text = (place == .books ? "title,authors\n" : "") + rows.joined(separator: "\n") + "\n"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return ["path": .string(file), "format": place == .books ? "csv" : "jsonl"]
  }

  private static func names(of point: Int) -> Range<Int> { point * 1_000..<point * 1_000 + items }

  // MARK: What is there

  /// Whether the operation has happened: as it was answered, and as is seen where it could not be answered.
  private mutating func record(_ outcome: Outcome, of operation: Operation) async throws {
    if let place = Self.place(of: operation) {
      let isThere =
        try await outcome == .unanswered ? total(of: place) > expected(of: place) : outcome == .done
      if isThere { imported[place, default: []].insert(point) }
    }
    switch operation {
    case .removeProjects:
      let isGone = try await outcome == .unanswered ? total(of: .projects) == 0 : outcome == .done
      if isGone { imported[.projects] = [] }
    case .exportLibrary:
      let archive = disk.outside + "/out.tar"
      if outcome != .unanswered { #expect((access(archive, F_OK) == 0) == (outcome == .done), "\(label)") }
      unlink(archive)
    default: break
    }
  }

  /// The same file once more, with room: what is reported is what was there.
  private mutating func importAgain(to place: Place) async throws {
    let left = imported[place, default: []].contains(point) ? Self.items : 0
    let report = try await client.call("\(place)/import", importParams(of: place))
    #expect(report["added"]?.integerValue == Int64(Self.items - left), "\(label): \(report)")
    #expect(report["known"]?.integerValue == Int64(left), "\(label): \(report)")
    imported[place, default: []].insert(point)
  }

  private func expected(of place: Place) -> Int { Self.items * imported[place, default: []].count }

  private func total(of place: Place) async throws -> Int {
    let method = place == .books ? "books/shelf" : "\(place)/list"
    let page = try await client.call(method, ["limit": 1])
    #expect(page["totalIsEstimate"] == false, "\(label)")
    return Int(page["total"]?.integerValue ?? -1)
  }

  /// As many as were acknowledged: half of what was refused, or a lost part of what was not, would be other numbers.
  private func verifyTotals() async throws {
    for place in Place.allCases {
      let total = try await total(of: place)
      #expect(total == expected(of: place), "\(label): \(place)")
    }
    #expect(try await client.call("toys/countQuickly").count == toys.added.count, "\(label)")
  }

  private func verifyWhole() async throws {
    let report = try await client.call("library/check")
    #expect(report["ok"] == true && report["findings"] == [], "\(label): \(report)")
  }

  /// Everything acknowledged is there, nothing of what was refused, row by row. The daemon has ended in order.
  private func verifyRows() throws {
    // A copy: SQLite follows the links of a path, and from outside they do not lead to the disk.
    let copy = folder.file("copy.sqlite")
    let bytes = try Data(contentsOf: URL(filePath: disk.outside + "/library.sqlite"))
    try bytes.write(to: URL(filePath: copy))
    let db = try Database(path: copy)
    let (ids, titles) = try db.read { (Set(try $0.texts("SELECT id FROM toy")), try $0.texts("SELECT title FROM toy")) }
    #expect(ids == toys.added, "\(label): acknowledged writes are gone, or others are there")
    #expect(toys.refused.isDisjoint(with: titles), "\(label): refused writes are there")
    for place in Place.allCases {
      let texts = try db.read { db in
        switch place {
        case .projects: try db.texts("SELECT title FROM project")
        case .diary: try db.texts("SELECT substr(text, 1, 40) FROM diaryEntry")
        case .books: try db.texts("SELECT title FROM book")
        }
      }
      let found = texts.compactMap { text in text.split { !$0.isNumber }.first.flatMap { Int($0) } }
      let wanted = imported[place, default: []].flatMap(Self.names)
      #expect(found.sorted() == wanted.sorted(), "\(label): \(place)")
    }
  }
}
