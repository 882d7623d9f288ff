import Client
import Foundation
import SQLite
import Store
import TestSupport
import Testing
import Wire

/// A value that no daemon stores in at least most columns.
private struct Impossible: Sendable {
  /// In the line of an archive.
  var json: JSONValue
  /// In a statement.
  var sql: String

  static let all = [
    Impossible(json: .integer(.max), sql: "9223372036854775807"),
    Impossible(json: .integer(.min), sql: "-9223372036854775808"),
    Impossible(json: -1, sql: "-1"),
    Impossible(json: .integer(1 << 53), sql: "9007199254740992"),
    Impossible(json: 1e308, sql: "1e308"),
    Impossible(json: -1e308, sql: "-9e999"),
    Impossible(json: "NaN", sql: "'NaN'"),
    Impossible(json: "", sql: "''"),
    Impossible(json: ["$bytes": "AP8="], sql: "x'00ff'"),
    Impossible(json: .null, sql: "NULL"),
    Impossible(json: .string(String(repeating: "x", count: 1 << 20)), sql: "printf('%.*c', 1048576, 'x')"),
    Impossible(json: #"{"a":"#, sql: #"'{"a":'"#),
    Impossible(json: "{}", sql: "'{}'"),
    Impossible(json: "[9223372036854775807]", sql: "'[9223372036854775807]'"),
    Impossible(json: #"[{"page":-1,"count":1e308}]"#, sql: #"'[{"page":-1,"count":1e308}]'"#),
  ]
}

/// One value of a library or an archive is one that no daemon writes; `COMMONPLACE_IMPOSSIBLE=all` tries every value in
/// every column instead of some.
@Suite("Impossible values", .serialized) struct ImpossibleValueTests {
  private static let isWhole = ProcessInfo.processInfo.environment["COMMONPLACE_IMPOSSIBLE"] == "all"

  /// Some of the cases, the same for the same seed.
  private func sample<Case>(_ cases: [Case], _ count: Int) -> [Case] {
    if Self.isWhole { return cases }
    print("\(count) of \(cases.count) impossible values: seed \(SeededGenerator.seed)")
    var random = SeededGenerator()
    return Array(cases.shuffled(using: &random).prefix(count))
  }

  /// No method may end the daemon, or answer with an error of its own.
  private func expectAnswers(_ library: ManifoldLibrary, _ client: Client, _ name: String) async throws {
    let exports = TemporaryFolder()
    // A write that computes with stored moments.
    let step: JSONValue = ["id": library.ids["documents"] ?? .null, "step": 1]
    for (method, params) in library.reads(writingInto: exports) + [("documents/setPosition", step)] {
      let failure = try await client.failure(method, params)
      #expect(failure?.code != RPCError.Code.internalError, "\(name), \(method): \(String(describing: failure))")
    }
    #expect(try await client.call("session/ping") != nil)
  }

  @Test("the library whose values are made impossible answers every reading method, before they are")
  func sound() async throws {
    let library = try await ManifoldLibrary()
    let daemon = try await TestDaemon(in: library.folder)
    let client = try await daemon.client()
    let calls = library.reads(writingInto: TemporaryFolder())
    var refused: [String] = []
    for (method, params) in calls {
      if let failure = try await client.failure(method, params) { refused.append("\(method): \(failure.message)") }
    }
    #expect(refused.count * 4 < calls.count, "\(refused)")
    #expect(calls.count > 80)
    let tables = Set(try library.columns().map(\.table))
    #expect(tables.isSuperset(of: ["document", "highlight", "project", "book", "post", "diaryEntry", "note", "file"]))
    await daemon.stop()
  }

  @Test(
    "an archive with one impossible value in any column is refused as damaged, or harmless", .timeLimit(.minutes(60)))
  func archives() async throws {
    let library = try await ManifoldLibrary()
    let folder = TemporaryFolder()
    let lines = try JSONParser.parse(try python(Self.reading, [library.archive]))
    var cases: [(member: String, column: String, line: JSONValue)] = []
    for member in lines.objectValue?.members ?? [] {
      let row = try #require(member.value.objectValue)
      for column in row.members.map(\.key) {
        for impossible in Impossible.all {
          var changed = row
          changed[column] = impossible.json
          cases.append((member.key, column, .object(changed)))
        }
      }
    }
    #expect(
      Set(cases.map(\.member)).isSuperset(of: ["items/projects.jsonl", "items/books.jsonl", "items/posts.jsonl"]))
    var accepted = 0
    let chosen = sample(cases, 24)
    for (number, (member, column, line)) in chosen.enumerated() {
      let path = folder.file("\(number).tar")
      _ = try python(Self.writing, [library.archive, path, member], input: line.description)
      let daemon = try await TestDaemon()
      let client = try await daemon.client()
      let name = "\(member), \(column): \(line[column].map { $0.description.prefix(40) } ?? "")"
      if let failure = try await client.failure("library/import", ["path": .string(path)]) {
        #expect(failure.kind == "corrupt", "\(name): \(failure)")
        // Only an empty library takes an archive.
        #expect(try await client.failure("library/import", ["path": .string(library.archive)]) == nil, "\(name)")
      } else {
        accepted += 1
        try await expectAnswers(library, client, name)
      }
      await daemon.stop()
      try FileManager.default.removeItem(atPath: path)
    }
    #expect(accepted < chosen.count)
  }

  @Test(
    "a library with one impossible value in any column of any table is refused, or harmless", .timeLimit(.minutes(60)))
  func inPlace() async throws {
    let library = try await ManifoldLibrary()
    let cases = try library.columns().flatMap { column in
      Impossible.all.map { "UPDATE \"\(column.table)\" SET \"\(column.column)\" = \($0.sql)" }
    }
    var opened = 0
    for sql in sample(cases, 24) { opened += try await expectAnswers(of: library, after: sql) ? 1 : 0 }
    #expect(opened > 0)
  }

  @Test("values of a library that have ended a daemon end none")
  func endedADaemon() async throws {
    let library = try await ManifoldLibrary()
    for sql in [
      "UPDATE project SET snoozedUntil = 9e999", "UPDATE book SET rating = 9223372036854775807",
      "UPDATE book SET facts = json_set(facts, '$.averageRating', 1e308)",
      "UPDATE book SET earlierReads = json_set(earlierReads, '$[0].rating', 1e308)",
      "UPDATE project SET recurrence = json_set(recurrence, '$.done', 9223372036854775807)",
      "UPDATE postSpan SET span = 9223372036854775807, count = 9223372036854775807",
      "UPDATE post SET createdAt = -9223372036854775808",
      "UPDATE documentReading SET startedAt = -9223372036854775808",
      "UPDATE documentReading SET endedAt = -9223372036854775808", "UPDATE documentReading SET lastPage = 9e999",
      "UPDATE documentShown SET at = -9223372036854775808", "UPDATE documentShown SET page = 9e999",
      "UPDATE highlight SET page = 9e999", "UPDATE book SET percent = 1e308", "UPDATE book SET \"foreign\" = '{\"a\":'",
      "UPDATE projectDraft SET content = '{\"a\":'",
    ] {
      #expect(try await expectAnswers(of: library, after: sql), "\(sql)")
    }
  }

  /// Changes a copy of the library, and asks a daemon that runs in it.
  ///
  /// - Returns: false if a constraint kept the value out, or the daemon refused the library.
  private func expectAnswers(of library: ManifoldLibrary, after sql: String) async throws -> Bool {
    let folder = TemporaryFolder()
    try FileManager.default.copyItem(atPath: library.folder.file("library"), toPath: folder.file("library"))
    let database = try SearchLibrary.open(LibraryFolder(folder.file("library")).database)
    let isIn = (try? database.write { try $0.execute(sql) }) != nil
    try database.close()
    guard isIn else { return false }
    let daemon: TestDaemon
    do { daemon = try await TestDaemon(in: folder) } catch is StoreError { return false }
    daemon.daemon.startBackgroundWork()
    try await expectAnswers(library, try await daemon.client(), String(sql.prefix(100)))
    await daemon.stop()
    return true
  }

  /// Writes the first line of each member with lines to standard output, as one object.
  private static let reading = """
    import json, sys, tarfile
    with tarfile.open(sys.argv[1]) as archive:
        names = [member.name for member in archive if member.name.endswith(".jsonl") and member.size]
        print(json.dumps({name: json.loads(archive.extractfile(name).readline()) for name in names}))
    """

  /// Copies an archive with another first line of one member, which is read from standard input.
  private static let writing = """
    import io, sys, tarfile
    with tarfile.open(sys.argv[1]) as old, tarfile.open(sys.argv[2], "w", format=tarfile.USTAR_FORMAT) as new:
        for member in old:
            data = old.extractfile(member).read()
            if member.name == sys.argv[3]:
                data = sys.stdin.buffer.read() + b"\\n" + data.partition(b"\\n")[2]
            member.size = len(data)
            new.addfile(member, io.BytesIO(data))
    """

  private func python(_ script: String, _ arguments: [String], input: String = "") throws -> [UInt8] {
    let folder = TemporaryFolder()
    try Data(input.utf8).write(to: URL(filePath: folder.file("input")))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script] + arguments
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: folder.file("input")))
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return [UInt8](bytes)
  }
}
