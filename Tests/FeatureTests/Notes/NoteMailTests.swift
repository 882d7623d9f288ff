import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Notes: mail", .timeLimit(.minutes(5))) struct NoteMailTests {
  private static func mail(_ id: String = "<1@example.org>", text: String = "At noon, as always.") -> String {
    """
    From: Ann <ann@example.org>
    To: bob@example.org
    Subject: =?utf-8?B?7KCQ7Ius?= #lunch
    Date: Sat, 28 Nov 2026 12:00:00 +0900
    Message-ID: \(id)
    Content-Type: multipart/mixed; boundary=b

    --b
    Content-Type: text/plain; charset=utf-8

    \(text)
    --b
    Content-Type: image/png
    Content-Disposition: attachment; filename="menu [1].png"
    Content-Transfer-Encoding: base64

    \(SamplePicture.png)
    --b--
    """
  }

  private static func take(_ bench: NoteBench, _ mail: String, _ more: JSONObject = [:]) async throws -> JSONValue {
    var params = more
    (params["data"], params["format"]) = (.string(Data(mail.utf8).base64EncodedString()), "eml")
    return try await bench.client.call("notes/import", .object(params))
  }

  @Test("a message is a note with its sender, date, text and attachments, found by search, and one undo step")
  func message() async throws {
    let bench = try await NoteBench()
    #expect(try await Self.take(bench, Self.mail(), ["dryRun": true])["added"] == 1)
    #expect(try await bench.titles() == [])
    let report = try await Self.take(bench, Self.mail())
    #expect(report["added"] == 1 && report["format"] == "eml" && report["notes"]?.arrayValue?.isEmpty != false)
    let note = try await bench.get(try await bench.client.call("notes/list").items[0].id)
    let text = note["text"].text
    #expect(
      text.hasPrefix(
        "# 점심 #lunch\n\nFrom: Ann <ann@example.org>\nTo: bob@example.org\nDate: 2026-11-28T03:00:00.000Z\n\nAt noon, as always.\n\n![menu 1.png](commonplace:/files/"
      ), "\(text)")
    #expect(note["tags"] == [] && note["frontMatter"] == "message-id: \"1@example.org\"")
    let files = try await bench.client.call("files/list").items
    #expect(files.map { $0["name"] } == ["menu [1].png"], "\(files)")
    #expect(try await bench.client.call("search/query", ["text": "ann noon"])["total"] == 1)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.titles() == [])
    await bench.stop()
  }

  @Test("the same message again adds nothing and keeps what was written into its note; another is another note")
  func again() async throws {
    let bench = try await NoteBench()
    _ = try await Self.take(bench, Self.mail())
    let id = try await bench.client.call("notes/list").items[0].id
    let text = try await bench.get(id)["text"].text
    _ = try await bench.client.call("notes/update", ["id": id, "text": .string(text + "\nTell Bob.\n")])
    let report = try await Self.take(bench, Self.mail())
    #expect(report["known"] == 1 && report["updated"] == 0, "\(report)")
    #expect(try await bench.get(id)["text"].text == text + "\nTell Bob.\n")
    #expect(try await Self.take(bench, Self.mail("<2@example.org>", text: "At one."))["added"] == 1)
    let path = bench.daemon.folder.file("saved.EML")
    try Self.mail("<3@example.org>").write(toFile: path, atomically: true, encoding: .utf8)
    let saved = try await bench.client.call("notes/import", ["path": .string(path)])
    #expect(saved["format"] == "eml" && saved["added"] == 1, "a file is known by its name")
    await bench.stop()
  }

  @Test("bytes that are no message are refused, and a message without a subject has its sender as the title")
  func strange() async throws {
    let bench = try await NoteBench()
    let data = JSONValue.string(Data("%PDF-1.7\n".utf8).base64EncodedString())
    #expect(try await bench.client.failure("notes/import", ["data": data, "format": "eml"])?.kind == "corrupt")
    _ = try await Self.take(bench, "From: ann@example.org\n\n")
    _ = try await Self.take(bench, "Date: Sat, 28 Nov 2026 12:00:00 +0900\n\n# Text")
    #expect(Set(try await bench.titles()) == ["ann@example.org", "Mail"])
    await bench.stop()
  }
}
