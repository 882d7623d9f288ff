import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire
import Zip

@Suite("Diary: exports for Day One") struct DayOneExportTests {
  private static let photo = Data(base64Encoded: SamplePicture.jpeg) ?? Data()
  private static let audio = Data([0, 0, 0, 8] + Array("ftypM4A ".utf8))
  private static let pdf = Data("%PDF-1.4\n".utf8)

  private func file(_ data: Data) -> String { "commonplace:/files/\(Blobs.hash(of: [UInt8](data)))" }

  /// The files of an exported zip, as another program reads them.
  private func export(from bench: DiaryBench, _ more: JSONObject = [:]) async throws -> (
    path: String, reply: JSONValue, files: [String: [UInt8]]
  ) {
    let path = bench.daemon.folder.file("export-\(UUID().uuidString).zip")
    var params = more
    (params["path"], params["format"]) = (.string(path), "dayone")
    let reply = try await bench.client.call("diary/export", .object(params))
    var files: [String: [UInt8]] = [:]
    try ZipReader().forEachEntry(of: [UInt8](Data(contentsOf: URL(filePath: path)))) { files[$0.name] = try $0.bytes() }
    return (path, reply, files)
  }

  private func entries(_ bytes: [UInt8]?) throws -> [JSONValue] {
    try JSONParser.parse(try #require(bytes))["entries"].list
  }

  /// Everything that a client sees of all entries, by id.
  private func all(of bench: DiaryBench) async throws -> [String: JSONObject] {
    var all: [String: JSONObject] = [:]
    for item in try await bench.client.call("diary/list", ["limit": 100]).items {
      var entry = try #require(try await bench.get(item.id).objectValue)
      for field in ["revision", "createdAt", "updatedAt", "display", "clock"] { entry[field] = nil }
      all[item.id.text] = entry
    }
    return all
  }

  private func expectSame(_ bench: DiaryBench, _ expected: [String: JSONObject]) async throws {
    let found = try await all(of: bench)
    #expect(Set(found.keys) == Set(expected.keys))
    for (id, entry) in expected { #expect(found[id].map(JSONValue.object) == .object(entry), "\(id)") }
  }

  @Test("what Day One exported goes back to it: journals, times, places, weather, tags, stars, media and links")
  func back() async throws {
    let bench = try await DiaryBench()
    var zip = SampleZip()
    zip.add(
      "Work.json",
      """
      {"entries": [{"uuid": "A1", "creationDate": "2020-12-22T15:35:33Z", "timeZone": "Asia/Seoul", "starred": true,
        "tags": ["river", "far"], "text": "![](dayone-moment://P)\\n\\nIt was 5\\\\.30, see [there](dayone://view?entryId=A2)",
        "location": {"placeName": "Café Central", "localityName": "Vienna", "country": "Austria", "latitude": 48.2104,
          "longitude": 16.3654}, "weather": {"conditionsDescription": "Rain", "temperatureCelsius": -2.56},
        "photos": [{"md5": "0f", "identifier": "P", "filename": "IMG_1.jpg"}]}]}
      """)
    zip.add(
      "Travel.json",
      """
      {"entries": [{"uuid": "A2", "creationDate": "2020-12-23T01:02:03Z", "text": "![](dayone-moment:/audio/S)",
        "audios": [{"md5": "a1", "identifier": "S", "title": "Grandma sings"}]},
        {"uuid": "A3", "creationDate": "2020-12-24T01:02:03Z", "text": "![](dayone-moment:/pdfAttachment/D)",
        "pdfAttachments": [{"md5": "b2", "identifier": "D", "pdfName": "Boarding pass.pdf"}]}]}
      """)
    zip.add("photos/0f.jpeg", [UInt8](Self.photo))
    zip.add("audios/a1.m4a", [UInt8](Self.audio))
    zip.add("pdfs/b2.pdf", [UInt8](Self.pdf))
    let given: JSONValue = ["data": .string(Data(zip.bytes).base64EncodedString()), "format": "dayone"]
    #expect(try await bench.client.call("diary/import", given)["added"] == 3)

    let (path, reply, files) = try await export(from: bench)
    #expect(reply["entries"] == 3 && reply["filesLeftOut"] == nil, "\(reply)")
    let work = try #require(try entries(files["Work.json"]).first)
    let travel = try entries(files["Travel.json"])
    #expect(work["creationDate"] == "2020-12-22T15:35:33Z" && work["timeZone"] == "Asia/Seoul")
    #expect(work["tags"] == ["river", "far"] && work["starred"] == true)
    #expect(work["location"]?["placeName"] == "Café Central" && work["location"]?["localityName"] == "Vienna")
    #expect(work["location"]?["latitude"]?.doubleValue == 48.2104)
    #expect(work["location"]?["longitude"]?.doubleValue == 16.3654)
    #expect(work["weather"]?["conditionsDescription"] == "Rain")
    #expect(work["weather"]?["temperatureCelsius"]?.doubleValue == -2.56)
    let photo = try #require(work["photos"].list.first)
    #expect(photo["type"] == "jpeg" && photo["md5"].text.count == 32)
    #expect(files["photos/\(photo["md5"].text).jpeg"] == [UInt8](Self.photo))
    #expect(
      work["text"].text
        == "![](dayone-moment://\(photo["identifier"].text))\n\nIt was 5.30, see [there](dayone://view?entryId=\(travel[0]["uuid"].text))"
    )
    let sound = try #require(travel[0]["audios"].list.first)
    #expect(sound["title"] == "Grandma sings" && sound["format"] == "m4a")
    #expect(travel[0]["text"].text == "![](dayone-moment:/audio/\(sound["identifier"].text))")
    #expect(files["audios/\(sound["md5"].text).m4a"] == [UInt8](Self.audio))
    let pass = try #require(travel[1]["pdfAttachments"].list.first)
    #expect(pass["pdfName"] == "Boarding pass.pdf" && files["pdfs/\(pass["md5"].text).pdf"] == [UInt8](Self.pdf))
    #expect(files.count == 5)

    let before = try await all(of: bench)
    let other = try await DiaryBench()
    let report = try await other.client.call("diary/import", ["path": .string(path)])
    #expect(report["added"] == 3 && report["notes"] == [] && report["format"] == "dayone", "\(report)")
    try await expectSame(other, before)
    #expect(try await other.client.call("files/list")["total"] == 3)
    for each in [bench, other] {
      let again = try await each.client.call("diary/import", ["path": .string(path)])
      #expect(again["known"] == 3 && again["updated"] == 0 && again["notes"] == [], "\(again)")
    }
    await bench.stop()
    await other.stop()
  }

  @Test("what Day One has no field for comes back all the same: moods, days, ids, revisions, labels and backslashes")
  func own() async throws {
    let bench = try await DiaryBench(timeZone: "Asia/Seoul")
    for data in [Self.photo, Self.audio, Data("PK none".utf8)] {
      _ = try await bench.client.call("files/add", ["data": .string(data.base64EncodedString()), "name": "file"])
    }
    let (photo, audio, other) = (file(Self.photo), file(Self.audio), file(Data("PK none".utf8)))
    let texts = [
      "a": "5\\.30 \\- ![river](\(photo)) [the river](\(photo)) ![a \\[b\\]](\(audio)) `![](\(photo))`",
      "b": "![one](\(photo)) ![two](\(photo)) ![](\(audio))\n![](<\(audio)>)",
      "c": "[me](commonplace:/diary/c) [her](commonplace:/diary/a) ![zip](\(other)) [gone](commonplace:/diary/x)",
    ]
    for (id, text) in texts {
      _ = try await bench.client.call(
        "diary/add", ["id": .string(id), "text": .string(text), "mood": "😀", "weather": "Rain, then 3 °C more"])
    }
    _ = try await bench.client.call("diary/update", ["id": "a", "day": "2001-02-03"])
    _ = try await bench.client.call("diary/update", ["id": "b", "day": "2030-02-03", "weather": "12.5 °C"])
    let (path, reply, files) = try await export(from: bench)
    #expect(reply["filesLeftOut"] == 1, "\(reply)")
    let exported = try entries(files["Journal.json"])
    // Day One shows an entry on the day of its time.
    let dates = Dictionary(
      uniqueKeysWithValues: exported.map { ($0["commonplace"]?["id"].text ?? "", $0["creationDate"].text) })
    #expect(dates["a"] == "2001-02-03T14:59:59Z" && dates["b"] == "2030-02-02T15:00:00Z", "\(dates)")
    let weather = exported.first { $0["commonplace"]?["id"] == "b" }?["weather"]
    #expect(weather == ["temperatureCelsius": 12.5])
    #expect(try #require(files["Journal.json"]).contains(UInt8(ascii: "\n")))

    let before = try await all(of: bench)
    let library = try await DiaryBench(timeZone: "Asia/Seoul")
    let report = try await library.client.call("diary/import", ["path": .string(path)])
    #expect(report["added"] == 3 && report["notes"] == [], "\(report)")
    try await expectSame(library, before)
    // An edit here, and none there.
    _ = try await library.client.call("diary/update", ["id": "c", "mood": "calm"])
    let again = try await library.client.call("diary/import", ["path": .string(path)])
    #expect(again["known"] == 3 && again["updated"] == 0, "\(again)")
    #expect(try await library.get("c")["mood"] == "calm")
    await bench.stop()
    await library.stop()
  }

  @Test("what comes back from Day One without our field is the entry that went there, with its links")
  func stripped() async throws {
    let bench = try await DiaryBench()
    let (uuid, other) = ("0F3C9A7D5B1E4F2A8C6D7E9F0A1B2C3D", "1F3C9A7D5B1E4F2A8C6D7E9F0A1B2C3D")
    func given(_ entries: [JSONValue]) -> JSONValue {
      let text = JSONValue.object(["entries": .array(entries)]).description
      return ["data": .string(Data(text.utf8).base64EncodedString()), "format": "dayone"]
    }
    func entry(_ uuid: String, _ text: String) -> JSONValue {
      ["uuid": .string(uuid), "creationDate": "2020-12-22T15:35:33Z", "text": .string(text)]
    }
    let theirs = given([entry(uuid, "See [there](dayone://view?entryId=\(other))"), entry(other, "There")])
    #expect(try await bench.client.call("diary/import", theirs)["added"] == 2)
    let river = try await bench.client.call("diary/add", ["text": "River"])
    let text = "At [it](commonplace:/diary/\(river.id.text)), 5\\.30"
    _ = try await bench.client.call("diary/add", ["text": .string(text)])
    let before = try await all(of: bench)

    let exported = try entries(try await export(from: bench).files["Journal.json"])
    let stripped = exported.map { item in
      var item = item.objectValue ?? [:]
      item["commonplace"] = nil
      return JSONValue.object(item)
    }
    for _ in 0..<2 {
      let report = try await bench.client.call("diary/import", given(stripped))
      #expect(report["known"] == 4 && report["added"] == 0 && report["updated"] == 0, "\(report)")
      #expect(try await bench.client.call("changes/conflicts").items.isEmpty)
      try await expectSame(bench, before)
    }
    let edited = stripped.map { item in
      guard item["text"] == "River", var object = item.objectValue else { return item }
      object["text"] = "River and sea"
      return .object(object)
    }
    #expect(try await bench.client.call("diary/import", given(edited))["updated"] == 1)
    #expect(try await bench.get(river.id)["text"] == "River and sea")
    await bench.stop()
  }

  @Test("each journal is a file of its own, also if names differ in characters that a file cannot have")
  func journals() async throws {
    let bench = try await DiaryBench()
    for (number, journal) in ["", "Journal", "a/b", "a:b", ".hidden", "일기"].enumerated() {
      _ = try await bench.client.call(
        "diary/add", ["text": .string("\(number)"), "journal": .string(journal)])
    }
    let (path, _, files) = try await export(from: bench)
    #expect(
      Set(files.keys)
        == ["Journal.json", "Journal 2.json", "a-b.json", "a-b 2.json", "hidden.json", "일기.json"], "\(files.keys)")
    let other = try await DiaryBench()
    _ = try await other.client.call("diary/import", ["path": .string(path)])
    try await expectSame(other, try await all(of: bench))
    let part = try await export(from: bench, ["journal": "일기", "from": "1999-01-01"])
    #expect(part.reply["entries"] == 1 && Array(part.files.keys) == ["일기.json"])
    let none = try await export(from: bench, ["to": "1999-01-01"])
    #expect(try none.reply["entries"] == 0 && entries(none.files["Journal.json"]).isEmpty)
    await bench.stop()
    await other.stop()
  }
}
