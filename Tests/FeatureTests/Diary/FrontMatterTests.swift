import Client
import Foundation
import TestSupport
import Testing
import Wire
import Zip

/// What files of other programs state about an entry beside its fields.
@Suite("Diary: front matter and other members of imported entries") struct FrontMatterTests {
  private static let matter = """
    # Filled in at night
    sleep: 7.5
    meals:
      - soup
      - "bread: rye"
    cover: rain.jpg # of the river
    """

  private func onlyEntry(_ bench: DiaryBench) async throws -> JSONValue {
    let items = try await bench.client.call("diary/list").items
    #expect(items.count == 1 && items.first?["frontMatter"] == nil)
    return try await bench.get(try #require(items.first).id)
  }

  @Test(
    "front matter of another program is stored as it is, and comes back from every format",
    arguments: ["markdown", "jsonl", "dayone"])
  func roundTrip(format: String) async throws {
    let bench = try await DiaryBench()
    let file = "---\ndate: 2026-11-16\ntags: [river]\nmood: good\nlocation: Vienna\n\(Self.matter)\n---\nA walk"
    let report = try await bench.take(file, as: "markdown")
    #expect(report["added"] == 1 && report["notes"].list.isEmpty, "\(report)")
    let entry = try await onlyEntry(bench)
    #expect(entry["frontMatter"] == .string(Self.matter), "\(entry)")
    #expect(entry["tags"] == ["river"] && entry["mood"] == "good" && entry["place"] == "Vienna")
    #expect(try await bench.take(file, as: "markdown")["known"] == 1)

    let path = bench.daemon.folder.file(format == "dayone" ? "out.zip" : "out")
    _ = try await bench.client.call("diary/export", ["path": .string(path), "format": .string(format)])
    let same = try await bench.client.call("diary/import", ["path": .string(path), "format": .string(format)])
    #expect(same["known"] == 1 && same["notes"].list.isEmpty, "\(same)")
    let other = try await DiaryBench()
    let came = try await other.client.call("diary/import", ["path": .string(path), "format": .string(format)])
    #expect(came["added"] == 1, "\(came)")
    let copy = try await onlyEntry(other)
    for field in ["frontMatter", "tags", "mood", "place", "text"] { #expect(copy[field] == entry[field], "\(field)") }
    await other.stop()
    await bench.stop()
  }

  @Test("lines that were changed in the file and here are merged, and undo takes an import of them back")
  func merge() async throws {
    let bench = try await DiaryBench()
    let path = bench.daemon.folder.file("2026-11-16.md")
    func write(_ matter: String) throws { try Data("---\n\(matter)\n---\nA walk".utf8).write(to: URL(filePath: path)) }
    try write("sleep: 7\nmeals: soup\ncover: rain.jpg")
    let params: JSONValue = ["path": .string(path), "format": "markdown"]
    #expect(try await bench.client.call("diary/import", params)["added"] == 1)
    let id = try await onlyEntry(bench).id
    _ = try await bench.client.call(
      "diary/update", ["id": .string(id.text), "frontMatter": "sleep: 8\nmeals: soup\ncover: rain.jpg"])
    try write("sleep: 7\nmeals: soup\ncover: sun.jpg")
    #expect(try await bench.client.call("diary/import", params)["updated"] == 1)
    #expect(try await bench.get(id)["frontMatter"] == "sleep: 8\nmeals: soup\ncover: sun.jpg")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.get(id)["frontMatter"] == "sleep: 8\nmeals: soup\ncover: rain.jpg")
    await bench.stop()
  }

  @Test("a mirrored file states the front matter, and a line that somebody adds there is imported")
  func mirror() async throws {
    let bench = try await DiaryBench()
    let path = bench.daemon.folder.file("mirror")
    _ = try await bench.client.call("diary/add", ["id": "a", "text": "A walk", "frontMatter": "sleep: 7\n"])
    _ = try await bench.client.call("diary/mirror", ["path": .string(path)])
    _ = try await bench.client.call("diary/mirror", ["path": nil])
    let file = URL(filePath: path + "/2026-11-21-a.md")
    let written = try String(contentsOf: file, encoding: .utf8)
    #expect(written.contains("\nsleep: 7\n---\nA walk"), "\(written)")
    try Data(written.replacing("sleep: 7\n", with: "sleep: 7\nmeals: soup\n").utf8).write(to: file)
    let report = try await bench.client.call("diary/import", ["path": .string(path)])
    #expect(report["updated"] == 1 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await bench.get("a")["frontMatter"] == "sleep: 7\nmeals: soup")
    await bench.stop()
  }

  @Test(
    "lines of a detail that it cannot state stay as they are, and come back",
    arguments: [
      "mood:\n  - calm\n  - tired", "mood:\n- calm", "weather:\n  sky: clear\n  wind: 3", "coordinates: somewhere",
      "location:\n  city: Vienna",
    ])
  func unreadDetails(lines: String) async throws {
    let bench = try await DiaryBench()
    let file = "---\ndate: 2026-11-16\n\(lines)\njournal: >-\n  Work\n  abroad\n---\nA walk"
    #expect(try await bench.take(file, as: "markdown")["added"] == 1)
    let entry = try await onlyEntry(bench)
    #expect(entry["frontMatter"] == .string(lines) && entry["journal"] == "Work abroad", "\(entry)")
    for field in ["mood", "weather", "coordinates", "place"] { #expect(entry[field] == nil, "\(field)") }
    #expect(try await bench.take(file, as: "markdown")["known"] == 1)
    // The entry's own value comes first in its file; the lines stay below.
    _ = try await bench.client.call(
      "diary/update", ["id": .string(entry.id.text), "mood": "good", "coordinates": "48.5,16.25"])
    let path = bench.daemon.folder.file("out")
    _ = try await bench.client.call("diary/export", ["path": .string(path), "format": "markdown"])
    let other = try await DiaryBench()
    #expect(try await other.client.call("diary/import", ["path": .string(path)])["added"] == 1)
    let copy = try await onlyEntry(other)
    #expect(copy["frontMatter"] == .string(lines), "\(copy)")
    #expect(copy["mood"] == "good" && copy["coordinates"] == "48.5,16.25", "\(copy)")
    await other.stop()
    await bench.stop()
  }

  @Test(
    "lines of a detail in a mirrored file that it cannot state are in the file that is written next",
    arguments: ["mood:\n  - calm", "mood:\n  now: calm", "coordinates: somewhere"])
  func mirroredDetails(lines: String) async throws {
    let bench = try await DiaryBench()
    let path = bench.daemon.folder.file("mirror")
    _ = try await bench.client.call("diary/add", ["id": "a", "text": "A walk"])
    _ = try await bench.client.call("diary/mirror", ["path": .string(path)])
    _ = try await bench.client.call("diary/mirror", ["path": nil])
    let file = URL(filePath: path + "/2026-11-21-a.md")
    let written = try String(contentsOf: file, encoding: .utf8)
    try Data(written.replacing("---\nA walk", with: "\(lines)\n---\nA walk").utf8).write(to: file)
    #expect(try await bench.client.call("diary/import", ["path": .string(path)])["updated"] == 1)
    #expect(try await bench.get("a")["frontMatter"] == .string(lines))
    _ = try await bench.client.call("diary/mirror", ["path": .string(path)])
    _ = try await bench.client.call("diary/update", ["id": "a", "text": "A swim"])
    _ = try await bench.client.call("diary/mirror", ["path": nil])
    #expect(try String(contentsOf: file, encoding: .utf8).contains("\n\(lines)\n---\nA swim"))
    let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".md") }
    #expect(names == ["2026-11-21-a.md"], "\(names)")
    await bench.stop()
  }

  @Test(
    "front matter that a file would not bring back is refused",
    arguments: ["tags: [a]", "starred: true", "mood: good", "sleep: 7\n---\nmeals: soup", "  - loose"])
  func refused(matter: String) async throws {
    let bench = try await DiaryBench()
    _ = try await bench.client.call("diary/add", ["id": "a", "text": "A walk"])
    let failure = try await bench.client.failure("diary/update", ["id": "a", "frontMatter": .string(matter)])
    #expect(failure?.data?["field"] == "frontMatter", "\(String(describing: failure))")
    // A file may have it all the same: its own keys come first, and others of these names stay.
    let file = "---\nday: 2026-11-16\nsleep: 7\nday: 2020-01-01\n---\nA swim"
    #expect(try await bench.take(file, as: "markdown")["added"] == 1)
    let swim = try #require(try await bench.client.call("diary/list", ["query": "swim"]).items.first)
    #expect(swim["day"] == "2026-11-16")
    await bench.stop()
  }

  @Test("an entry of Day One goes back with all that its file stated, unless its place was changed here")
  func dayOne() async throws {
    let bench = try await DiaryBench()
    let others: JSONObject = [
      "location": [
        "placeName": "Café Central", "localityName": "Vienna", "latitude": 48.5, "longitude": 16.25,
        "region": ["radius": 75],
      ],
      "weather": [
        "conditionsDescription": "Rain", "temperatureCelsius": 12, "moonPhaseCode": "full", "windSpeedKPH": 9,
      ],
      "music": ["track": "Nocturne", "artist": "Field"], "isPinned": true, "creationDevice": "Pixel",
      "editingTime": 41.5,
    ]
    var entry = others
    entry["uuid"] = "A1"
    entry["creationDate"] = "2026-11-20T08:00:00Z"
    entry["timeZone"] = "Europe/Vienna"
    entry["text"] = "Coffee"
    let file = JSONValue.object(["entries": .array([.object(entry)])]).description
    #expect(try await bench.take(file, as: "dayone")["added"] == 1)
    #expect(try await bench.take(file, as: "dayone")["known"] == 1)
    let whole = try await Self.exported(bench, "whole")
    for member in others.members { #expect(whole[member.key] == member.value, "\(member.key)") }
    #expect(whole["text"] == "Coffee")
    let id = try await onlyEntry(bench).id
    _ = try await bench.client.call("diary/update", ["id": .string(id.text), "place": nil, "coordinates": nil])
    let moved = try await Self.exported(bench, "moved")
    #expect(moved["location"] == nil && moved["weather"] == others["weather"] && moved["music"] == others["music"])

    let other = try await DiaryBench()
    let zip = bench.daemon.folder.file("whole.zip")
    #expect(try await other.client.call("diary/import", ["path": .string(zip)])["added"] == 1)
    let again = try await Self.exported(other, "again")
    for member in others.members { #expect(again[member.key] == member.value, "\(member.key)") }
    await other.stop()
    await bench.stop()
  }

  /// The only entry of an export for Day One.
  private static func exported(_ bench: DiaryBench, _ name: String) async throws -> JSONValue {
    let path = bench.daemon.folder.file(name + ".zip")
    _ = try await bench.client.call("diary/export", ["path": .string(path), "format": "dayone"])
    var entries: [JSONValue] = []
    try ZipReader().forEachEntry(of: [UInt8](Data(contentsOf: URL(filePath: path)))) { entry in
      entries += try JSONParser.parse(entry.bytes())["entries"].list
    }
    return try #require(entries.first)
  }
}
