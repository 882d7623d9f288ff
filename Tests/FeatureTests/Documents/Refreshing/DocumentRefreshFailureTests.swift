import Client
import Foundation
import TestSupport
import Testing
import Wire

/// What goes wrong while a document is fetched again. Whatever it is, the document stays as it was.
@Suite("Documents: refreshes that fail") struct DocumentRefreshFailureTests {
  @Test(
    "a web page, rubbish, an empty answer, a status, a lost connection and a file that wants a password leave all as it was"
  )
  func badAnswers() async throws {
    let bench = try await DocumentRefreshBench(SamplePDF(["first", "and more"], ["second"]))
    try await bench.mark("first", page: 0)
    try await bench.bookmark(1)
    try await bench.memo(0, "mine")
    let before = try await bench.everything()
    let answers: [(ServerReply, String)] = [
      (.text("<html>Sign in to go on</html>", [("Content-Type", "application/pdf")]), "notPDF"),
      (.answer(200), "notPDF"), (.text("%PDF-1.7\nrubbish"), "corrupt"), (.text("gone", status: 410), "httpStatus"),
      (.closing, "unreachable"),
      (.answer(200, body: Data(SamplePDF.encrypted)), "passwordRequired"),
    ]
    for (answer, kind) in answers {
      bench.publish(answer)
      let error = try await bench.client.failure("documents/refresh", ["id": bench.id])
      #expect(error?.kind == kind, "\(error?.message ?? "no error")")
      #expect(try await bench.everything() == before)
    }
    bench.publish(SamplePDF(["first", "and more"], ["second", "with a new line"]))
    #expect(try await bench.refresh()["refreshed"] == true)
    await bench.stop()
  }

  @Test("two refreshes at once are one fetch, and what the second finds is done already")
  func twice() async throws {
    let bench = try await DocumentRefreshBench(SamplePDF(["first draft"]))
    try await bench.bookmark(0)
    let (arrived, rest) = (ServerGate(), ServerGate())
    let new = Data(SamplePDF(["a line put in", "first draft"]).bytes)
    bench.publish(ServerReply.answer(200, [("ETag", "\"x\"")], body: new).after(rest, telling: arrived))
    let other = try await bench.bench.daemon.client(name: "other")
    let count = bench.server.requests.count
    let first = bench.client.send("documents/refresh", ["id": bench.id])
    await arrived.opened()
    let second = other.send("documents/refresh", ["id": bench.id])
    let third = other.send("documents/refresh", ["id": bench.id])
    _ = try await other.call("session/sync")
    third.cancel()
    #expect(try await third.failure()?.code == -32800)
    rest.open()
    let replies = [try await first.value(), try await second.value()]
    #expect(replies.count { $0["refreshed"] == true } == 1)
    #expect(replies.allSatisfy { $0["document"]?["hash"] == replies[0]["document"]?["hash"] })
    #expect(bench.server.requests.count == count + 1)
    await bench.stop()
  }

  @Test("a cancelled refresh and one whose document is removed meanwhile change nothing, and bring nothing back")
  func leftAlone() async throws {
    let bench = try await DocumentRefreshBench(SamplePDF(["first draft"]))
    let before = try await bench.everything()
    let new = Data(SamplePDF(["second draft"]).bytes)
    for removes in [false, true] {
      let (arrived, rest) = (ServerGate(), ServerGate())
      bench.publish(ServerReply.answer(200, body: new).after(rest, telling: arrived))
      let refresh = bench.client.send("documents/refresh", ["id": bench.id])
      await arrived.opened()
      if removes {
        _ = try await bench.client.call("documents/remove", ["id": bench.id])
        rest.open()
        #expect(try await refresh.failure()?.kind == "notFound")
        #expect(try await bench.bench.everything().isEmpty)
        _ = try await bench.client.call("changes/undo")
        let text = try await bench.client.call("documents/text", ["id": bench.id, "page": 0])["text"].text
        #expect(text.hasPrefix("first"))
      } else {
        refresh.cancel()
        #expect(try await refresh.failure()?.code == -32800)
        rest.open()
        #expect(try await bench.everything() == before)
      }
    }
    await bench.stop()
  }

