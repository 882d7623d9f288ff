import Client
import Foundation
import TestSupport
import Testing
import Wire

/// What a file says badly of its entries' days, or does not say at all.
@Suite("Diary: days, zones and marks of files") struct ImportOriginTests {
  @Test("the sample's moments may be nearly ISO 8601: any fraction of a second, an offset of four digits, no seconds")
  func looseMoments() async throws {
    let bench = try await DiaryBench(timeZone: "Asia/Seoul")
    let moments = [
      ("2026-10-01T21:30:00.123456", "2026-10-01T12:30:00.123Z"), ("2026-10-01 21:30:05.5", "2026-10-01T12:30:05.500Z"),
      ("2026-10-02T21:30:00+0900", "2026-10-02T12:30:00.000Z"), ("2026-10-03 21:30:00Z", "2026-10-03T21:30:00.000Z"),
      ("2026-10-04T21:30Z", "2026-10-04T21:30:00.000Z"), ("2026-10-05 07:30:00.25 -05", "2026-10-05T12:30:00.250Z"),
      ("2026-10-06 9:30 PM", "2026-10-06T12:30:00.000Z"),
    ]
    let wrong = ["2026-10-01T25:30Z", "2026-10-01T21:30+2500", "2026-02-30T21:30Z", "2026-10-01T21:30:00."]
    let items = (moments.map { $0.0 } + wrong).map { "{\"title\": \"\($0)\", \"created_at\": \"\($0)\"}" }
    let report = try await bench.take("[\(items.joined(separator: ","))]", as: "sample")
    #expect(
      report["notes"].list.map { $0["title"].text } == wrong && Set(report.importReasons) == ["badDate"], "\(report)")
    let entries = try await bench.client.call("diary/list").items
    let written = Dictionary(uniqueKeysWithValues: entries.map { ($0["title"].text, $0["writtenAt"].text) })
    #expect(moments.map { written[$0.0] ?? "none" } == moments.map { $0.1 })
    await bench.stop()
  }

  @Test("a `date` keeps the time that it goes on with, as other programs write it; a day with other words is its noon")
  func timedDates() async throws {
    let bench = try await DiaryBench(timeZone: "Asia/Seoul")
    for (date, written) in [
      ("2026-11-16 10:00:00 +0900", "2026-11-16T01:00:00.000Z"), ("2026-11-17T10:00+09:00", "2026-11-17T01:00:00.000Z"),
      ("2026-11-18, 10:00", "2026-11-18T01:00:00.000Z"), ("2026-11-19, in the morning", "2026-11-19T03:00:00.000Z"),
    ] {
      let report = try await bench.take("---\ndate: \(date)\n---\nA walk", as: "markdown")
      #expect(report["added"] == 1 && report["notes"].list.isEmpty, "\(report)")
      let newest = try #require(try await bench.client.call("diary/list", ["sort": "newest"]).items.first)
      #expect(newest["writtenAt"].text == written && newest["day"].text == date.prefix(10), "\(date)")
    }
    await bench.stop()
  }

  @Test("a file's name says a time behind the day, and the day of a `date` with nothing behind it")
  func timedNames() async throws {
    let bench = try await DiaryBench(timeZone: "Asia/Seoul")
    let folder = bench.daemon.folder.file("notes")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in [
      ("2026-11-13.md", "---\ndate: \n---\nempty"), ("20261114-1530.md", "timed"), ("20261115-2575.md", "no time"),
      ("20261117-1530.md", "---\ncreated: 2026-11-17\n---\nsame day"), ("a.md", "---\ndate:\n---\nnowhere"),
    ] {
      try Data(text.utf8).write(to: URL(filePath: folder + "/" + name))
    }
    let report = try await bench.client.call("diary/import", ["path": .string(folder), "format": "markdown"])
    #expect(report["added"] == 4 && report.importReasons == ["missingDate"], "\(report)")
    let items = try await bench.client.call("diary/list", ["sort": "oldest"]).items
    #expect(
      items.map { "\($0["day"].text) \($0["writtenAt"].text.prefix(16))" } == [
        "2026-11-13 2026-11-13T03:00", "2026-11-14 2026-11-14T06:30", "2026-11-15 2026-11-15T03:00",
        "2026-11-17 2026-11-17T03:00",
      ])
    await bench.stop()
  }

  @Test(
    "a moment or a day in no year that there is is refused by name, also where only its writer's clock shows the year 0",
    arguments: [
      (
        "sample",
        """
        [{"title": "0", "created_at": -1e11}, {"title": "1", "created_at": 9e11}, {"title": "2", "created_at": 1e300},
         {"title": "3", "created_at": -62135596800}, {"title": "4", "created_at": -62135500000}]
        """, ["0", "1", "2", "3"]
      ),
      ("jrnl", "[0000-01-01 10:00] 0\n\n[9999-12-31 23:59] 1\n\n[9999-12-31 18:00] 2\n", ["0", "1"]),
      (
        "jrnl", #"{"entries": [{"title": "0", "date": "0000-01-01"}, {"title": "1", "date": "-001-01-01"}]}"#,
        ["0", "1"]
      ),
      (
        "dayone",
        """
        {"entries": [{"text": "0", "creationDate": "0000-01-01T10:00:00Z"},
         {"text": "1", "creationDate": "0001-01-01T00:00:00Z", "timeZone": "America/New_York"},
         {"text": "2", "creationDate": "9999-12-31T23:59:59Z", "timeZone": "Asia/Seoul"},
         {"text": "3", "creationDate": "9999-12-31T23:59:59Z", "timeZone": "America/New_York"}]}
        """, ["0", "1", "2"]
      ),
      ("markdown", "---\nday: 0000-01-01\n---\n0", ["0"]),
      ("markdown", "---\nday: 2020-01-01\nwrittenAt: 0000-01-01T00:00:00Z\n---\n0", ["0"]),
      (
        "jsonl",
        """
        {"text":"0","day":"0000-01-01","writtenAt":"2020-01-01T00:00:00.000Z"}
        {"text":"1","writtenAt":"0001-01-01T00:00:00.000Z","timeZone":"America/New_York"}
        {"text":"2","day":"0001-01-01","writtenAt":"2020-01-01T00:00:00.000Z"}
        """, ["0", "1"]
      ),
    ] as [(String, String, [String])])
  func years(format: String, file: String, refused: [String]) async throws {
    let bench = try await DiaryBench(locale: "en-US", timeZone: "America/New_York")
    let report = try await bench.take(file, as: format)
    #expect(
      report["notes"].list.map { $0["title"].text } == refused && Set(report.importReasons) == ["badDate"], "\(report)")
    #expect(report["skipped"]?.integerValue == Int64(refused.count))
    #expect(try await bench.client.call("diary/list")["total"] == report["added"])
    await bench.stop()
  }

  @Test("the same file makes no doubles when clients in two zones bring it, though it names none")
  func zones() async throws {
    let bench = try await DiaryBench(locale: "ko-KR", timeZone: "Asia/Seoul")
    let other = try await bench.daemon.client(locale: "en-US", timeZone: "America/New_York")
    for (format, file) in [
      ("jrnl", "[2026-11-20 23:30] Late.\nTwo\n"),
      ("jrnl", #"{"entries": [{"title": "Early", "date": "2026-11-19", "time": "00:10"}]}"#),
      ("markdown", "---\ndate: 2026-11-18\n---\nNoon"),
    ] {
      #expect(try await bench.take(file, as: format)["added"] == 1)
      let data = JSONValue.string(Data(file.utf8).base64EncodedString())
      let again = try await other.call("diary/import", ["data": data, "format": .string(format)])
      #expect(again["known"] == 1 && again["changed"] == false, "\(again)")
    }
    #expect(try await bench.titles() == ["Late.", "Early", "Noon"])
    await bench.stop()
  }

  @Test("a mark of UTF-8 before a file, line ends of other systems and quotes in its front matter are no part of it")
  func marks() async throws {
    let bench = try await DiaryBench(locale: "ko-KR", timeZone: "Asia/Seoul")
    for (format, file) in [
      ("sample", #"[{"title": "a", "created_at": 1608651333}]"#), ("jrnl", "[2026-11-20 09:00] b\r\nbody\r\n"),
      ("jrnl", #"{"entries": [{"title": "c", "date": "2026-11-19", "time": "09:00"}]}"#),
      ("dayone", #"{"entries": [{"text": "d", "creationDate": "2026-11-18T00:00:00Z"}]}"#),
      ("markdown", "---\r\ndate: \"2026-11-17\"\r\n---\r\ne\r\nbody\r\n"),
      ("markdown", "---\ndate: '2026-11-16 10:00'\n---\nf"),
      ("jsonl", #"{"text": "g", "writtenAt": "2026-11-15T00:00:00.000Z"}"# + "\n"),
    ] {
      let report = try await bench.take("\u{FEFF}" + file, as: format)
      #expect(report["added"] == 1 && report["notes"].list.isEmpty, "\(format) \(report)")
    }
    #expect(try await bench.titles() == ["b", "c", "d", "e", "f", "g", "a"])
    let entries = try await bench.client.call("diary/list").items
    #expect(try await bench.get(entries[0].id)["text"] == "b\r\nbody")
    #expect(try await bench.get(entries[3].id)["text"] == "e\r\nbody\r\n" && entries[3]["day"] == "2026-11-17")
    await bench.stop()
  }
}
