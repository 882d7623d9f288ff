import Client
import Contract
import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("Diary: journals, places, weather and moods") struct JournalTests {
  private func take(
    _ file: String, as format: String, journal: String? = nil, into bench: DiaryBench
  ) async throws -> JSONValue {
    var params: JSONObject = ["data": .string(Data(file.utf8).base64EncodedString()), "format": .string(format)]
    params["journal"] = journal.map { .string($0) }
    return try await bench.client.call("diary/import", .object(params))
  }

  private func journals(_ bench: DiaryBench) async throws -> [String] {
    try await bench.client.call("diary/journals").items.map {
      "\($0["journal"].text) \($0["entries"]?.integerValue ?? -1)"
    }
  }

  @Test("an entry is in at most one journal, by which it is listed; journals are counted, through undo too")
  func journals() async throws {
    let bench = try await DiaryBench()
    let client = bench.client
    _ = try await client.call("diary/add", ["id": "a", "text": "Standup", "journal": " Work "])
    _ = try await client.call("diary/add", ["id": "b", "text": "Retro", "journal": "ｗｏｒｋ", "day": "2026-11-03"])
    _ = try await client.call("diary/add", ["id": "c", "text": "A walk"])
    #expect(try await bench.get("b")["journal"] == "Work")
    #expect(try await bench.get("c")["journal"] == nil)
    #expect(try await bench.titles(["journal": "WORK"]) == ["Standup", "Retro"])
    #expect(try await bench.titles(["journal": ""]) == ["A walk"])
    let listed = try await client.call("diary/journals")
    #expect(listed.items.first?["firstDay"] == "2026-11-03" && listed["none"] == 1, "\(listed)")
    #expect(listed.items.first?["display"]?["progress"] == "2 entries")
    _ = try await client.call("diary/update", ["id": "a", "journal": "Home"])
    #expect(try await journals(bench) == ["Home 1", "Work 1"])
    _ = try await client.call("diary/update", ["id": "b", "journal": nil])
    #expect(try await journals(bench) == ["Home 1"])
    _ = try await client.call("changes/undo")
    _ = try await client.call("changes/undo")
    _ = try await client.call("diary/remove", ["id": "b"])
    #expect(try await journals(bench) == ["Work 1"])
    let failure = try await client.failure("diary/list", ["journal": "Holidays"])
    #expect(failure?.kind == "notFound" && failure?.message.contains("“Holidays”") == true)
    await bench.stop()
  }

  @Test("a journal is renamed in one step of undo, and becomes one with the journal that has the name already")
  func rename() async throws {
    let bench = try await DiaryBench()
    let client = bench.client
    for journal in ["Work", "work", "Home"] {
      _ = try await client.call("diary/add", ["text": "A day", "journal": .string(journal)])
    }
    #expect(try await client.call("diary/renameJournal", ["from": "WORK", "to": "WORK"])["count"] == 2)
    #expect(try await journals(bench) == ["Home 1", "WORK 2"])
    let merged = try await client.call("diary/renameJournal", ["from": "work", "to": "home"])
    #expect(merged["count"] == 2 && merged["merged"] == true)
    #expect(try await journals(bench) == ["Home 3"])
    _ = try await client.call("changes/undo")
    #expect(try await journals(bench) == ["Home 1", "WORK 2"])
    let emptied = try await client.call("diary/renameJournal", ["from": "Home"])
    #expect(emptied["count"] == 1 && emptied["merged"] == false)
    #expect(try await client.call("diary/journals")["none"] == 1)
    #expect(try await client.failure("diary/renameJournal", ["from": "Home", "to": "x"])?.kind == "notFound")
    await bench.stop()
  }

  @Test("journals are listed in pages with their total, and the spellings of several devices as one")
  func pages() async throws {
    let folder = TemporaryFolder()
    let bench = try await DiaryBench(in: folder)
    for (journal, day) in [("Garden", "2026-11-01"), ("Home", "2026-11-02"), ("Work", "2026-11-03")] {
      let params: JSONObject = [
        "text": "A day", "journal": .string(journal), "day": .string(day), "id": .string(journal),
      ]
      _ = try await bench.client.call("diary/add", .object(params))
    }
    let first = try await bench.client.call("diary/journals", ["limit": 2])
    #expect(first.items.map { $0["journal"] } == ["Garden", "Home"], "\(first)")
    #expect(first["total"] == 3 && first["hasMore"] == true && first["none"] == 0, "\(first)")
    let rest = try await bench.client.call("diary/journals", ["limit": 2, "offset": 2])
    #expect(rest.items.map { $0["journal"] } == ["Work"] && rest["hasMore"] == false, "\(rest)")
    await bench.stop()
    // As another device may have spelled it.
    try OldLibraries.execute(
      "UPDATE diaryEntry SET journal = 'work' WHERE id = 'Garden';", in: LibraryFolder(folder.file("library")))
    let later = try await DiaryBench(in: folder)
    #expect(try await journals(later) == ["Home 1", "Work 2"])
    let work = try await later.client.call("diary/journals", ["offset": 1])
    #expect(work["total"] == 2 && work.items.first?["display"]?["progress"] == "2 entries", "\(work)")
    #expect(work.items.first?["firstDay"] == "2026-11-01" && work.items.first?["lastDay"] == "2026-11-03", "\(work)")
    await later.stop()
  }

  @Test("an entry that names no journal gets that of the settings, unless the name is empty")
  func usualJournal() async throws {
    let bench = try await DiaryBench { settings in settings.configure { $0.diary.journal = "Personal" } }
    let client = bench.client
    _ = try await client.call("diary/add", ["id": "a", "text": "A walk"])
    _ = try await client.call("diary/add", ["id": "b", "text": "Nowhere", "journal": ""])
    _ = try await client.call("diary/append", ["day": "2026-11-03", "text": "Appended"])
    #expect(try await journals(bench) == ["Personal 2"])
    #expect(try await bench.get("b")["journal"] == nil)
    await bench.stop()
  }

  @Test("the journal of the settings is an existing one in any spelling, and no longer than others")
  func usualSpelling() async throws {
    let bench = try await DiaryBench { settings in settings.configure { $0.diary.journal = "work" } }
    _ = try await bench.client.call("diary/add", ["text": "Standup", "journal": "Work"])
    _ = try await bench.client.call("diary/add", ["text": "Retro"])
    #expect(try await journals(bench) == ["Work 2"])
    await bench.stop()
    let name = String(repeating: "a", count: 300)
    let other = try await DiaryBench { settings in settings.configure { $0.diary.journal = name } }
    _ = try await other.client.call("diary/add", ["text": "A walk"])
    #expect(try await journals(other) == ["\(name.prefix(200)) 1"])
    await other.stop()
  }

  @Test("lines are added to the last entry of the journal that is named, and begin one there")
  func append() async throws {
    let bench = try await DiaryBench()
    for (text, journal) in [("Work", "Work"), ("Home", "Home")] {
      _ = try await bench.client.call("diary/add", ["text": .string(text), "journal": .string(journal)])
    }
    let appended = try await bench.client.call("diary/append", ["journal": "work", "text": "- Standup"])
    #expect(appended["text"] == "Work\n- Standup" && appended["journal"] == "Work", "\(appended)")
    let begun = try await bench.client.call("diary/append", ["journal": "Garden", "text": "- Beans"])
    #expect(begun["text"] == "- Beans" && begun["journal"] == "Garden", "\(begun)")
    await bench.stop()
  }

  @Test("place, weather and mood are one line each, searched by their words, and coordinates are degrees")
  func details() async throws {
    let bench = try await DiaryBench()
    let client = bench.client
    let added = try await client.call(
      "diary/add",
      [
        "id": "a", "text": "A walk", "place": "Café\nCentral", "coordinates": "48.2104, 16.3654",
        "weather": "Rain, 12 °C", "mood": "🙂",
      ])
    #expect(added["place"] == "Café Central" && added["coordinates"] == "48.2104,16.3654" && added["mood"] == "🙂")
    #expect(try await client.call("search/query", ["text": "central rain walk"]).items.map(\.id) == ["a"])
    for wrong in ["91,0", "0,181", "0", "north", "nan,0", "1,2,3"] {
      let failure = try await client.failure("diary/update", ["id": "a", "coordinates": .string(wrong)])
      #expect(failure?.data?["field"] == "coordinates", "\(wrong)")
    }
    _ = try await client.call("diary/update", ["id": "a", "place": nil])
    #expect(try await bench.get("a")["place"] == nil)
    #expect(try await client.call("search/query", ["text": "central"]).items.isEmpty)
    _ = try await client.call("changes/undo")
    #expect(try await bench.get("a")["place"] == "Café Central")
    await bench.stop()
  }

  private static let dayOne = """
    {"metadata": {"version": "1.0"}, "entries": [{"uuid": "A1", "creationDate": "2026-11-20T08:00:00Z",
     "timeZone": "Europe/Vienna", "text": "Coffee",
     "location": {"placeName": "Café Central", "localityName": "Vienna", "administrativeArea": "Vienna",
       "country": "Austria", "latitude": 48.2104, "longitude": 16.3654, "timeZoneName": "Europe/Vienna"},
     "weather": {"conditionsDescription": "Partly Cloudy", "temperatureCelsius": -0.449, "weatherCode": "partly-cloudy"}}]}
    """

  @Test("Day One's journal, place and weather come with an entry, and a field that was changed here stays")
  func dayOne() async throws {
    let bench = try await DiaryBench()
    let path = bench.daemon.folder.file("Travel.json")
    try Data(Self.dayOne.utf8).write(to: URL(filePath: path))
    let report = try await bench.client.call("diary/import", ["path": .string(path)])
    #expect(report["added"] == 1 && report["notes"].list.isEmpty, "\(report)")
    let id = try #require(try await bench.client.call("diary/list").items.first).id
    let entry = try await bench.get(id)
    #expect(entry["journal"] == "Travel" && entry["place"] == "Café Central, Vienna, Austria", "\(entry)")
    #expect(entry["coordinates"] == "48.2104,16.3654" && entry["weather"] == "Partly Cloudy, -0.4 °C", "\(entry)")
    _ = try await bench.client.call("diary/update", ["id": id, "place": "Café Central", "mood": "calm"])
    #expect(try await bench.client.call("diary/import", ["path": .string(path)])["known"] == 1)
    // Bytes have no name, hence no journal, and leave it.
    let moved = Self.dayOne.replacing("Partly Cloudy", with: "Sunny")
    #expect(try await take(moved, as: "dayone", into: bench)["updated"] == 1)
    let again = try await bench.get(id)
    #expect(again["journal"] == "Travel" && again["place"] == "Café Central" && again["mood"] == "calm", "\(again)")
    #expect(again["weather"] == "Sunny, -0.4 °C")
    await bench.stop()
  }

  @Test("a search is narrowed to a journal, by its name in any case and width or by its beginning")
  func searched() async throws {
    let bench = try await DiaryBench()
    for (text, journal) in [
      ("river a", "Travel & Food"), ("river b", "work"), ("river c", "Workshop"), ("river d", ""),
    ] {
      _ = try await bench.client.call("diary/add", ["text": .string(text), "journal": .string(journal)])
    }
    _ = try await bench.client.call("notes/add", ["text": "river e"])
    func found(_ query: String) async throws -> Set<String> {
      Set(try await bench.client.call("search/query", ["text": .string(query)]).items.map { $0["title"].text })
    }
    #expect(try await found("river journal:ＷＯＲＫ") == ["river b"])
    #expect(try await found("journal:\"travel & food\"") == ["river a"])
    #expect(try await found("river journal:wor*") == ["river b", "river c"])
    #expect(try await found("river NOT journal:work in:diary") == ["river a", "river c", "river d"])
    #expect(try await found("river 일기장:work") == ["river b"])
    #expect(try await found("journal:none") == [])
    await bench.stop()
  }

  @Test("the list is narrowed to places, by a part of their names")
  func places() async throws {
    let bench = try await DiaryBench()
    for (text, place) in [("a", "Café Central, Vienna"), ("b", "Seoul"), ("c", "")] {
      _ = try await bench.client.call("diary/add", ["text": .string(text), "place": .string(place)])
    }
    let found = try await bench.client.call("diary/list", ["place": "VIENNA"])
    #expect(found["total"] == 1 && found.items.map { $0["title"] } == ["a"])
    #expect(try await bench.client.call("diary/list", ["place": "cafe\u{301} C"])["total"] == 1)
    #expect(try await bench.client.call("diary/list", ["place": "%"])["total"] == 0)
    await bench.stop()
  }

  @Test("each file of jrnl is imported as the journal that is named, and front matter names its own")
  func namedJournals() async throws {
    let bench = try await DiaryBench()
    let file = "[2026-11-20 08:00] Standup\nAll well.\n"
    #expect(try await take(file, as: "jrnl", journal: "work", into: bench)["added"] == 1)
    let matter = "---\ndate: 2026-11-20\njournal: Home\nlocation: \"Garden: \\\"north\\\"\"\nmood: good\n---\nBeans"
    let markdown = try await take(matter, as: "markdown", journal: "work", into: bench)
    #expect(markdown["added"] == 1 && markdown["notes"].list.isEmpty, "\(markdown)")
    let beans = try #require(try await bench.client.call("diary/list", ["journal": "home"]).items.first)
    #expect(beans["place"] == "Garden: \"north\"" && beans["mood"] == "good", "\(beans)")
    #expect(try await journals(bench) == ["Home 1", "work 1"])
    await bench.stop()
  }

  @Test("files that spell a journal differently are in one, and no spelling of it changes an entry")
  func importedSpellings() async throws {
    let bench = try await DiaryBench()
    _ = try await bench.client.call("diary/add", ["text": "Standup", "journal": "Work"])
    let path = bench.daemon.folder.file("work.json")
    try Data(Self.dayOne.utf8).write(to: URL(filePath: path))
    let matter = "---\ndate: 2026-11-20\njournal: ＷＯＲＫ\n---\nBeans"
    let line = #"{"id": "l", "writtenAt": "2026-11-19T08:00:00Z", "text": "Retro", "journal": "woRk"}"#
    #expect(try await bench.client.call("diary/import", ["path": .string(path)])["added"] == 1)
    #expect(try await take(matter, as: "markdown", into: bench)["added"] == 1)
    #expect(try await take(line, as: "jsonl", into: bench)["added"] == 1)
    #expect(try await journals(bench) == ["Work 4"])
    let again = try await bench.client.call("diary/import", ["path": .string(path)])
    #expect(again["known"] == 1 && again["notes"].list.isEmpty, "\(again)")
    let same = try await take(line, as: "jsonl", into: bench)
    #expect(same["known"] == 1 && same["notes"].list.isEmpty, "\(same)")
    #expect(try await journals(bench) == ["Work 4"])
    await bench.stop()
  }

  @Test("the fields are exported by journal, and come back in another library", arguments: ["markdown", "jsonl"])
  func roundTrip(format: String) async throws {
    let bench = try await DiaryBench()
    let fields: JSONObject = [
      "journal": "Work: \"remote\"", "place": "# 7, back\\slash", "coordinates": "-1.5,2.0", "weather": "비, 3 °C",
      "mood": "'so so'",
    ]
    var params = fields
    params["text"] = "A walk"
    _ = try await bench.client.call("diary/add", .object(params))
    _ = try await bench.client.call("diary/add", ["text": "Home"])
    let path = bench.daemon.folder.file("diary")
    let exported = try await bench.client.call(
      "diary/export", ["path": .string(path), "format": .string(format), "journal": fields["journal"]!])
    #expect(exported["entries"] == 1)
    let other = try await DiaryBench()
    let report = try await other.client.call("diary/import", ["path": .string(path), "format": .string(format)])
    #expect(report["added"] == 1 && report["notes"].list.isEmpty, "\(report)")
    let id = try #require(try await other.client.call("diary/list").items.first).id
    let entry = try await other.get(id)
    for member in fields.members { #expect(entry[member.key] == member.value, "\(member.key)") }
    let again = try await other.client.call("diary/import", ["path": .string(path), "format": .string(format)])
    #expect(again["known"] == 1, "\(again)")
    await bench.stop()
    await other.stop()
  }

  @Test("coordinates in a mirrored file that are none are named in the report, and the entry's stay")
  func unreadableCoordinates() async throws {
    let bench = try await DiaryBench()
    let path = bench.daemon.folder.file("mirror")
    _ = try await bench.client.call(
      "diary/add", ["id": "a", "text": "A walk", "coordinates": "48.2104,16.3654", "mood": "good"])
    _ = try await bench.client.call("diary/mirror", ["path": .string(path)])
    _ = try await bench.client.call("diary/mirror", ["path": nil])
    let file = URL(filePath: path + "/2026-11-21-a.md")
    let written = try String(contentsOf: file, encoding: .utf8)
    #expect(written.contains("coordinates: \"48.2104,16.3654\"\nmood: \"good\"\n"), "\(written)")
    let edited = written.replacing("48.2104,16.3654", with: "48.2104 16.3654").replacing("good", with: "better")
    try Data(edited.utf8).write(to: file)
    let report = try await bench.client.call("diary/import", ["path": .string(path)])
    #expect(report["updated"] == 1 && report["notes"].list.map { $0["field"] } == ["coordinates"], "\(report)")
    let entry = try await bench.get("a")
    #expect(entry["coordinates"] == "48.2104,16.3654" && entry["mood"] == "better", "\(entry)")
    let line = #"{"id": "b", "writtenAt": "2026-11-19T08:00:00Z", "text": "Retro", "coordinates": "north"}"#
    let lines = try await take(line, as: "jsonl", into: bench)
    #expect(lines["added"] == 1 && lines["notes"].list.map { $0["field"] } == ["coordinates"], "\(lines)")
    await bench.stop()
  }

  @Test("a mirrored file states them, and an edit there is imported")
  func mirror() async throws {
    let bench = try await DiaryBench()
    let path = bench.daemon.folder.file("mirror")
    _ = try await bench.client.call("diary/add", ["id": "a", "text": "A walk", "journal": "Work"])
    _ = try await bench.client.call("diary/mirror", ["path": .string(path)])
    _ = try await bench.client.call("diary/update", ["id": "a", "mood": "good"])
    // Ending waits for what was to be written.
    _ = try await bench.client.call("diary/mirror", ["path": nil])
    let file = URL(filePath: path + "/2026-11-21-a.md")
    let written = try String(contentsOf: file, encoding: .utf8)
    #expect(written.contains("journal: \"Work\"\nmood: \"good\"\n"), "\(written)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".md") }.count == 1)
    try Data(written.replacing("journal: \"Work\"\n", with: "").replacing("good", with: "better").utf8).write(to: file)
    let report = try await bench.client.call("diary/import", ["path": .string(path)])
    #expect(report["updated"] == 1, "\(report)")
    let entry = try await bench.get("a")
    #expect(entry["journal"] == nil && entry["mood"] == "better", "\(entry)")
    await bench.stop()
  }
}
