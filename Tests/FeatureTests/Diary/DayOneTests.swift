import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Diary: what Day One's export contains") struct DayOneTests {
  /// The texts of the imported entries, in the order of the file.
  private func imported(_ texts: [String], into bench: DiaryBench) async throws -> [String] {
    let entries = texts.enumerated().map { index, text -> JSONValue in
      let second = String(format: "%02d", index)
      return [
        "uuid": .string("A\(index)"), "creationDate": .string("2020-12-22T15:35:\(second)Z"), "text": .string(text),
      ]
    }
    let file = "\(JSONValue.object(["entries": .array(entries)]))"
    let report = try await take(file, into: bench)
    #expect(report["added"]?.integerValue == Int64(texts.count), "\(report)")
    var found: [String] = []
    for item in try await bench.client.call("diary/list", ["sort": "oldest"]).items {
      found.append(try await bench.get(item.id)["text"].text)
    }
    return found
  }

  private func take(_ file: String, into bench: DiaryBench) async throws -> JSONValue {
    try await bench.client.call(
      "diary/import", ["data": .string(Data(file.utf8).base64EncodedString()), "format": "dayone"])
  }

  @Test("a backslash that Markdown does not need is removed, and every other stays, as does all code")
  func backslashes() async throws {
    let bench = try await DiaryBench()
    let texts: KeyValuePairs = [
      #"It was 5\.30 pm \- finally\! \(She laughed\, too\.\)"#: #"It was 5.30 pm - finally! (She laughed, too.)"#,
      ##"snake\_case, 5 \* 3, Nr\. \#5, 한\_강"##: #"snake_case, 5 * 3, Nr. #5, 한_강"#,
      #"1\. January\-ish"#: #"1\. January-ish"#,
      #"12\) of 20\) in 3\.14"#: #"12\) of 20) in 3.14"#,
      #"\- no list"#: #"\- no list"#,
      "one\n  \\+ no list\n\\> no quote\n\\# no heading\n\\=\\=\\=":
        "one\n  \\+ no list\n\\> no quote\n\\# no heading\n\\===",
      ##"\#home, \*no emphasis\*, \_x\_, \[x\](y), a\`b\`, \~, \<b\>, a \| b"##:
        ##"\#home, \*no emphasis\*, \_x\_, \[x\](y), a\`b\`, \~, \<b>, a \| b"##,
      #"\![no picture](x) and \!\[none\]"#: #"\![no picture](x) and !\[none\]"#,
      #"[link\.](https://a.example/x\)y\.z) [x]\(y\)"#: #"[link.](https://a.example/x\)y\.z) [x]\(y)"#,
      #"`5\.30` and ``a ` 1\.2`` 3\.4"#: #"`5\.30` and ``a ` 1\.2`` 3.4"#,
      "code\n```\n1\\.2 \\-\n```\n1\\.2": "code\n```\n1\\.2 \\-\n```\n1.2",
      #"C:\\temp\\\. a\b \"#: #"C:\\temp\\. a\b \"#,
      "hard\\\nbreak\\.": "hard\\\nbreak.",
    ]
    let found = try await imported(texts.map(\.key), into: bench)
    for (text, expected) in zip(found, texts.map(\.value)) { #expect(text == expected) }
    await bench.stop()
  }

  @Test("a link to another entry leads to it, also in another journal; one to an entry that did not come stays")
  func links() async throws {
    let bench = try await DiaryBench()
    func journal(_ uuid: String, _ text: String) -> String {
      """
      {"entries": [{"uuid": "\(uuid)", "creationDate": "2020-12-22T15:35:33Z", "text": "\(text)"}]}
      """
    }
    var zip = SampleZip()
    zip.add("Home.json", journal("AB01", "See [Seoul](dayone://view?entryId=ab02), [gone](dayone://view?entryId=AB03)"))
    zip.add("Travel.json", journal("AB02", "Back [home](dayone2://view?entryId=AB01&x=1)"))
    _ = try await bench.client.call(
      "diary/import", ["data": .string(Data(zip.bytes).base64EncodedString()), "format": "dayone"])
    let home = try #require(try await bench.client.call("diary/list", ["journal": "Home"]).items.first)
    let travel = try #require(try await bench.client.call("diary/list", ["journal": "Travel"]).items.first)
    #expect(
      try await bench.get(home.id)["text"].text
        == "See [Seoul](commonplace:/diary/\(travel.id.text)), [gone](dayone://view?entryId=AB03)")
    #expect(try await bench.get(travel.id)["text"].text == "Back [home](commonplace:/diary/\(home.id.text))")
    let linking = try await bench.client.call("links/to", ["collection": "diary", "id": home.id]).items
    #expect(linking.map(\.id) == [travel.id])
    await bench.stop()
  }

  @Test("a recording and a PDF are shown with their names, and what was said is found")
  func names() async throws {
    let bench = try await DiaryBench()
    var zip = SampleZip()
    zip.add(
      "Journal.json",
      """
      {"entries": [{"uuid": "A1", "creationDate": "2020-12-22T15:35:33Z",
        "text": "![](dayone-moment:/audio/A)\\n![](dayone-moment:/pdfAttachment/P)",
        "audios": [{"md5": "a1", "identifier": "A", "title": "Grandma sings",
          "transcription": "La la\\n\\nthe blue Danube"}],
        "pdfAttachments": [{"md5": "b2", "identifier": "P", "pdfName": "Boarding [pass].pdf"}]}]}
      """)
    zip.add("audios/a1.m4a", [0, 0, 0, 8] + Array("ftypM4A ".utf8))
    zip.add("pdfs/b2.pdf", Array("%PDF-1.4\n".utf8))
    let report = try await bench.client.call(
      "diary/import", ["data": .string(Data(zip.bytes).base64EncodedString()), "format": "dayone"])
    #expect(report["added"] == 1 && report["notes"].list.isEmpty, "\(report)")
    let id = try #require(try await bench.client.call("diary/list").items.first).id
    let lines = try await bench.get(id)["text"].text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 5 && lines[0].hasPrefix("![Grandma sings](commonplace:/files/"), "\(lines)")
    #expect(lines[1].hasPrefix("![Boarding pass.pdf](commonplace:/files/"), "\(lines)")
    #expect(lines[2...] == ["", "> La la", "> the blue Danube"], "\(lines)")
    #expect(try await bench.client.call("search/query", ["text": "danube"]).items.map(\.id) == [id])
    #expect(try await bench.client.call("files/list").items.map { $0["name"].text }.contains("Boarding [pass].pdf"))
    await bench.stop()
  }

  @Test("a file that has ten thousand names in an entry is shown by its first one, at once", .timeLimit(.minutes(1)))
  func manyNames() async throws {
    let bench = try await DiaryBench()
    let audios = (0..<10_000).map { number -> JSONValue in
      ["md5": "a1", "identifier": .string("A\(number)"), "title": .string("Song \(number)")]
    }
    let shown = Array(repeating: "![](dayone-moment:/audio/A9)", count: 9_000).joined(separator: "\n")
    let entry: JSONValue = [
      "uuid": "A1", "creationDate": "2020-12-22T15:35:33Z", "text": .string(shown), "audios": .array(audios),
    ]
    var zip = SampleZip()
    zip.add("Journal.json", "\(JSONValue.object(["entries": [entry]]))")
    zip.add("audios/a1.m4a", [0, 0, 0, 8] + Array("ftypM4A ".utf8))
    let report = try await bench.client.call(
      "diary/import", ["data": .string(Data(zip.bytes).base64EncodedString()), "format": "dayone"])
    #expect(report["added"] == 1, "\(report)")
    let id = try #require(try await bench.client.call("diary/list").items.first).id
    let text = try await bench.get(id)["text"].text
    #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("![Song 0](commonplace:/files/") })
    await bench.stop()
  }

  @Test("an entry without Markdown is read from the format of Day One's editor")
  func richText() async throws {
    let bench = try await DiaryBench()
    let rich = #"""
      {"meta": {"version": 1}, "contents": [
        {"attributes": {"line": {"header": 1}}, "text": "A walk\n"},
        {"attributes": {"line": {"header": 7}}, "text": "In Vienna\n"}, {"text": "It "},
        {"attributes": {"bold": true}, "text": "rained "}, {"attributes": {"italic": true, "bold": true}, "text": "hard"},
        {"text": " in "}, {"attributes": {"linkURL": "https://wien.example"}, "text": "Wien"}, {"text": ".\n\n"},
        {"attributes": {"line": {"listStyle": "checkbox", "checked": true, "indentLevel": 1}}, "text": "Pack\n"},
        {"attributes": {"line": {"listStyle": "bulleted", "indentLevel": 2}}, "text": "Shoes\n"},
        {"attributes": {"line": {"listStyle": "numbered", "listIndex": 3}}, "text": "Go\n"},
        {"attributes": {"line": {"quote": true}}, "text": "Said she\n"},
        {"attributes": {"line": {"codeBlock": true}}, "text": "a * b\n\nc\n"},
        {"attributes": {"inlineCode": true}, "text": "x"}, {"text": "\n"},
        {"embeddedObjects": [{"type": "horizontalRuleLine"}, {"type": "photo", "identifier": "P"},
          {"type": "dayOneEntry", "entryID": "A1"}, {"type": "preview", "url": "https://a.example"}]},
        {"text": "End"}]}
      """#
    let entry: JSONValue = ["uuid": "A1", "creationDate": "2020-12-22T15:35:33Z", "richText": .string(rich)]
    let broken: JSONValue = ["uuid": "A2", "creationDate": "2020-12-22T15:35:34Z", "richText": "{\"contents\": ["]
    let report = try await take("\(JSONValue.object(["entries": [entry, broken]]))", into: bench)
    #expect(report["added"] == 1 && report["notes"].list.map { $0["reason"] } == ["blank"], "\(report)")
    let id = try #require(try await bench.client.call("diary/list").items.first).id
    #expect(
      try await bench.get(id)["text"].text == """
        # A walk
        ###### In Vienna
        It **rained** ***hard*** in [Wien](https://wien.example).

        - [x] Pack
          - Shoes
        3. Go
        > Said she
        ```
        a * b

        c
        ```
        `x`
        ---
        ![](dayone-moment://P)
        [Day One](commonplace:/diary/\(id.text))
        <https://a.example>
        End
        """)
    await bench.stop()
  }

  @Test("a pin, a whole day and the music of an entry are named in the report")
  func named() async throws {
    let bench = try await DiaryBench()
    let report = try await take(
      """
      {"entries": [{"uuid": "A1", "creationDate": "2020-12-22T15:35:33Z", "text": "x", "isPinned": true,
        "isAllDay": true, "music": {"artist": "Miles Davis"}},
        {"uuid": "A2", "creationDate": "2020-12-22T15:35:33Z", "text": "y", "isPinned": false, "isAllDay": false}]}
      """, into: bench)
    #expect(report["added"] == 2)
    #expect(report["notes"].list.map { $0["field"] } == ["music", "isPinned", "isAllDay"])
    await bench.stop()
  }
}
