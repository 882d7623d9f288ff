import Features
import Foundation
import GRDB
import Store
import TestSupport
import Testing
import Wire

/// Libraries and archives that somebody else has made.
@Suite struct HostileArchiveTests {
  private let features = AllFeatures.features

  /// An archive of a library with one document, with its line of `items/documents.jsonl` changed.
  private func archive(in folder: TemporaryFolder, _ old: String, _ new: String) async throws -> String {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let data = JSONValue.string(Data(SamplePDF(pages: [.init(["a page"])]).bytes).base64EncodedString())
    _ = try await client.call("documents/add", ["data": data, "title": "one"])
    let path = folder.file("whole.tar")
    _ = try await client.call("library/export", ["path": .string(path)])
    await daemon.stop()
    return try rewrite(path, to: folder.file("changed.tar"), old, new)
  }

  /// The members are unpacked and packed again by a program that is none of ours.
  private func rewrite(_ path: String, to target: String, _ old: String, _ new: String) throws -> String {
    let script = """
      import re, sys, tarfile, io
      with tarfile.open(sys.argv[1]) as old, tarfile.open(sys.argv[2], "w", format=tarfile.USTAR_FORMAT) as new:
          for member in old:
              data = old.extractfile(member).read()
              if member.name == "items/documents.jsonl":
                  changed = re.sub(sys.argv[3].encode(), lambda _: sys.argv[4].encode(), data, count=1)
                  assert changed != data
                  data = changed
              member.size = len(data)
              new.addfile(member, io.BytesIO(data))
      """
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, path, target, old, new]
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
    "a library opened in place with rows that no daemon writes is answered with errors, and nothing traps",
    arguments: ["pageCount = -5", "pageCount = 1 << 40", "page = -1", "hash = '../../../../etc/hostname'"])
  func inPlace(change: String) async throws {
    let folder = TemporaryFolder()
    let first = try await TestDaemon(features: features, in: folder)
    let data = JSONValue.string(Data(SamplePDF(pages: [.init(["a page"])]).bytes).base64EncodedString())
    let id = try #require(try await first.client().call("documents/add", ["data": data])["id"])
    await first.stop()
    let database = try DatabaseQueue(path: LibraryFolder(folder.file("library")).database)
    try await database.write { try $0.execute(sql: "UPDATE document SET \(change)") }
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
    "a library whose id or epoch leads to another folder is refused",
    arguments: [
      "UPDATE library SET id = '../../victim'", "UPDATE library SET epoch = '../../victim'",
    ])
  func identity(sql: String) async throws {
    let folder = TemporaryFolder()
    let daemon = try await TestDaemon(features: features, in: folder)
    await daemon.stop()
    let database = try DatabaseQueue(path: LibraryFolder(folder.file("library")).database)
    try await database.write { try $0.execute(sql: sql) }
    try database.close()
    await #expect(throws: StoreError.self) { _ = try await TestDaemon(features: features, in: folder) }
  }
}
