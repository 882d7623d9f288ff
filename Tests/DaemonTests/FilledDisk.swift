import Client
import Foundation
import SQLite
import Store
import TestSupport
import Testing
import Wire

/// A library on a small disk that fills up at a random point of one long operation.
///
///     library with some items ─ operation ─┬─ room comes back, or not ─ restart, kill, or neither ─ room ─┐
///            other client writes ──────────┴─ the disk is filled                                          │
///     restart ─ counts again ─ check ─ the operation again ─ what was acknowledged, nothing of what was refused
///
/// Whatever chance decides follows from the seed.
struct FilledDisk {
  enum Operation: CaseIterable {
    case importDiary, importProjects, importBooks, removeProjects, exportLibrary, rebuildIndex
  }

  /// What was answered to the operation.
  private enum Outcome {
    case done, refused, unanswered
  }

  private static let items = 1_200
  private static let earlier = 3

  let label: String
  private let operation: Operation
  private var random: SeededGenerator
  private let folder = TemporaryFolder()

  init(seed: UInt64, operation: Operation) {
    (self.operation, label) = (operation, "\(operation), seed \(seed)")
    random = SeededGenerator(seed: seed)
  }

  /// Runs one point. Returns whether the disk became full in the middle of the operation.
  mutating func run() async throws -> Bool {
    let disk = try await HeldDisk(
      folder.file("library"), bytes: Int.random(in: 24..<40, using: &random) << 20)
    var daemon = try await DaemonProcess(in: folder, on: disk)
    var client = try await daemon.client(name: "operator")
    var toys: (told: Set<String>, refused: Set<String>) = ([], [])
    for number in 0..<Self.earlier {
      let id = try await client.call("toys/add", ["title": .string("earlier \(number)")])["id"]?.stringValue
      toys.told.insert(try #require(id))
    }
    let file = folder.file("items")
    try Self.file(for: operation).write(toFile: file, atomically: true, encoding: .utf8)
    if ![.importDiary, .importProjects, .importBooks].contains(operation) {
      _ = try await client.call("projects/import", ["path": .string(file), "format": "jsonl"])
    }
    let before = try await client.call("session/sync").clock

    // Half of the points leave some room from the start, the others take all of it in the middle.
    let isFilledBefore = Bool.random(using: &random)
    let (most, divisor) = (Int.random(in: 0..<24 << 20, using: &random), Int.random(in: 1..<32, using: &random))
    if isFilledBefore { disk.fill(leaving: most / divisor) }
    let writer = try await daemon.client(name: "writer")
    let reply = client.send(method, try await params(with: client, file))
    let isKilled = Int.random(in: 0..<4, using: &random) == 0
    let last = Int.random(in: 1..<40, using: &random)
    var number = 0
    while number < last {
      number += 1
      let title = "beside \(number)"
      do {
        let id = try await writer.call("toys/add", ["title": .string(title)])["id"]?.stringValue
        toys.told.insert(try #require(id))
      } catch let error as RemoteError {
        #expect(error.kind == "diskFull", "\(label): \(error)")
        toys.refused.insert(title)
      }
    }
    if !isFilledBefore { disk.fill() }
    if isKilled { await daemon.kill() }
    let outcome = try await outcome(of: reply)
    #expect(outcome != .unanswered || isKilled, "\(label)")

    if Bool.random(using: &random) { disk.makeRoom() }
    let ending = Int.random(in: 0..<3, using: &random)
    if isKilled {
      daemon = try await restarted(on: disk)
    } else if ending > 0 {
      if ending == 1 { await daemon.stop() } else { await daemon.kill() }
      daemon = try await restarted(on: disk)
    }
    disk.makeRoom()
    client = try await daemon.client(name: "after")
    // A write is possible now; it also finishes what could not be taken back without room.
    let id = try await client.call("toys/add", ["title": "with room again"])["id"]?.stringValue
    toys.told.insert(try #require(id))
    #expect(try await client.call("session/sync").clock > before, "\(label)")
    try await daemonIsWhole(client)
    await daemon.stop()
    let left = try verify(on: disk, outcome, toys)

    daemon = try await DaemonProcess(in: folder, on: disk)
    client = try await daemon.client(name: "again")
    try await repeatOperation(with: client, file, left: left)
    try await daemonIsWhole(client)
    await daemon.stop()
    #expect(try count(on: disk) == (operation == .removeProjects ? 0 : Self.items), "\(label)")
    await disk.release()
    return outcome == .refused
  }

  /// A daemon that finds no room at all at its start may say so; it starts when there is room.
  private func restarted(on disk: HeldDisk) async throws -> DaemonProcess {
    do {
      return try await DaemonProcess(in: folder, on: disk)
    } catch let failure as DaemonProcess.NotReady {
      #expect(failure.result.errors.contains("diskFull"), "\(label): \(failure.result)")
      disk.makeRoom()
      return try await DaemonProcess(in: folder, on: disk)
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

  private func daemonIsWhole(_ client: Client) async throws {
    let report = try await client.call("library/check")
    #expect(report["ok"] == true && report["findings"] == [], "\(label): \(report)")
  }

  // MARK: The operation

  private var method: String {
    switch operation {
    case .importDiary: "diary/import"
    case .importProjects: "projects/import"
    case .importBooks: "books/import"
    case .removeProjects: "projects/removeAll"
    case .exportLibrary: "library/export"
    case .rebuildIndex: "library/check"
    }
  }

  private func params(with client: Client, _ file: String) async throws -> JSONValue {
    switch operation {
    case .importDiary, .importProjects: ["path": .string(file), "format": "jsonl"]
    case .importBooks: ["path": .string(file), "format": "csv"]
    case .removeProjects:
      ["confirm": try await client.call("projects/removeAll", ["dryRun": true])["confirm"] ?? .null]
    case .exportLibrary: ["path": .string(folder.file("library/out.tar"))]
    case .rebuildIndex: ["rebuildIndex": true]
    }
  }

  private var table: String {
    switch operation {
    case .importDiary: "diaryEntry"
    case .importBooks: "book"
    default: "project"
    }
  }

  private static func file(for operation: Operation) -> String {
    let words = String(repeating: "words of a long evening by the river ", count: 40)
    let rows = (0..<items).map { number in
      switch operation {
      case .importDiary:
        #"{"id": "d\#(number)", "text": "Entry \#(number) \#(words)", "day": "2026-11-01", "writtenAt": "2026-11-01T09:00:00.000Z"}"#
      case .importBooks: "Book number \(number) of all,Author \(number)"
      default: #"{"id": "p\#(number)", "title": "Card \#(number)", "body": "\#(words)", "state": "todo"}"#
      }
    }
    return (operation == .importBooks ? "title,authors\n" : "") + rows.joined(separator: "\n") + "\n"
  }

  // MARK: What is left

  /// A copy of the database, whose daemon has ended in order: SQLite follows the links of a path, and from outside they do
  /// not lead to the disk.
  private func database(on disk: HeldDisk) throws -> Database {
    let copy = folder.file("copy.sqlite")
    let bytes = try Data(contentsOf: URL(filePath: disk.outside + "/library.sqlite"))
    try bytes.write(to: URL(filePath: copy))
    return try Database(path: copy)
  }

  private func count(on disk: HeldDisk) throws -> Int {
    try database(on: disk).read { try $0.integer("SELECT count(*) FROM \(table)") ?? -1 }
  }

  /// Everything acknowledged is there, nothing of what was refused. Returns how many items of the operation there are.
  private func verify(
    on disk: HeldDisk, _ outcome: Outcome, _ toys: (told: Set<String>, refused: Set<String>)
  ) throws -> Int {
    let (ids, titles) = try database(on: disk).read { db in
      (
        Set(try db.texts("SELECT id FROM toy")),
        Set(try db.texts("SELECT title FROM toy"))
      )
    }
    #expect(toys.told.subtracting(ids).isEmpty, "\(label): acknowledged writes are gone")
    #expect(toys.refused.isDisjoint(with: titles), "\(label): refused writes are there")
    let count = try count(on: disk)
    let whole = operation == .removeProjects ? 0 : Self.items
    let none = [.importDiary, .importProjects, .importBooks].contains(operation) ? 0 : Self.items
    switch outcome {
    case .done: #expect(count == whole, "\(label): it was acknowledged")
    case .refused: #expect(count == none, "\(label): it was refused")
    case .unanswered: #expect(count == whole || count == none, "\(label): half of it is there")
    }
    if operation == .exportLibrary, outcome != .unanswered {
      let isThere = access(disk.outside + "/out.tar", F_OK) == 0
      #expect(isThere == (outcome == .done), "\(label)")
    }
    return count
  }

  /// The same once more, with room: the numbers that are reported are those of what was left.
  private func repeatOperation(with client: Client, _ file: String, left: Int) async throws {
    switch operation {
    case .importDiary, .importProjects, .importBooks:
      let report = try await client.call(method, params(with: client, file))
      #expect(report["added"]?.integerValue == Int64(Self.items - left), "\(label): \(report)")
      #expect(report["known"]?.integerValue == Int64(left), "\(label): \(report)")
    case .removeProjects:
      if left > 0 { _ = try await client.call(method, params(with: client, file)) }
    case .exportLibrary:
      let report = try await client.call(method, ["path": .string(folder.file("again.tar"))])
      #expect((report["items"]?.integerValue ?? 0) > Int64(left), "\(label): \(report)")
    case .rebuildIndex: _ = try await client.call(method, params(with: client, file))
    }
  }
}
