import Foundation
import TestSupport
import Testing
import Wire

@testable import Diary

@Suite("Diary: import without a format") struct DetectedFormatTests {
  @Test(
    "the format is found by what is in the file",
    arguments: [
      ("sample", #"[{"title": "a", "body": "b", "created_at": 1608651333}]"#),
      ("jrnl", "\u{FEFF}\n[2026-11-01 09:00] One.\nWords.\n"),
      ("jrnl", #"{"tags": {}, "entries": [{"title": "a", "body": "", "date": "2026-11-01", "time": "09:00"}]}"#),
      ("dayone", #"{"metadata": {}, "entries": [{"uuid": "A", "creationDate": "2020-12-22T15:35:33Z", "text": "a"}]}"#),
      ("jsonl", #"{"id": "a", "text": "One", "day": "2026-11-01", "writtenAt": "2026-11-01T09:00:00.000Z"}"# + "\n"),
      ("markdown", "---\ndate: 2026-11-01\n---\nWords.\n"),
    ])
  func found(format: String, file: String) async throws {
    let bench = try await DiaryBench()
    let params: JSONValue = ["data": .string(Data(file.utf8).base64EncodedString())]
    let report = try await bench.client.call("diary/import", params)
    #expect(report["format"].text == format && report["added"] == 1, "\(report)")
    #expect(try await bench.client.call("diary/import", params)["known"] == 1)
    await bench.stop()
  }

  @Test("a zip is Day One's, and Markdown is found by its name or as a folder")
  func foundByName() async throws {
    let bench = try await DiaryBench()
    let folder = TemporaryFolder()
    var zip = SampleZip()
    zip.add("Journal.json", #"{"entries": [{"uuid": "A", "creationDate": "2020-12-22T15:35:33Z", "text": "a"}]}"#)
    let files: [(name: String, bytes: [UInt8], format: String)] = [
      ("export.bin", zip.bytes, "dayone"), ("2026-11-01.MD", Array("# Words\n".utf8), "markdown"),
      ("journal.md", Array("[2026-11-02 09:00] jrnl's own.\n".utf8), "jrnl"),
    ]
    for file in files {
      let path = "\(folder.path)/\(file.name)"
      try Data(file.bytes).write(to: URL(filePath: path))
      let report = try await bench.client.call("diary/import", ["path": .string(path)])
      #expect(report["format"].text == file.format && report["added"] == 1, "\(report)")
    }
    let notes = "\(folder.path)/notes"
    try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: false)
    try Data("A dream.\n".utf8).write(to: URL(filePath: "\(notes)/2026-11-03.md"))
    let report = try await bench.client.call("diary/import", ["path": .string(notes)])
    #expect(report["format"] == "markdown" && report["added"] == 1, "\(report)")
    await bench.stop()
  }

  @Test(
    "what no format is found for is refused with the choices",
    arguments: ["Words.\n", "[]", "{}", #"{"entries": []}"#, "[link](https://example.org)\n", "%PDF-1.4"])
  func notFound(file: String) async throws {
    let bench = try await DiaryBench()
    let folder = TemporaryFolder()
    let path = "\(folder.path)/file.txt"
    try Data(file.utf8).write(to: URL(filePath: path))
    for params: JSONValue in [
      ["path": .string(path)], ["data": .string(Data(file.utf8).base64EncodedString())],
    ] {
      let failure = try await bench.client.failure("diary/import", params)
      #expect(failure?.data?["field"] == "format")
      #expect(failure?.message.contains("sample, jrnl, dayone, markdown, jsonl") == true, "\(failure?.message ?? "")")
    }
    let blank = try await bench.client.failure(
      "diary/import", ["data": .string(Data(" \n".utf8).base64EncodedString())])
    #expect(blank?.data?["field"] == "data" && blank?.message.contains("empty") == true, "\(blank?.message ?? "")")
    try Data(" \n".utf8).write(to: URL(filePath: path))
    let blankFile = try await bench.client.failure("diary/import", ["path": .string(path)])
    #expect(
      blankFile?.data?["field"] == "path" && blankFile?.message.contains("empty") == true, "\(blankFile?.message ?? "")"
    )
    await bench.stop()
  }

  @Test("a file may be as large as the limit, and not a byte larger")
  func limit() throws {
    let folder = TemporaryFolder()
    let path = folder.file("words.md")
    try Data(repeating: 0x61, count: 100).write(to: URL(filePath: path))
    #expect(try ImportFormat.detect(at: path, limit: 100) == .markdown)
    let failure = #expect(throws: RPCError.self) { try ImportFormat.detect(at: path, limit: 99) }
    #expect(failure?.kind == .tooLarge)
  }
}