  @Test("what was marked while the file was on its way is placed too; other bytes that came meanwhile are a conflict")
  func meanwhile() async throws {
    let bench = try await DocumentRefreshBench(SamplePDF(["alpha line", "beta line", "gamma line"]))
    let (arrived, rest) = (ServerGate(), ServerGate())
    let new = SamplePDF(["a heading", "alpha line", "beta line", "gamma line"])
    bench.publish(ServerReply.answer(200, body: Data(new.bytes)).after(rest, telling: arrived))
    let refresh = bench.client.send("documents/refresh", ["id": bench.id])
    await arrived.opened()
    let mark = try await bench.mark("beta line", page: 0)
    rest.open()
    let reply = try await refresh.value()
    #expect(reply.outcomes[mark.stringValue ?? ""] == "moved 0")
    let quad = try await bench.client.call("documents/highlights", ["id": bench.id]).items[0]["lines"]?[0]?["quad"]
    #expect((quad?.numbers[1] ?? 0) > 130, "it is the third line now")
    // Another refresh overtakes one that is under way.
    let (later, go) = (ServerGate(), ServerGate())
    bench.publish(ServerReply.answer(200, body: Data(SamplePDF(["slow"]).bytes)).after(go, telling: later))
    let slow = bench.client.send("documents/refresh", ["id": bench.id])
    await later.opened()
    _ = try await bench.client.call(
      "documents/refresh", ["id": bench.id, "data": .string(SamplePDF(["quick"]).base64)])
    go.open()
    #expect(try await slow.failure()?.kind == "conflict")
    #expect(try await bench.client.call("documents/text", ["id": bench.id, "page": 0])["text"].text.hasPrefix("quick"))
    await bench.stop()
  }

  @Test("a stale revision is refused before anything is written, and an unknown document is notFound")
  func stale() async throws {
    let bench = try await DocumentRefreshBench(SamplePDF(["first draft"]))
    let old = try await bench.client.call("documents/get", ["id": bench.id])["revision"]!
    _ = try await bench.client.call("documents/update", ["id": bench.id, "title": "Another"])
    bench.publish(SamplePDF(["second draft"]))
    let error = try await bench.client.failure("documents/refresh", ["id": bench.id, "ifRevision": old])
    #expect(error?.kind == "conflict" && error?.data?["current"]?["title"] == "Another")
    #expect(try await bench.client.failure("documents/refresh", ["id": "nothing"])?.kind == "notFound")
    await bench.stop()
  }

  @Test("a page of the new file that hangs the reader costs its own text only, and the document is there all the same")
  func hanging() async throws {
    let bench = try await DocumentRefreshBench(
      SamplePDF(["before"], ["after"]), in: DocumentBench { $0.workers.timeout = .seconds(4) })
    let mark = try await bench.mark("after", page: 1)
    bench.publish(.endless)
    let reply = try await bench.refresh()
    #expect(reply["refreshed"] == true)
    #expect(reply.outcomes[mark.stringValue ?? ""] == "exact 1")
    #expect(try await bench.bench.indexed(bench.id)["state"] == "failed")
    #expect(try await bench.client.call("documents/text", ["id": bench.id, "page": 1])["text"].text.hasPrefix("after"))
    await bench.stop()
  }

  @Test("the marks of a protected document, whose text lies nowhere, are found by its password, and not without")
  func protected() async throws {
    let bench = try await DocumentBench()
    let secret = Data(SamplePDF.encrypted).base64EncodedString()
    let id = try #require(
      try await bench.client.call("documents/add", ["data": .string(secret), "password": "pässwört"])["id"])
    let mark = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["secret"]])
    await bench.stop()
    let again = try await DocumentBench(in: bench.daemon.folder)
    let plain = SamplePDF(["secret"]).base64
    let locked = try await again.client.failure("documents/refresh", ["id": id, "data": .string(plain)])
    #expect(locked?.kind == "passwordRequired")
    #expect(try await again.client.call("documents/get", ["id": id])["isProtected"] == true)
    let reply = try await again.client.call(
      "documents/refresh", ["id": id, "data": .string(plain), "password": "pässwört"])
    #expect(reply["refreshed"] == true && reply["document"]?["isProtected"] == false)
    #expect(reply.outcomes[mark["id"].text] == "exact 0" || reply.outcomes[mark["id"].text] == "moved 0")
    let highlight = try await again.client.call("documents/highlights", ["id": id]).items[0]
    #expect(highlight["text"] == "secret" && highlight["state"] == nil)
    await again.stop()
  }
}
