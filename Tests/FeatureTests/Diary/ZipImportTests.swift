import Client
import Contract
import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("Diary: import of a zip") struct ZipImportTests {
  private func journal(_ entries: String...) -> String {
    "{\"metadata\": {\"version\": \"1.0\"}, \"entries\": [\(entries.joined(separator: ", "))]}"
  }

  private func entry(_ uuid: String, _ text: String, more: String = "") -> String {
    "{\"uuid\": \"\(uuid)\", \"creationDate\": \"2020-12-22T15:35:33Z\", \"timeZone\": \"Asia/Seoul\", "
      + "\"text\": \"\(text)\"\(more)}"
  }

  private func take(_ zip: SampleZip, into bench: DiaryBench) async throws -> JSONValue {
    try await bench.client.call(
      "diary/import", ["data": .string(Data(zip.bytes).base64EncodedString()), "format": "dayone"])
  }

  @Test(
    "Day One's zip is read as it was exported: several journals, photos with it, texts without needless backslashes")
  func dayOne() async throws {
    let bench = try await DiaryBench()
    var zip = SampleZip()
    let photos = ", \"photos\": [{\"md5\": \"0f\", \"type\": \"jpeg\", \"identifier\": \"P1\"}]"
    zip.add("photos/", [], mode: 0o040755)
    zip.add("photos/0f.jpeg", [0xFF, 0xD8, 0xFF])
    zip.add(
      "Journal.json", journal(entry("A1", "![](dayone-moment://P1)\\n\\nA walk\\\\.", more: photos), entry("A2", "")))
    zip.add("여행.json", journal(entry("B1", "부산"), "7"))
    zip.add("__MACOSX/._Journal.json", "no JSON at all")
    let report = try await take(zip, into: bench)
    #expect(report["added"] == 2 && report["skipped"] == 2 && report["format"] == "dayone")
    let notes = report["notes"].list.map {
      "\($0["file"].text) \($0["number"]?.integerValue ?? 0) \($0["reason"].text)"
    }
    #expect(
      notes == ["Journal.json 2 blank", "여행.json 2 missingDate"])
    let items = try await bench.client.call("diary/list", ["sort": "oldest"]).items
    let photo = "![](commonplace:/files/\(Blobs.hash(of: [0xFF, 0xD8, 0xFF])))"
    #expect(Set(items.map { $0["title"].text }) == [photo, "부산"])
    let walk = try #require(items.first { $0["title"].text.hasPrefix("!") })
    #expect(
      try await bench.get(walk.id)["text"] == .string("\(photo)\n\nA walk.") && walk["day"] == "2020-12-23")
    #expect(try await take(zip, into: bench)["known"] == 2)
    // The same journal, unpacked, and the zip at a path.
    let path = bench.daemon.folder.file("export.zip")
    try Data(zip.bytes).write(to: URL(filePath: path))
    let again = try await bench.client.call("diary/import", ["path": .string(path), "format": "dayone"])
    #expect(again["known"] == 2 && again["added"] == 0)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("diary/list")["total"] == 0)
    await bench.stop()
  }

  @Test(
    "a zip that expands a thousandfold, names ../, is encrypted, holds links, or was cut off brings nothing and says why"
  )
  func refused() async throws {
    let bench = try await DiaryBench(locale: "en-US")
    func zip(_ change: (inout SampleZip) -> Void) -> SampleZip {
      var zip = SampleZip()
      zip.add("Journal.json", journal(entry("A1", "good")))
      change(&zip)
      return zip
    }
    let cases: [(SampleZip, kind: String, said: String)] = [
      (zip { $0.addZeros("Bomb.json") }, "tooLarge", "more than 200 times its size"),
      (zip { $0.add("../../evil.json", "{}") }, "corrupt", "“../../evil.json”"),
      (zip { $0.add("/etc/cron.json", "{}") }, "corrupt", "“/etc/cron.json”"),
      (
        zip { $0.add("Secret.json", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13], isEncrypted: true) }, "corrupt",
        "encrypted"
      ),
      (zip { $0.add("Link.json", Array("/etc/passwd".utf8), mode: 0o120777) }, "corrupt", "link"),
      (zip { $0.add("Cut.json", "{\"entries\": [") }, "corrupt", "Cut.json"),
    ]
    for (zip, kind, said) in cases {
      let failure = try await bench.client.failure(
        "diary/import", ["data": .string(Data(zip.bytes).base64EncodedString()), "format": "dayone"])
      #expect(failure?.data?["kind"]?.stringValue == kind && failure?.message.contains(said) == true, "\(said)")
    }
    let whole = zip { _ in }.bytes
    for bytes in [Array(whole.dropLast(30)), Array(whole.prefix(40))] {
      let failure = try await bench.client.failure(
        "diary/import", ["data": .string(Data(bytes).base64EncodedString()), "format": "dayone"])
      #expect(failure?.data?["kind"] == "corrupt")
    }
    var empty = SampleZip()
    empty.add("photos/a.jpeg", [1])
    let failure = try await bench.client.failure(
      "diary/import", ["data": .string(Data(empty.bytes).base64EncodedString()), "format": "dayone"])
    #expect(failure?.message.contains("no Journal.json") == true)
    #expect(try await bench.client.call("diary/list")["total"] == 0 && bench.client.commits.isEmpty)
    await bench.stop()
  }
}
