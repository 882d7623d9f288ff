import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Diary: entries") struct EntryTests {
  @Test("D5 D6 D31 the text is kept byte for byte; its first line with ink is the title, the rest the body")
  func parts() async throws {
    let bench = try await DiaryBench()
    let decomposed = "한글 제목".decomposedStringWithCanonicalMapping
    let cases: [(text: String, title: String, body: String)] = [
      ("Title\nBody", "Title", "Body"),
      ("\n \n\tTitle \r\n\r\n Body\n\n", "\tTitle ", "\r\n Body\n\n"),
      ("One\rTwo\rThree", "One", "Two\rThree"),
      ("Only", "Only", ""),
      ("Only\n", "Only", ""),
      ("\u{3000}\u{2028}x", "\u{3000}\u{2028}x", ""),
      ("👩‍👩‍👧‍👦 family\n🇰🇷", "👩‍👩‍👧‍👦 family", "🇰🇷"),
      (decomposed + "\n몸", decomposed, "몸"),
      ("\u{FEFF}mark\u{200B}\ncafe\u{301}", "\u{FEFF}mark\u{200B}", "cafe\u{301}"),
    ]
    for (text, title, body) in cases {
      let added = try await bench.add(text)
      for entry in [added, try await bench.get(added.id)] {
        #expect(
          sameBytes(entry["text"].text, text) && sameBytes(entry["title"].text, title), "\(text.debugDescription)")
        #expect(sameBytes(entry["body"].text, body), "\(text.debugDescription)")
      }
    }
    await bench.stop()
  }

  @Test("D1 D4 a list has title, date and the body's beginning; an entry has its date as heading, title and body below")
  func list() async throws {
    let bench = try await DiaryBench()
    let text = "A walk\n\n  Along \n the\triver. " + String(repeating: "long ", count: 1_000)
    let added = try await bench.add(text)
    let item = try #require(try await bench.client.call("diary/list").items.first)
    #expect(item["title"] == "A walk" && item["text"] == nil && item["body"] == nil)
    #expect(item["preview"].text.hasPrefix("Along the river. long long") && item["preview"].text.count <= 200)
    #expect(item["display"]?["date"] == "Nov 21, 2026" && item["display"]?["time"] == "3:04\u{202F}AM")
    #expect(try await bench.get(added.id)["text"].text == text)
    await bench.stop()
  }

  @Test("D7 a text of white space only is not saved, neither as a new entry nor as a new text")
  func blank() async throws {
    let bench = try await DiaryBench()
    for text in ["", "\n\n\n", " \t\r\n\u{3000}"] {
      let reply = try await bench.add(text)
      #expect(reply["saved"] == false && reply["reason"] == "empty" && reply["id"] == nil)
    }
    #expect(try await bench.client.call("diary/add", ["title": " ", "body": "\n"])["saved"] == false)
    #expect(try await bench.titles() == [])
    let entry = try await bench.add("Stays")
    #expect(entry["saved"] == true)
    let reply = try await bench.client.call("diary/update", ["id": entry.id, "text": "\n\n"])
    #expect(reply["saved"] == false && reply["reason"] == "empty")
    #expect(try await bench.get(entry.id)["text"] == "Stays")
    await bench.stop()
  }

  @Test(
    "D8 D10 D31 an update keeps id, moment, day and zone of writing; the same add again is answered with what is there")
  func saving() async throws {
    let bench = try await DiaryBench(timeZone: "Asia/Seoul")
    let added = try await bench.add("First\nbody", id: "mine")
    #expect(added.id == "mine" && added["timeZone"] == "Asia/Seoul")
    bench.daemon.clock.advance(milliseconds: 3 * 86_400_000)
    let again = try await bench.add("First\nbody", id: "mine")
    #expect(again["revision"] == added["revision"] && again["changed"] == false)
    _ = try await bench.client.call("session/configure", ["timeZone": "Europe/Berlin"])
    let updated = try await bench.client.call("diary/update", ["id": "mine", "text": "Second"])
    for field in ["id", "writtenAt", "createdAt", "day", "timeZone"] {
      #expect(updated[field] == added[field], "\(field)")
    }
    #expect(updated["revision"] != added["revision"] && updated["updatedAt"] != added["updatedAt"])
    let other = try await bench.client.failure("diary/add", ["id": "mine", "text": "Something else"])
    #expect(other?.data?["kind"] == "exists" && other?.data?["current"]?["text"] == "Second")
    #expect(try await bench.titles() == ["Second"])
    await bench.stop()
  }

  @Test("D29 an entry may be given as title and body; a missing body is none, and either is changed without the other")
  func titleAndBody() async throws {
    let bench = try await DiaryBench()
    let plain = try await bench.client.call("diary/add", ["title": "Title"])
    #expect(plain["text"] == "Title" && plain["body"] == "")
    let both = try await bench.client.call("diary/add", ["title": "Title", "body": "Body\n"])
    #expect(both["text"] == "Title\nBody\n")
    let entry = try await bench.add("\r\nOld \r\n\r\nBody")
    func update(_ params: JSONObject) async throws -> JSONValue? {
      var params = params
      params["id"] = entry.id
      return try await bench.client.call("diary/update", .object(params))["text"]
    }
    #expect(try await update(["title": "New"]) == "\r\nNew\r\n\r\nBody")
    #expect(try await update(["body": "Other"]) == "\r\nNew\r\nOther")
    #expect(try await update(["title": "T", "body": ""]) == "\r\nT\r\n")
    #expect(try await update(["day": "2026-01-02"]) == "\r\nT\r\n")
    #expect(try await bench.client.failure("diary/add", ["body": "b"])?.code == -32602)
    #expect(try await bench.client.failure("diary/add", ["text": "t", "body": "b"])?.code == -32602)
    await bench.stop()
  }

  @Test("D22 D24 saving what is there already succeeds and changes nothing; what fails is the reply to its own request")
  func unchanged() async throws {
    let bench = try await DiaryBench()
    let entry = try await bench.add("Same")
    let before = bench.client.commits.count
    let reply = try await bench.client.call("diary/update", ["id": entry.id, "text": "Same"])
    #expect(reply["changed"] == false && reply["saved"] == true && reply["revision"] == entry["revision"])
    #expect(bench.client.commits.count == before)
    for method in ["diary/get", "diary/remove", "diary/update"] {
      let failure = try await bench.client.failure(method, ["id": "nowhere"])
      #expect(failure?.data?["kind"] == "notFound" && failure?.data?["id"] == "nowhere", "\(method)")
    }
    await bench.stop()
  }

  @Test("what no text, day, zone or id can be is refused by name, and nothing is written")
  func refusals() async throws {
    let bench = try await DiaryBench()
    let bad: [(JSONValue, String)] = [
      (["text": "a\u{0}b"], "text"), (["title": "t", "body": "\u{0}"], "body"),
      (["text": "t", "day": "2026-02-29"], "day"), (["text": "t", "day": "31.11.2026"], "day"),
      (["text": "t", "id": "../x"], "id"), (["text": .string(String(repeating: "x", count: 5 << 20))], "text"),
    ]
    for (params, field) in bad {
      let failure = try await bench.client.failure("diary/add", params)
      #expect(failure?.code == -32602 && failure?.data?["field"]?.stringValue == field, "\(field)")
    }
    let zone = try await bench.client.failure("session/configure", ["timeZone": "Asia/Atlantis"])
    #expect(zone?.data?["field"] == "timeZone")
    #expect(try await bench.client.call("diary/list")["total"] == 0)
    let most = String(repeating: "글", count: 1_000_000)
    let longest = try await bench.add(most)
    #expect(longest["title"].text == most)
    let grown = try await bench.client.failure("diary/update", ["id": longest.id, "body": "more"])
    #expect(grown?.data?["field"] == "body" && grown?.code == -32602)
    #expect(try await bench.client.call("diary/list").items[0]["display"]?["title"].text.count == 121)
    await bench.stop()
  }

  @Test("half of a surrogate pair is refused by the name of its field")
  func surrogates() async throws {
    let bench = try await DiaryBench()
    let socket = try RawSocket(connectingTo: bench.daemon.socket)
    socket.write(#"{"jsonrpc":"2.0","id":1,"method":"diary/add","params":{"text":"a\ud800b"}}"# + "\n")
    socket.endInput()
    let reply = try JSONParser.parse(try await socket.readToEnd())
    #expect(reply["error"]?["code"] == -32602 && reply["error"]?["data"]?["field"] == "text")
    await bench.stop()
  }

  @Test("an entry is added again under its id only with the same bytes: the same letters composed otherwise are others")
  func composedOtherwise() async throws {
    let bench = try await DiaryBench()
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    _ = try await bench.client.call("diary/add", ["id": "mine", "text": .string(composed)])
    let other = try await bench.client.failure("diary/add", ["id": "mine", "text": .string(decomposed)])
    #expect(other?.kind == "exists")
    #expect(Array((other?.data?["current"]?["text"]).text.utf8) == Array(composed.utf8))
    #expect(try await bench.client.call("diary/add", ["id": "mine", "text": .string(composed)])["changed"] == false)
    await bench.stop()
  }
}
