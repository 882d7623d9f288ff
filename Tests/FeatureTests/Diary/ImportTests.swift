import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Diary: import") struct ImportTests {
  @Test(
    "D19 D23 D29 D31 the sample JSON is read; missing keys stop nothing, and each entry that was skipped is named with the reason"
  )
  func sample() async throws {
    let bench = try await DiaryBench(locale: "ko-KR", timeZone: "Asia/Seoul")
    let file = """
      [{"title": "제목", "body": "본문\\n둘째 줄", "created_at": 1608651333},
       {"title": "본문 없음", "created_at": 1608651334.5}, {"body": "제목 없음", "created_at": 0},
       {"title": "날짜 없음", "body": "?"}, {"created_at": 1608651333}, {"title": "x", "created_at": "어제"},
       {"title": "a\\u0000b", "created_at": 1}, {"title": "\\ud800", "created_at": 1}, 7]
      """
    let report = try await bench.take(file, as: "sample")
    #expect(report["added"] == 3 && report["skipped"] == 6 && report["known"] == 0 && report["untold"] == 0)
    #expect(report.importReasons == ["missingDate", "blank", "badDate", "notText", "notText", "missingDate"])
    #expect(report["notes"].list[0]["title"] == "날짜 없음" && report["notes"].list[0]["number"] == 4)
    #expect(report["notes"].list[0]["display"] == "작성한 날짜가 없습니다.")
    let items = try await bench.client.call("diary/list", ["sort": "oldest"]).items
    #expect(items.map { $0["day"] } == ["1970-01-01", "2020-12-23", "2020-12-23"])
    let entry = try await bench.get(items[1].id)
    #expect(entry["text"] == "제목\n본문\n둘째 줄" && entry["display"]?["date"] == "2020년 12월 23일")
    #expect(entry["writtenAt"] == "2020-12-22T15:35:33.000Z" && entry["timeZone"] == "Asia/Seoul")
    #expect(try await bench.get(items[2].id)["body"] == "")
    await bench.stop()
  }

  @Test("the sample's moments may be words of ISO 8601: with an offset, or what the client's clock showed")
  func sampleMoments() async throws {
    let bench = try await DiaryBench(timeZone: "Asia/Seoul")
    let moments = ["2026-10-01T21:30:00+02:00", "2026-10-01T21:30", "2026-10-02 07:08:09", "2026-10-03"]
    let items = moments.map { "{\"title\": \"\($0)\", \"created_at\": \"\($0)\"}" }
    let report = try await bench.take("[\(items.joined(separator: ","))]", as: "sample")
    #expect(report["added"] == 4 && report["notes"].list.isEmpty, "\(report)")
    let entries = try await bench.client.call("diary/list").items
    let written = Dictionary(uniqueKeysWithValues: entries.map { ($0["title"].text, $0["writtenAt"].text) })
    #expect(
      moments.map { written[$0] } == [
        "2026-10-01T19:30:00.000Z", "2026-10-01T12:30:00.000Z", "2026-10-01T22:08:09.000Z", "2026-10-02T15:00:00.000Z",
      ])
    await bench.stop()
  }

  @Test("importing twice makes no doubles, not of what was edited since either; an import is undone in one step")
  func twice() async throws {
    let bench = try await DiaryBench()
    let items = (0..<700).map { "{\"title\": \"entry \($0)\", \"body\": \"b\", \"created_at\": \($0 * 3_600)}" }
    // Who wrote the same twice in a minute wrote it twice.
    let file = "[\(items.joined(separator: ",")), \(items[0])]"
    let planned = try await bench.client.call(
      "diary/import",
      ["data": .string(Data(file.utf8).base64EncodedString()), "format": "sample", "dryRun": true])
    #expect(planned["added"] == 701 && planned["changed"] == false)
    #expect(try await bench.client.call("diary/list")["total"] == 0)
    #expect(try await bench.take(file, as: "sample")["added"] == 701)
    let first = try await bench.client.call("diary/list", ["query": "entry 699"]).items[0]
    _ = try await bench.client.call("diary/update", ["id": first.id, "text": "edited"])
    let again = try await bench.take(file, as: "sample")
    #expect(again["added"] == 0 && again["known"] == 701 && again["changed"] == false)
    #expect(try await bench.client.call("diary/list", ["query": "edited"])["total"] == 1)
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("diary/list")["total"] == 0)
    await bench.stop()
  }

  @Test("six thousand entries whose titles and links are kept beside them come in one commit, and go in one")
  func oneCommit() async throws {
    let bench = try await DiaryBench()
    let items = (0..<6_000).map { "{\"title\": \"entry \($0)\", \"body\": \"[[entry 1]]\", \"created_at\": \($0)}" }
    let report = try await bench.take("[\(items.joined(separator: ","))]", as: "sample")
    #expect(report["added"] == 6_000 && report["clock"] == 1)
    #expect(try await bench.client.call("changes/log")["total"] == 1)
    #expect(try await bench.client.call("diary/list", ["query": "entry 5999"])["total"] == 1)
    #expect(try await bench.client.call("changes/undo")["clock"] == 2)
    #expect(try await bench.client.call("diary/list", ["query": "entry"])["total"] == 0)
    await bench.stop()
  }

  @Test("an entry that jrnl's text and its JSON both have is one entry, also when it is starred")
  func starredJrnl() async throws {
    let bench = try await DiaryBench()
    let json = """
      {"entries": [{"title": "A day.", "body": "Words.", "date": "2026-11-01", "time": "09:00", "starred": true},
        {"title": "Only a title", "body": "", "date": "2026-11-02", "time": "09:00", "starred": true},
        {"title": "None * of it", "body": "", "date": "2026-11-03", "time": "09:00", "starred": false}]}
      """
    #expect(try await bench.take(json, as: "jrnl")["added"] == 3)
    let text = """
      [2026-11-01 09:00] A day. *
      Words.

      [2026-11-02 09:00] Only a title *

      [2026-11-03 09:00] None * of it

      """
    let report = try await bench.take(text, as: "jrnl")
    #expect(report["added"] == 0 && report["known"] == 3, "\(report)")
    #expect(report["notes"].list.isEmpty)
    #expect(try await bench.client.call("diary/list", ["starred": true])["total"] == 2)
    await bench.stop()
  }

  @Test("a bracket that holds no date of jrnl's form begins no entry")
  func jrnlBrackets() async throws {
    let bench = try await DiaryBench()
    let text = """
      [2026-11-01 09:00] A list
      [2026-11:02 09:00] no entry
      [2026:11-02] no entry
      [2026-11-02]
      Another one.

      """
    #expect(try await bench.take(text, as: "jrnl")["added"] == 2)
    await bench.stop()
  }

  @Test("jrnl's JSON and its own text are read, in the client's zone")
  func jrnl() async throws {
    let bench = try await DiaryBench(timeZone: "Asia/Seoul")
    let json = """
      {"tags": {"@x": 1}, "entries": [
        {"title": "First.", "body": "Body", "date": "2020-12-23", "time": "00:35", "tags": ["@x"], "starred": false},
        {"title": "Only", "date": "2020-12-24"}, {"title": "No date", "body": ""},
        {"title": "Bad", "date": "2020-02-30", "time": "00:35"}, {"title": "Bad", "date": "2020-02-03", "time": "25:00"}]}
      """
    let report = try await bench.take(json, as: "jrnl")
    #expect(report["added"] == 2 && report.importReasons == ["missingDate", "badDate", "badDate"])
    let broken = #"{"entries": [{"title": "Third", "date": "2020-12-25"}, {"title": }, {"title": "x", "date": 1}]}"#
    let other = try await bench.take(broken, as: "jrnl")
    #expect(other["added"] == 1 && other.importReasons == ["unreadable", "missingDate"], "\(other)")
    let text = """

      [2021-05-01 09:05] First line. More
      [not a date] is text
      second\r
      third


      [2021-05-02 09:05:59 PM] Evening
      [2021-13-02 09:05] No such month
      lost

      """
    let second = try await bench.take(text, as: "jrnl")
    #expect(second["added"] == 2 && second.importReasons == ["badDate"])
    #expect(second["notes"].list[0]["number"] == 3 && second["notes"].list[0]["title"] == "No such month")
    let items = try await bench.client.call("diary/list", ["sort": "oldest"]).items
    #expect(
      items.map { $0["writtenAt"].text } == [
        "2020-12-22T15:35:00.000Z", "2020-12-23T15:00:00.000Z", "2020-12-24T15:00:00.000Z", "2021-05-01T00:05:00.000Z",
        "2021-05-02T12:05:59.000Z",
      ])
    #expect(try await bench.get(items[0].id)["text"] == "First.\nBody")
    #expect(try await bench.get(items[3].id)["text"] == "First line. More\n[not a date] is text\nsecond\r\nthird")
    await bench.stop()
  }

  @Test("where a title ends is a title's end in every format but jrnl's: two entries of one second stay two")
  func titlesOfOneSecond() async throws {
    let bench = try await DiaryBench()
    for words in [#""title": "Lunch", "body": "with Kim""#, #""title": "Lunch with Kim", "body": """#] {
      let report = try await bench.take("[{\(words), \"created_at\": 1608651333}]", as: "sample")
      #expect(report["added"] == 1 && report["known"] == 0, "\(report)")
    }
    #expect(try await bench.titles().sorted() == ["Lunch", "Lunch with Kim"])
    await bench.stop()
  }

  @Test("an entry whose title and text share a line in jrnl's file is the same in its JSON, which has them apart")
  func jrnlTitles() async throws {
    let text =
      "[2026-11-20 09:00] First. And more\nof it\n\n[2026-11-20 09:01] Second!\n\nMore\n[2026-11-20 09:02] 셋째。 더\n"
    func json(_ third: String) -> String {
      """
      {"entries": [{"title": "First.", "body": "And more\\nof it", "date": "2026-11-20", "time": "09:00"},
        {"title": "Second!", "body": "More", "date": "2026-11-20", "time": "09:01"},
        {"title": "셋째。", "body": "\(third)", "date": "2026-11-20", "time": "09:02"}]}
      """
    }
    for files in [[text, json("더")], [json("더"), text]] {
      let bench = try await DiaryBench()
      #expect(try await bench.take(files[0], as: "jrnl")["added"] == 3)
      for file in [files[1], files[0], files[1]] {
        let again = try await bench.take(file, as: "jrnl")
        #expect(again["added"] == 0 && again["known"] == 3 && again["notes"] == [], "\(again)")
      }
      // Other words are another entry.
      #expect(try await bench.take(json("덜"), as: "jrnl")["added"] == 1)
      await bench.stop()
    }
  }

  @Test("Day One's journal is read with its zones; what cannot come is named, and its own ids tell what came before")
  func dayOne() async throws {
    let bench = try await DiaryBench()
    func file(_ text: String) -> String {
      """
      {"metadata": {"version": "1.0"}, "entries": [
        {"uuid": "A1", "creationDate": "2020-12-22T15:35:33Z", "timeZone": "Asia/Seoul", "text": "\(text)",
         "photos": [{"md5": "x"}]},
        {"uuid": "A2", "creationDate": "2020-12-22T15:35:33Z", "timeZone": "Asia/Atlantis", "text": "zone"},
        {"uuid": "A3", "creationDate": "yesterday", "text": "bad"}, {"uuid": "A4", "text": "none"},
        {"uuid": "A5", "creationDate": "2020-12-22T15:35:33Z"}, {"uuid": "A6", "creationDate": null, "text": "null"}]}
      """
    }
    let report = try await bench.take(file("text"), as: "dayone")
    #expect(report["added"] == 2 && report["skipped"] == 4)
    #expect(report.importReasons == ["attachments", "badZone", "badDate", "missingDate", "blank", "missingDate"])
    #expect(try await bench.client.call("diary/list").items.map { $0["day"] } == ["2020-12-23", "2020-12-22"])
    let again = try await bench.take(file("changed there"), as: "dayone")
    #expect(again["updated"] == 1 && again["known"] == 1 && again["added"] == 0)
    #expect(try await bench.titles() == ["changed there", "zone"])
    await bench.stop()
  }

  @Test("what other programs keep before a text is not lost: its title and its time; a date that is none is no guess")
  func foreignMatter() async throws {
    let bench = try await DiaryBench(timeZone: "Asia/Seoul")
    let files = [
      "---\ntitle: A walk\ndate: 2026-11-16 10:00\n---\n\nAlong the river.\n",
      "---\ntitle: \"Home\"\ndate: 2026-11-17T10:00:00Z\n---\n# Home\n\nAt last.\n",
      "---\ndate: 2026-11-18\n---\nNoon",
    ]
    for file in files { #expect(try await bench.take(file, as: "markdown")["added"] == 1) }
    let entries = try await bench.client.call("diary/list", ["sort": "oldest"]).items
    #expect(
      entries.map { $0["writtenAt"].text.prefix(16) } == ["2026-11-16T01:00", "2026-11-17T10:00", "2026-11-18T03:00"])
    #expect(try await bench.get(entries[0].id)["text"] == "A walk\n\nAlong the river.\n")
    #expect(try await bench.get(entries[1].id)["text"] == "# Home\n\nAt last.\n")
    for file in files { #expect(try await bench.take(file, as: "markdown")["known"] == 1) }
    for date in ["2026-11-168", "2026-11-16/17", "2026-11-1"] {
      #expect(try await bench.take("---\ndate: \(date)\n---\nx", as: "markdown").importReasons == ["badDate"])
    }
    // Our own field is a day without a time.
    let timed = "---\nday: 2026-11-16T10:00:00Z\n---\nx"
    #expect(try await bench.take(timed, as: "markdown").importReasons == ["badDate"])
    await bench.stop()
  }

  @Test("fields that an entry does not show are named, each once with how many entries have it, except front matter")
  func leftOut() async throws {
    let bench = try await DiaryBench()
    let matter = "---\ndate: 2026-11-16\ntags:\n  - walk\n  - kind: far\ncover: rain.jpg\n---\nA walk"
    let markdown = try await bench.take(matter, as: "markdown")
    #expect(markdown["added"] == 1 && markdown["skipped"] == 0)
    #expect(markdown["notes"].list.isEmpty, "\(markdown)")
    let dayOne = """
      {"entries": [
        {"uuid": "1", "creationDate": "2020-12-22T15:35:33Z", "text": "one", "tags": ["a"], "starred": false,
         "weather": {"code": "rain"}},
        {"uuid": "2", "creationDate": "2020-12-22T15:35:33Z", "text": "two", "tags": ["b"],
         "location": {"altitude": 12}, "weather": {"code": "sun"}}]}
      """
    let report = try await bench.take(dayOne, as: "dayone")
    #expect(report["added"] == 2 && report["skipped"] == 0)
    #expect(report["notes"].list.map { $0["field"] } == ["weather", "location"])
    #expect(report["notes"].list.map { $0["number"] } == [1, 2])
    #expect(
      report["notes"].list[0]["display"]
        == "“weather” is not supported and was skipped (entries that have it: 2).")
    await bench.stop()
  }

  @Test("a day is read from `created` and from the names that other programs give their files")
  func foreignNames() async throws {
    let bench = try await DiaryBench()
    let folder = bench.daemon.folder.file("vault")
    let files = [
      ("20261005.md", "compact"), ("2026/10/07.md", "in folders"), ("2026/10/08 A walk.md", "with a title"),
      ("note.md", "---\ncreated: 2026-10-09T21:30:00Z\n---\ncreated"),
      ("2026-10-11.md", "---\ncreated: 2026-10-10T21:30:00Z\n---\nwritten before"), ("12.md", "no day"),
    ]
    for (name, text) in files {
      let file = URL(filePath: folder + "/" + name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let report = try await bench.client.call("diary/import", ["path": .string(folder), "format": "markdown"])
    #expect(report["added"] == 5 && report.importReasons == ["missingDate"], "\(report)")
    let items = try await bench.client.call("diary/list", ["sort": "oldest"]).items
    #expect(items.map { $0["day"] } == ["2026-10-05", "2026-10-07", "2026-10-08", "2026-10-09", "2026-10-11"])
    #expect(items[3]["writtenAt"] == "2026-10-09T21:30:00.000Z")
    // A moment that was not used stays as it is.
    #expect(try await bench.get(items[3].id)["frontMatter"] == nil)
    #expect(try await bench.get(items[4].id)["frontMatter"] == "created: 2026-10-10T21:30:00Z")
    await bench.stop()
  }

  @Test("of a folder that goes deeper than it is read the report names what was left out")
  func deepFolder() async throws {
    let bench = try await DiaryBench()
    let folder = bench.daemon.folder.file("notes")
    let deep = (1...17).map { "/\($0)" }.joined()
    try FileManager.default.createDirectory(atPath: folder + deep, withIntermediateDirectories: true)
    try Data("deep".utf8).write(to: URL(filePath: folder + deep + "/2026-01-02.md"))
    try Data("here".utf8).write(to: URL(filePath: folder + "/2026-01-03.md"))
    let report = try await bench.client.call("diary/import", ["path": .string(folder), "format": "markdown"])
    #expect(report["added"] == 1 && report["skipped"] == 1)
    #expect(
      report["notes"].list.map { "\($0["file"].text) \($0["reason"].text)" } == ["\(deep.dropFirst()) unreadable"])
    await bench.stop()
  }

  @Test("of a confined client's folder the closed part is left out, and the report names it")
  func closedFolder() async throws {
    let bench = try await DiaryBench()
    let folder = URL(filePath: bench.daemon.folder.path).resolvingSymlinksInPath().path + "/notes"
    try FileManager.default.createDirectory(atPath: folder + "/closed", withIntermediateDirectories: true)
    try Data("here".utf8).write(to: URL(filePath: folder + "/2026-01-03.md"))
    try Data("there".utf8).write(to: URL(filePath: folder + "/closed/2026-01-02.md"))
    _ = try await bench.client.call(
      "session/confine", ["folders": [.string(folder)], "closed": [.string(folder + "/closed")]])
    let report = try await bench.client.call("diary/import", ["path": .string(folder), "format": "markdown"])
    #expect(report["added"] == 1 && report["skipped"] == 1)
    #expect(report["notes"].list.map { "\($0["file"].text) \($0["reason"].text)" } == ["closed unreadable"])
    await bench.stop()
  }

  @Test("all files of a folder together are no more than one file may be")
  func largeFolder() async throws {
    let bench = try await DiaryBench()
    let folder = bench.daemon.folder.file("notes")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for number in 10..<27 {
      // No text from its first byte on, and nothing on the disk behind it.
      let path = folder + "/2026-01-\(number).md"
      try Data([0xFF]).write(to: URL(filePath: path))
      #expect(truncate(path, 16 << 20) == 0)
    }
    let params: JSONValue = ["path": .string(folder), "format": "markdown"]
    #expect(try await bench.client.failure("diary/import", params)?.data?["kind"] == "tooLarge")
    try FileManager.default.removeItem(atPath: folder + "/2026-01-26.md")
    #expect(try await bench.client.call("diary/import", params)["skipped"] == 16)
    await bench.stop()
  }

  @Test("a folder of Markdown files is read, without links and hidden files; names tell days where the files do not")
  func folder() async throws {
    let bench = try await DiaryBench()
    let folder = bench.daemon.folder.file("notes")
    let files: [(String, [UInt8])] = [
      ("2026-01-02.md", Array("Plain\n\n".utf8)), ("2025/2026-01-03 A walk.markdown", Array("Walk".utf8)),
      ("a.md", Array("---\nday: 2026-01-04\ntimeZone: Asia/Seoul\nother: x\n---\n\nMatter\r\n".utf8)),
      ("b.md", Array("No day".utf8)), ("2026-02-30.md", Array("No such day".utf8)),
      ("2026-01-05.md", [0x61, 0xFF]), ("2026-01-06.md", Array("a\u{0}".utf8)), (".hidden.md", Array("x".utf8)),
      ("2026-01-07.txt", Array("no Markdown".utf8)),
    ]
    try FileManager.default.createDirectory(atPath: folder + "/2025", withIntermediateDirectories: true)
    for (name, bytes) in files { try Data(bytes).write(to: URL(filePath: folder + "/" + name)) }
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/2026-01-08.md", withDestinationPath: folder + "/2026-01-02.md")
    let params: JSONValue = ["path": .string(folder), "format": "markdown"]
    let report = try await bench.client.call("diary/import", params)
    #expect(report["added"] == 3)
    let notes = report["notes"].list.map { "\($0["file"].text) \($0["reason"].text)" }
    #expect(
      notes == ["2026-01-05.md notText", "2026-01-06.md notText", "2026-02-30.md badDate", "b.md missingDate"])
    let items = try await bench.client.call("diary/list", ["sort": "oldest"]).items
    #expect(items.map { $0["day"] } == ["2026-01-02", "2026-01-03", "2026-01-04"])
    #expect(try await bench.get(items[2].id)["text"] == "\nMatter\r\n" && items[2]["timeZone"] == "Asia/Seoul")
    #expect(try await bench.get(items[2].id)["frontMatter"] == "other: x")
    #expect(try await bench.client.call("diary/import", params)["known"] == 3)
    await bench.stop()
  }

  @Test(
    "a file that is not what its format says, or is cut in the middle, brings nothing, and the error says so",
    arguments: [
      ("sample", "{}"), ("sample", "[{\"title\": \"a\", \"created_at\": 1}, {\"title\": \"b\", \"crea"), ("jrnl", "[]"),
      ("jrnl", "{\"entries\": 1}"), ("jrnl", "no entry\n"), ("jrnl", ""), ("dayone", "[]"), ("jsonl", "PK\u{3}\u{4}"),
      ("dayone", "{\"entries\": ["), ("jrnl", "[2026-01-05 10:00] A\nbody\n\n[2026-01-06 10:"),
      ("jsonl", "{\"text\": \"a\", \"writtenAt\": \"2020-01-01T00:00:00.000Z\"}\n{\"text\": \"b"),
    ])
  func wrongFormat(format: String, file: String) async throws {
    let bench = try await DiaryBench(locale: "ko")
    let params: JSONValue = [
      "data": .string(Data(file.utf8).base64EncodedString()), "format": .string(format),
    ]
    let failure = try await bench.client.failure("diary/import", params)
    #expect(failure?.data?["kind"] == "corrupt" && failure?.message.hasPrefix("데이터 로드에 실패했습니다.") == true)
    #expect(try await bench.client.call("diary/list")["total"] == 0 && bench.client.commits.isEmpty)
    await bench.stop()
  }

  @Test("a large import wants what a dry run of the same file answered, and what stands for another is refused")
  func confirm() async throws {
    let bench = try await DiaryBench()
    func params(_ file: String, _ more: JSONObject = [:]) -> JSONValue {
      var params = more
      params["data"] = .string(Data(file.utf8).base64EncodedString())
      params["format"] = "jrnl"
      return .object(params)
    }
    func lines(_ count: Int) -> String { (0..<count).map { "[2020-12-23 00:35] entry \($0)\n" }.joined() }
    let (small, large) = (lines(3), lines(10_001))
    let planned = try await bench.client.call("diary/import", params(small, ["dryRun": true]))
    let token = try #require(planned["confirm"])
    #expect(planned["added"] == 3 && planned["changed"] == false)
    for refused in [params(large), params(large, ["confirm": token])] {
      let failure = try await bench.client.failure("diary/import", refused)
      #expect(failure?.data?["field"] == "confirm" && failure?.message.contains("10001") == true)
    }
    let wrong = try await bench.client.failure("diary/import", params(lines(2), ["confirm": token]))
    #expect(wrong?.data?["field"] == "confirm")
    #expect(try await bench.client.call("diary/list")["total"] == 0)
    #expect(try await bench.client.call("diary/import", params(small, ["confirm": token]))["added"] == 3)
    let answer = try await bench.client.call("diary/import", params(large, ["dryRun": true]))
    let confirmed = params(large, ["confirm": try #require(answer["confirm"])])
    #expect(try await bench.client.call("diary/import", confirmed)["added"] == 9_998)
    await bench.stop()
  }

  @Test("what was wrong with a file is said in the client's language, with its line")
  func wrongLine() async throws {
    for (locale, sentence) in [
      ("ko", "데이터 로드에 실패했습니다. data의 2행은 sample 형식이 아닙니다: 올바른 JSON이 아닙니다."),
      ("en", "The data could not be loaded: line 2 of data is not valid as sample: it is not valid JSON."),
    ] {
      let bench = try await DiaryBench(locale: locale)
      let data = Data("[{\"title\": \"a\", \"created_at\": 1},\n{".utf8).base64EncodedString()
      let failure = try await bench.client.failure("diary/import", ["data": .string(data), "format": "sample"])
      #expect(failure?.message.hasPrefix(sentence) == true, "\(failure?.message ?? "")")
      await bench.stop()
    }
  }

  @Test("a path that leads to no regular file is refused, and nothing hangs on it")
  func paths() async throws {
    let bench = try await DiaryBench()
    let pipe = bench.daemon.folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    for (path, kind) in [
      (pipe, "notAllowed"), (bench.daemon.folder.path, "notAllowed"), (bench.daemon.folder.file("no"), "notFound"),
    ] {
      let failure = try await bench.client.failure("diary/import", ["path": .string(path), "format": "sample"])
      #expect(failure?.data?["kind"]?.stringValue == kind, "\(path)")
    }
    let relative = try await bench.client.failure("diary/import", ["path": "a.json", "format": "sample"])
    #expect(relative?.data?["field"] == "path")
    await bench.stop()
  }
}
