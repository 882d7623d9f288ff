import Client
import Features
import Foundation
import SQLite
import Store
import TestSupport
import Testing
import Wire

/// Libraries and archives that somebody else has made.
@Suite struct HostileArchiveTests {
  private let features = AllFeatures.features

  /// Waits for the change that says that the text of a document is there.
  private func untilReady(_ id: JSONValue, _ client: Client) async throws {
    while true {
      let heard = client.received.count
      if try await client.call("documents/get", ["id": id])["state"] == "ready" { return }
      _ = try await client.firstReceived(from: heard) { frame in
        if case .single(.notification("changes/didCommit", _)) = frame { true } else { false }
      }
    }
  }

  /// A document whose text is known, with a highlight.
  private func marked(_ client: Client) async throws -> JSONValue {
    let data = JSONValue.string(Data(SamplePDF(pages: [.init(["a page"])]).bytes).base64EncodedString())
    let id = try #require(try await client.call("documents/add", ["data": data, "title": "one"])["id"])
    try await untilReady(id, client)
    _ = try await client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["a page"]])
    return id
  }

  /// An archive of a library with one document, with a line of one member changed.
  private func archive(
    in folder: TemporaryFolder, member: String = "items/documents.jsonl", _ old: String, _ new: String
  ) async throws -> String {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    _ = try await marked(client)
    let path = folder.file("whole.tar")
    _ = try await client.call("library/export", ["path": .string(path)])
    await daemon.stop()
    return try rewrite(path, to: folder.file("changed.tar"), member, old, new)
  }

  /// The members are unpacked and packed again by a program that is none of ours.
  private func rewrite(
    _ path: String, to target: String, _ member: String, _ old: String, _ new: String
  ) throws -> String {
    let script = """
      import re, sys, tarfile, io
      with tarfile.open(sys.argv[1]) as old, tarfile.open(sys.argv[2], "w", format=tarfile.USTAR_FORMAT) as new:
          for member in old:
              data = old.extractfile(member).read()
              if member.name == sys.argv[3]:
                  changed = re.sub(sys.argv[4].encode(), lambda _: sys.argv[5].encode(), data, count=1)
                  assert changed != data
                  data = changed
              member.size = len(data)
              new.addfile(member, io.BytesIO(data))
      """
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, path, target, member, old, new]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return target
  }

  @Test(
    "an archive with a row that no daemon writes is refused as damaged, and nothing of it is imported",
    arguments: [
      (#""hash":"[0-9a-f]{64}""#, #""hash":"../../../../etc/hostname""#),
      (#""hash":"[0-9a-f]{64}""#, #""hash":"\#(String(repeating: "a", count: 200))""#),
      // Well formed, but the archive has no such file.
      (#""hash":"[0-9a-f]{64}""#, #""hash":"\#(String(repeating: "a", count: 64))""#),
      (#""pageCount":1"#, #""pageCount":-5"#),
      (#""pageCount":1"#, #""pageCount":9007199254740991"#),
      (#""page":0"#, #""page":-1"#),
      (#""id":"[^"]*""#, #""id":"../../up""#),
      (#""url":null"#, #""url":"gopher://example.org/""#),
      (#""properties":null"#, #""properties":"{\"shelf \":\"A\"}""#),
      (#""properties":null"#, #""properties":"{\"shelf\":\"\#(String(repeating: "a", count: 1_001))\"}""#),
    ])
  func rows(old: String, new: String) async throws {
    let folder = TemporaryFolder()
    let path = try await archive(in: folder, old, new)
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    #expect(try await client.failure("library/import", ["path": .string(path)])?.kind == "corrupt")
    #expect(try await client.call("documents/list")["total"] == 0)
    #expect(try await client.call("library/check")["ok"] == true)
    await daemon.stop()
  }

  @Test(
    "an archive with a mark or a derived row that no daemon writes is refused as damaged",
    arguments: [
      ("items/highlights.jsonl", #"\\"length\\":\d+"#, #"\"length\":-9"#),
      ("items/highlights.jsonl", #"\\"offset\\":\d+"#, #"\"offset\":9223372036854775807"#),
      ("items/highlights.jsonl", #"\\"length\\":\d+(?!.*\\"length)"#, #"\"length\":9223372036854775807"#),
      ("items/highlights.jsonl", #"\\"documentOffset\\":\d+"#, #"\"documentOffset\":9223372036854775807"#),
      ("items/highlights.jsonl", #"\\"quad\\":\[[^\]]*\]"#, #"\"quad\":[1,2]"#),
      ("derived/pdfPage.jsonl", #""page":0"#, #""page":9223372036854775807"#),
      ("derived/pdfPage.jsonl", #""page":0"#, #""page":"none""#),
      ("derived/pdfPage.jsonl", #""unit":[0-9.]+"#, #""unit":1e308"#),
      ("derived/pdfPage.jsonl", #""width":[0-9.]+"#, #""width":-1"#),
      ("derived/pdf.jsonl", #""pageCount":1"#, #""pageCount":9007199254740991"#),
      ("derived/pdfPage.jsonl", #""label":[^,}]+"#, #""label":{"$bytes":"AA=="}"#),
    ])
  func marksAndPages(member: String, old: String, new: String) async throws {
    let folder = TemporaryFolder()
    let path = try await archive(in: folder, member: member, old, new)
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    #expect(try await client.failure("library/import", ["path": .string(path)])?.kind == "corrupt")
    #expect(try await client.call("documents/list")["total"] == 0)
    await daemon.stop()
  }

  @Test(
    "marks and pages that no daemon writes, in a library opened in place, end no daemon: not at its start, nor by a method",
    arguments: [
      ("UPDATE highlight SET lines = json_set(lines, '$[0].length', -5, '$[0].quad', json('[]'))", true),
      ("UPDATE highlight SET lines = json_set(lines, '$[0].offset', 9223372036854775807)", true),
      ("UPDATE highlight SET lines = json_set(lines, '$[0].quad', json('[1e308,1]'))", true),
      ("UPDATE highlight SET anchor = json_set(anchor, '$.documentOffset', 9223372036854775807)", true),
      ("UPDATE highlight SET anchor = json_set(anchor, '$.offset', -1)", true),
      (
        """
        INSERT INTO pdfPage (hash, page, width, height, rotation, isBroken)
        SELECT hash, 9223372036854775807, 1, 1, 0, 0 FROM document
        """, false
      ),
      ("UPDATE pdfPage SET page = 'none', text = NULL", false),
      ("UPDATE pdfPage SET unit = 1e308", false),
      ("UPDATE pdfPage SET width = 9e999, rotation = 7", false),
      ("UPDATE pdfPage SET text = x'ff00ff', boxes = x'01'", false),
      ("UPDATE document SET url = x'00ff'", false),
      ("UPDATE highlight SET note = x'00ff'", false),
      ("UPDATE changes SET before = x'ff', fields = x'ff'", false),
      ("UPDATE commits SET client = x'ff', label = x'ff'", false),
    ])
  func marksInPlace(sql: String, refusesMarks: Bool) async throws {
    let folder = TemporaryFolder()
    let first = try await TestDaemon(features: features, in: folder)
    let id = try await marked(try await first.client())
    await first.stop()
    let database = try Database(path: LibraryFolder(folder.file("library")).database)
    try database.write { try $0.execute(sql) }
    try database.close()

    let daemon = try await TestDaemon(features: features, in: folder)
    daemon.daemon.startBackgroundWork()
    let client = try await daemon.client()
    let page: JSONObject = ["id": id, "page": 0]
    for (method, params) in [
      ("documents/get", ["id": id]), ("documents/page", page), ("documents/text", page),
      ("documents/find", ["id": id, "text": "page"]), ("documents/render", ["id": id, "page": 0, "width": 50]),
      ("documents/highlights", ["id": id]),
      ("documents/addHighlight", ["id": id, "page": 0, "lines": ["a page"]]),
      ("documents/toggleHighlight", ["id": id, "page": 0, "lines": ["a page"]]),
      ("documents/export", ["id": id, "format": "w3c", "inline": true]),
      ("documents/export", ["id": id, "format": "pdf", "inline": true]),
      ("documents/importMarks", ["id": id]), ("documents/update", ["id": id, "title": "two"]),
      ("search/query", ["query": "page"]), ("changes/log", [:]),
      ("changes/history", ["collection": "documents", "id": id]), ("changes/undo", [:]),
    ] as [(String, JSONObject)] {
      let failure = try await client.failure(method, .object(params))
      #expect(failure?.code != RPCError.Code.internalError, "\(method): \(failure as Any)")
    }
    if refusesMarks {
      #expect(try await client.failure("documents/highlights", ["id": id])?.kind == "corrupt")
    }
    #expect(try await client.call("session/ping") != nil)
    await daemon.stop()
  }

  @Test(
    "a blob that is a link, or holds other bytes than its name promises, leaves in no archive",
    arguments: [true, false])
  func blobs(isLink: Bool) async throws {
    let folder = TemporaryFolder()
    let daemon = try await TestDaemon(features: features, in: folder)
    let client = try await daemon.client()
    let id = try await marked(client)
    let hash = try #require(try await client.call("documents/get", ["id": id])["hash"]?.stringValue)
    let blob = LibraryFolder(folder.file("library")).blobs + "/\(hash.prefix(2))/\(hash.dropFirst(2))"
    let secret = folder.file("secret")
    // The same bytes, so that nothing but the link tells.
    try FileManager.default.copyItem(atPath: blob, toPath: secret)
    unlink(blob)
    if isLink {
      #expect(symlink(secret, blob) == 0)
    } else {
      try Data("%PDF-1.7 another".utf8).write(to: URL(filePath: blob))
    }
    let archive = folder.file("library.tar")
    #expect(try await client.failure("library/export", ["path": .string(archive)])?.kind == "corrupt")
    #expect(!FileManager.default.fileExists(atPath: archive))
    await daemon.stop()
    guard isLink else { return }
    // A daemon whose workers have not opened the file yet does not follow the link.
    let second = try await TestDaemon(features: features, in: folder)
    #expect(try await second.client().failure("documents/render", ["id": id, "page": 0, "width": 50]) != nil)
    await second.stop()
  }

  @Test(
    "a library opened in place with rows that no daemon writes is answered with errors, and nothing traps",
    arguments: ["pageCount = -5", "pageCount = 1 << 40", "page = -1", "hash = '../../../../etc/hostname'"])
  func inPlace(change: String) async throws {
    let folder = TemporaryFolder()
    let first = try await TestDaemon(features: features, in: folder)
    let data = JSONValue.string(Data(SamplePDF(pages: [.init(["a page"])]).bytes).base64EncodedString())
    let id = try #require(try await first.client().call("documents/add", ["data": data])["id"])
    await first.stop()
    let database = try Database(path: LibraryFolder(folder.file("library")).database)
    try database.write { try $0.execute("UPDATE document SET \(change)") }
    try database.close()

    let daemon = try await TestDaemon(features: features, in: folder)
    let client = try await daemon.client()
    for (method, params) in [
      ("documents/get", ["id": id]), ("documents/text", ["id": id, "page": 0]),
      ("documents/find", ["id": id, "text": "page"]), ("documents/importMarks", ["id": id]),
      ("documents/export", ["id": id, "format": "pdf", "inline": true]),
    ] as [(String, JSONObject)] {
      #expect(try await client.failure(method, .object(params))?.kind == "corrupt", "\(method)")
    }
    let archive = folder.file("library.tar")
    let isExported = try await client.failure("library/export", ["path": .string(archive)]) == nil
    #expect(isExported != change.hasPrefix("hash"))
    #expect(FileManager.default.fileExists(atPath: archive) == isExported)
    await daemon.stop()
  }

  @Test(
    "a library from elsewhere with a trigger or view of somebody else's is refused, and one with ours is not",
    arguments: [
      "CREATE TRIGGER theirs AFTER UPDATE ON document BEGIN DELETE FROM entry; END",
      "DROP TRIGGER projectWent; CREATE TRIGGER projectWent AFTER DELETE ON project BEGIN DELETE FROM entry; END",
      "CREATE VIEW theirs AS SELECT 1",
      "DROP VIEW search_source; CREATE VIEW search_source AS SELECT 1 AS id, sql AS title, sql AS body FROM sqlite_schema",
      // Without an identity, and before a step that is still to come.
      "DELETE FROM library; CREATE TRIGGER theirs AFTER UPDATE ON document BEGIN DELETE FROM entry; END",
      "DELETE FROM grdb_migrations WHERE identifier = 'store/009'; CREATE VIEW theirs AS SELECT 1", "",
    ])
  func triggers(sql: String) async throws {
    let folder = TemporaryFolder()
    let first = try await TestDaemon(features: features, in: folder)
    _ = try await marked(try await first.client())
    await first.stop()
    let database = try Database(path: LibraryFolder(folder.file("library")).database)
    try database.write { try $0.execute(sql) }
    try database.close()
    // What this user's daemon remembers of the library is not here.
    try FileManager.default.removeItem(atPath: folder.file("state"))
    if sql.isEmpty {
      let daemon = try await TestDaemon(features: features, in: folder)
      #expect(try await daemon.client().call("documents/list")["total"] == 1)
      await daemon.stop()
    } else {
      let path = LibraryFolder(folder.file("library")).path
      await #expect(throws: StoreError.broken(path: path, reason: "foreignTriggers")) {
        _ = try await TestDaemon(features: features, in: folder)
      }
      // No step has run in it.
      let left = try Database(path: LibraryFolder(path).database)
      let steps = try left.read {
        try $0.integer("SELECT count(*) FROM grdb_migrations WHERE identifier = 'store/009'")
      }
      #expect(steps == (sql.contains("grdb_migrations") ? 0 : 1))
      try left.close()
    }
  }

  @Test(
    "where an archive is made, a file whose bytes are not those of its name is called damaged, and a gone one missing")
  func damagedBlob() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let bytes = SamplePDF(pages: [.init(["a page"])]).bytes
    _ = try await client.call("documents/add", ["data": .string(Data(bytes).base64EncodedString())])
    let blob = try Blobs(folder: daemon.library + "/blobs").path(named: Blobs.hash(of: bytes))
    let archive = JSONValue.string(daemon.folder.file("library.tar"))
    func expectFailure(_ key: JSONValue) async throws {
      let failure = try await client.failure("library/export", ["path": archive])
      #expect(failure?.kind == "corrupt" && failure?.data?["key"] == key, "\(String(describing: failure))")
    }
    try Data("other bytes".utf8).write(to: URL(filePath: blob))
    try await expectFailure("check.blobDamaged")
    try FileManager.default.removeItem(atPath: blob)
    try await expectFailure("check.blobMissing")
    await daemon.stop()
  }

  @Test(
    "a library whose id or epoch leads to another folder is refused",
    arguments: [
      "UPDATE library SET id = '../../victim'", "UPDATE library SET epoch = '../../victim'",
    ])
  func identity(sql: String) async throws {
    let folder = TemporaryFolder()
    let daemon = try await TestDaemon(features: features, in: folder)
    await daemon.stop()
    let database = try Database(path: LibraryFolder(folder.file("library")).database)
    try database.write { try $0.execute(sql) }
    try database.close()
    await #expect(throws: StoreError.self) { _ = try await TestDaemon(features: features, in: folder) }
  }
}
