import Client
import Contract
import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Diary: sharing and export") struct ExportTests {
  @Test("D13 D28 shared text is exactly title, a line end and body; Markdown and HTML on request")
  func share() async throws {
    let bench = try await DiaryBench()
    func share(_ text: String, as format: String? = nil) async throws -> String {
      var params: JSONObject = ["id": try await bench.add(text).id]
      if let format { params["format"] = .string(format) }
      return try await bench.client.call("diary/share", .object(params))["text"].text
    }
    #expect(try await share("Title\nbody") == "Title\nbody")
    #expect(sameBytes(try await share("\n\nTitle\r\nbody\r\n"), "Title\nbody\r\n"))
    #expect(try await share("Title", as: "text") == "Title\n")
    #expect(try await share("Title\nbody", as: "markdown") == "# Title\n\nbody")
    #expect(
      try await share("a < b & \"c\"\none\ntwo\n\n<script>", as: "html")
        == "<h1>a &lt; b &amp; &quot;c&quot;</h1>\n<p>one<br>\ntwo</p>\n<p>&lt;script&gt;</p>\n")
    // A heading is no heading of a heading; as text nothing is changed.
    #expect(try await share("# Title\nbody", as: "markdown") == "# Title\n\nbody")
    #expect(try await share("## Title\nbody", as: "html") == "<h1>Title</h1>\n<p>body</p>\n")
    #expect(try await share("# Title\nbody") == "# Title\nbody")
    #expect(try await share("#tag", as: "markdown") == "# #tag\n\n")
    #expect(try await bench.client.failure("diary/share", ["id": "nowhere"])?.data?["kind"] == "notFound")
    await bench.stop()
  }

  @Test("entries are exported by day and moment, whenever they came")
  func order() async throws {
    let bench = try await DiaryBench()
    for (text, day) in [("two", "2026-11-02"), ("three", "2026-11-03"), ("one", "2026-11-01"), ("two b", "2026-11-02")]
    {
      try await bench.add(text, day: day)
      bench.daemon.clock.advance(milliseconds: 1_000)
    }
    let path = bench.daemon.folder.file("all.jsonl")
    _ = try await bench.client.call("diary/export", ["path": .string(path), "format": "jsonl"])
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let written = try lines.map { try JSONParser.parse(String($0))["text"].text }
    #expect(written == ["one", "two", "two b", "three"])
    await bench.stop()
  }

  private static let texts = [
    "A walk\nAlong the river.\n\n", "\r\n\r\n---\nday: 1999-01-01\n---\nnot matter\r\n",
    "글 👩‍👩‍👧‍👦\n" + "한글".decomposedStringWithCanonicalMapping, "---\nid: x\n---\n", "  one line",
  ]

  @Test(
    "what was exported comes back in another library byte for byte, with ids, days, zones and moments",
    arguments: ["markdown", "jsonl", "dayone"])
  func roundTrip(format: String) async throws {
    let bench = try await DiaryBench(timeZone: "Asia/Seoul")
    for (number, text) in Self.texts.enumerated() {
      try await bench.add(text, day: number == 0 ? "2001-02-03" : nil)
      bench.daemon.clock.advance(milliseconds: 86_400_007)
    }
    let path = bench.daemon.folder.file("export")
    let params: JSONValue = ["path": .string(path), "format": .string(format)]
    #expect(try await bench.client.call("diary/export", params)["entries"] == 5)
    let other = try await DiaryBench()
    let report = try await other.client.call("diary/import", params)
    #expect(report["added"] == 5 && report["notes"] == [])
    for item in try await bench.client.call("diary/list").items {
      let (mine, theirs) = (try await bench.get(item.id), try await other.get(item.id))
      #expect(sameBytes(mine["text"].text, theirs["text"].text))
      for field in ["day", "timeZone", "writtenAt"] { #expect(mine[field] == theirs[field], "\(field)") }
    }
    #expect(try await other.client.call("diary/import", params)["known"] == 5)
    await other.stop()
    await bench.stop()
  }

  @Test("a range of days is exported; what is at the path already stays, and nothing is left of what failed")
  func paths() async throws {
    let bench = try await DiaryBench()
    for day in 1...4 { try await bench.add("\(day)", day: "2026-01-0\(day)") }
    let folder = bench.daemon.folder
    for format in ["markdown", "jsonl"] {
      let path = folder.file("part-" + format)
      let params: JSONValue = [
        "path": .string(path), "format": .string(format), "from": "2026-01-02", "to": "2026-01-03",
      ]
      #expect(try await bench.client.call("diary/export", params)["entries"] == 2)
      #expect(try await bench.client.failure("diary/export", params)?.data?["kind"] == "exists")
      let lost: JSONValue = ["path": .string(folder.file("no/such/folder")), "format": .string(format)]
      let failure = try await bench.client.failure("diary/export", lost)
      #expect(failure?.data?["kind"] == "notFound")
      #expect(failure?.message.contains("There is no folder \(folder.file("no/such")).") == true, "\(failure as Any)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.hasSuffix(".part") })
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("part-markdown")).sorted()
    #expect(names.map { String($0.prefix(10)) } == ["2026-01-02", "2026-01-03"])
    await bench.stop()
  }

  /// Edits the file of an entry in an exported folder.
  private func edit(_ entry: JSONValue, in folder: String, _ change: (inout String) -> Void) throws {
    let file = "\(folder)/2026-11-21-\(entry.id.text).md"
    var text = try String(contentsOfFile: file, encoding: .utf8)
    change(&text)
    try Data(text.utf8).write(to: URL(filePath: file))
  }

  @Test("an export tells how far it is", arguments: ["markdown", "jsonl", "dayone"])
  func progress(format: String) async throws {
    let bench = try await DiaryBench()
    for day in 1...4 { try await bench.add("\(day)", day: "2026-01-0\(day)") }
    let steps = Mutex<[Int64]>([])
    let path = bench.daemon.folder.file("export")
    let params: JSONValue = ["path": .string(path), "format": .string(format)]
    _ = try await bench.client.call("diary/export", params) { value in
      if let step = value["percentage"]?.integerValue { steps.withLock { $0.append(step) } }
    }
    let seen = steps.withLock(\.self)
    #expect(seen == seen.sorted() && !seen.isEmpty)
    await bench.stop()
  }

  @Test("a file ends with a line end, which is none of its entry: what is written behind it is a line of its own")
  func finalNewline() async throws {
    let bench = try await DiaryBench()
    let (open, closed) = (try await bench.add("open"), try await bench.add("closed\n"))
    let folder = bench.daemon.folder.file("files")
    let params: JSONValue = ["path": .string(folder), "format": "markdown"]
    _ = try await bench.client.call("diary/export", params)
    #expect(try await bench.client.call("diary/import", params)["known"] == 2)
    for entry in [open, closed] {
      try edit(entry, in: folder) { text in
        let isEnded = text.hasSuffix("n\n") || text.hasSuffix("d\n")
        #expect(isEnded)
        text += "more\n"
      }
    }
    #expect(try await bench.client.call("diary/import", params)["updated"] == 2)
    #expect(try await bench.get(open.id)["text"] == "open\nmore")
    #expect(try await bench.get(closed.id)["text"] == "closed\nmore\n")
    await bench.stop()
  }

  @Test(
    "an edited file changes its entry if its revision is current; otherwise both versions stand and the report says so")
  func editedFiles() async throws {
    let bench = try await DiaryBench()
    let (one, two) = (try await bench.add("one"), try await bench.add("two"))
    let folder = bench.daemon.folder.file("files")
    let params: JSONValue = ["path": .string(folder), "format": "markdown"]
    _ = try await bench.client.call("diary/export", params)
    for entry in [one, two] { try edit(entry, in: folder) { $0 = "\($0.dropLast()), edited\n" } }
    _ = try await bench.client.call("diary/update", ["id": two.id, "text": "two, here"])
    let report = try await bench.client.call("diary/import", params)
    #expect(report["updated"] == 1 && report["known"] == 1 && report["conflicts"] == 1 && report["skipped"] == 0)
    #expect(report["notes"].list.map { $0["reason"] } == ["conflict"])
    #expect(Set(try await bench.titles()) == ["one, edited", "two, here"])
    // Again: the first is as the file says, and the version of the second is there.
    let again = try await bench.client.call("diary/import", params)
    #expect(again["known"] == 2 && again["added"] == 0 && again["updated"] == 0)
    // A file that is missing removes nothing.
    try FileManager.default.removeItem(atPath: "\(folder)/2026-11-21-\(one.id.text).md")
    _ = try await bench.client.call("diary/import", params)
    #expect(try await bench.get(one.id)["text"] == "one, edited")
    await bench.stop()
  }

  @Test("a day that was changed in a file moves its entry, if its revision is current")
  func editedDays() async throws {
    let bench = try await DiaryBench()
    let (one, two) = (try await bench.add("one"), try await bench.add("two"))
    let folder = bench.daemon.folder.file("files")
    let params: JSONValue = ["path": .string(folder), "format": "markdown"]
    _ = try await bench.client.call("diary/export", params)
    for entry in [one, two] {
      try edit(entry, in: folder) { $0.replace("day: 2026-11-21", with: "day: 2026-11-20") }
    }
    _ = try await bench.client.call("diary/update", ["id": two.id, "day": "2026-11-19"])
    let report = try await bench.client.call("diary/import", params)
    #expect(report["updated"] == 1 && report["known"] == 1 && report["added"] == 0)
    #expect(report["notes"].list.map { "\($0["reason"].text) \($0["title"].text)" } == ["keptOwn two"])
    #expect(
      report["notes"].list[0]["display"]
        == "Its day was changed here too and stays; the file has 2026-11-20.")
    #expect(try await bench.get(one.id)["day"] == "2026-11-20")
    #expect(try await bench.get(two.id)["day"] == "2026-11-19")
    #expect(try await bench.client.call("diary/import", params)["changed"] == false)
    await bench.stop()
  }

  @Test(
    "an old export that nobody edited is known, whatever became of its entries since", arguments: ["markdown", "jsonl"])
  func oldFiles(format: String) async throws {
    let bench = try await DiaryBench()
    let entry = try await bench.add("one")
    _ = try await bench.client.call("diary/update", ["id": entry.id, "text": "two"])
    let path = bench.daemon.folder.file("files")
    let params: JSONValue = ["path": .string(path), "format": .string(format)]
    _ = try await bench.client.call("diary/export", params)
    for text in ["three", "four"] {
      _ = try await bench.client.call("diary/update", ["id": entry.id, "text": .string(text)])
    }
    let report = try await bench.client.call("diary/import", params)
    #expect(report["known"] == 1 && report["added"] == 0 && report["notes"].list.isEmpty)
    #expect(try await bench.titles() == ["four"])
    await bench.stop()
  }

  /// A file of the entry `a`, written at revision 2 of its library, and another library in which it has come and was
  /// changed since, which is revision 2 there.
  private func collision(
    _ format: String, _ edit: (inout String) -> Void = { _ in }
  ) async throws -> (other: DiaryBench, params: JSONValue, file: String) {
    let bench = try await DiaryBench()
    try await bench.add("one", id: "a")
    let exported = try await bench.client.call("diary/update", ["id": "a", "text": "two"])
    let path = bench.daemon.folder.file("files")
    let written: JSONValue = ["path": .string(path), "format": .string(format)]
    _ = try await bench.client.call("diary/export", written)
    let file = format == "jsonl" ? path : path + "/2026-11-21-a.md"
    var content = try String(contentsOfFile: file, encoding: .utf8)
    await bench.stop()
    let other = try await DiaryBench()
    let copy = other.daemon.folder.file(format == "jsonl" ? "a.jsonl" : "2026-11-21-a.md")
    let params: JSONValue = ["path": .string(copy), "format": .string(format)]
    try Data(content.utf8).write(to: URL(filePath: copy))
    #expect(try await other.client.call("diary/import", params)["added"] == 1)
    let changed = try await other.client.call("diary/update", ["id": "a", "text": "there"])
    #expect(changed["revision"] == exported["revision"])
    edit(&content)
    try Data(content.utf8).write(to: URL(filePath: copy))
    return (other, params, copy)
  }

  @Test(
    "a file of another library is no edit of this one's, though the numbers of their revisions are the same",
    arguments: ["markdown", "jsonl"])
  func collision(format: String) async throws {
    let (other, params, _) = try await collision(format)
    let report = try await other.client.call("diary/import", params)
    #expect(report["known"] == 1 && report["updated"] == 0 && report["changed"] == false, "\(report)")
    #expect(try await other.get("a")["text"] == "there")
    await other.stop()
  }

  @Test(
    "an edited file of another library is in conflict with the entry, once, and the report says so",
    arguments: ["markdown", "jsonl"])
  func editedElsewhere(format: String) async throws {
    let (other, params, _) = try await collision(format) { $0.replace("two", with: "two, edited") }
    let report = try await other.client.call("diary/import", params)
    #expect(report["known"] == 1 && report["conflicts"] == 1, "\(report)")
    #expect(report["notes"].list.map { $0["reason"] } == ["conflict"])
    #expect(try await other.titles() == ["there"])
    #expect(try await other.client.call("diary/import", params)["known"] == 1)
    await other.stop()
  }

  @Test(
    "a file from before files said their library is taken for another library's", arguments: ["markdown", "jsonl"],
    [true, false])
  func withoutEpoch(format: String, isEdited: Bool) async throws {
    let (other, params, _) = try await collision(format) { file in
      file.replace(/epoch: [^\n]*\n|"epoch":"[^"]*",/, with: "")
      #expect(!file.contains("epoch") && file.contains("revision"))
      if isEdited { file.replace("two", with: "two, edited") }
    }
    let report = try await other.client.call("diary/import", params)
    #expect(report["known"] == 1 && (report["conflicts"] == 1) == isEdited, "\(report)")
    #expect(try await other.get("a")["text"] == "there")
    await other.stop()
  }

  @Test("an old day of a file whose text was edited stays old, however often the file comes")
  func oldDay() async throws {
    let bench = try await DiaryBench()
    try await bench.add("one", day: "2026-11-20", id: "a")
    let file = bench.daemon.folder.file("a.jsonl")
    _ = try await bench.client.call("diary/export", ["path": .string(file), "format": "jsonl"])
    var content = try String(contentsOfFile: file, encoding: .utf8)
    // As of a backup that was restored: a history of its own.
    content.replace(/"epoch":"[^"]*"/, with: #""epoch":"0192f0c1-6a00-7000-8000-000000000000""#)
    content.replace("one", with: "edited")
    try Data(content.utf8).write(to: URL(filePath: file))
    _ = try await bench.client.call("diary/update", ["id": "a", "day": "2026-11-25", "text": "here"])
    for time in 1...2 {
      let report = try await bench.client.call("diary/import", ["path": .string(file), "format": "jsonl"])
      #expect(report["updated"] == 0 && report["known"] == 1, "\(time): \(report)")
      let entry = try await bench.get("a")
      #expect(entry["day"] == "2026-11-25" && entry["text"] == "here", "\(time)")
    }
    await bench.stop()
  }
}
