import Client
import Foundation
import HTTP
import TestSupport
import Testing
import Wire

@Suite("Documents: adding") struct AddTests {
  @Test("P1 P4 P6 P12 a PDF is added by title and URL whatever the URL ends with, and listed in the order added")
  func addByURL() async throws {
    let bench = try await DocumentBench()
    let server = try ScriptedServer { request in
      .file(Data(SamplePDF(["from \(request.target)"]).bytes), to: request, headers: [("Content-Type", "text/plain")])
    }
    for (number, path) in ["/a.PDF", "/b?v=1", "/c.pdf"].enumerated() {
      let url = server.origin + path
      let document = try await bench.client.call(
        "documents/add", ["title": .string("Title \(number)"), "url": .string(url)])
      #expect(document["url"] == .string(url))
      #expect(document["origins"] == [.string(url)])
      #expect(document["pageCount"] == 1)
      #expect(document["existing"] == nil)
      let text = try await bench.client.call("documents/text", ["id": document["id"]!, "page": 0])
      #expect(text["text"].text.hasPrefix("from \(path)"))
    }
    let list = try await bench.client.call("documents/list")
    #expect(list.items.map { $0["title"].text } == ["Title 0", "Title 1", "Title 2"])
    #expect(list.items.map { $0["url"].text } == ["/a.PDF", "/b?v=1", "/c.pdf"].map { server.origin + $0 })
    #expect(list["total"] == 3)
    #expect(list["hasMore"] == false)
    await bench.stop()
  }

  @Test("P5 a path, a file URL with escapes and bytes are added; same bytes answer the document that has them")
  func otherSources() async throws {
    let bench = try await DocumentBench()
    let path = bench.daemon.folder.file("백 %20.pdf")
    try Data(SamplePDF(["once"]).bytes).write(to: URL(filePath: path))
    let first = try await bench.client.call("documents/add", ["path": .string(path)])
    #expect(first["title"] == "백 %20")
    #expect(first["url"] == nil)
    let escaped = URL(filePath: path).absoluteString
    #expect(escaped.contains("%2520"))
    let again = try await bench.client.call("documents/add", ["url": .string(escaped), "title": "another"])
    #expect(again["id"] == first["id"])
    #expect(again["existing"] == true)
    // Its reader may have given it that title, so it stays; and the reply says so, on a terminal too.
    #expect(again["title"] == "백 %20" && again["changed"] == false)
    #expect(again["display"]?["existing"]?.text.contains("“another” was not used") == true)
    for title in [nil, "백 %20"] {
      let third = try await bench.add(SamplePDF(["once"]), title: title)
      #expect(third["id"] == first["id"] && third["existing"] == true)
      #expect(third["changed"] == false)
      #expect(third["display"]?["existing"] == nil)
    }
    #expect(try await bench.everything().count == 1)
    await bench.stop()
  }

  @Test("P2 P30 a blank title or URL is refused by name and nothing is stored", arguments: ["title", "url"])
  func blank(field: String) async throws {
    let bench = try await DocumentBench(locale: "ko-KR")
    for blank in ["", " \n"] {
      let params: JSONObject = [
        "title": field == "title" ? .string(blank) : "T",
        "url": field == "url" ? .string(blank) : "http://127.0.0.1:1/",
      ]
      let error = try await bench.client.failure("documents/add", .object(params))
      #expect(error?.code == -32602)
      #expect(error?.data?["field"] == .string(field))
    }
    let document = try await bench.add(SamplePDF(["x"]), title: "stays")
    let error = try await bench.client.failure("documents/update", ["id": document["id"]!, field: " "])
    #expect(error?.data?["field"] == .string(field))
    #expect(try await bench.titles() == ["stays"])
    await bench.stop()
  }

  @Test("P3 P30 what is no URL is invalidURL, in words of the client's language, and nothing is stored")
  func invalidURL() async throws {
    let bench = try await DocumentBench()
    let korean = try await bench.daemon.client(locale: "ko-KR")
    for url in ["not a url", "ftp://example.org/a.pdf", "http://", "file://host/a.pdf", "file:a.pdf", "http://a b/"] {
      let error = try await bench.client.failure("documents/add", ["url": .string(url)])
      #expect(error?.kind == "invalidURL", "\(url)")
      #expect(error?.message.isEmpty == false)
      let translated = try await korean.failure("documents/add", ["url": .string(url)])
      #expect(translated?.message != error?.message)
    }
    // Nothing is guessed, and what was left out is named.
    for (url, whole) in [
      ("example.org/a.pdf", "https://example.org/a.pdf"), ("localhost:8080/a", "https://localhost:8080/a"),
    ] {
      let bare = try await bench.client.failure("documents/add", ["url": .string(url)])
      #expect(
        bare?.kind == "invalidURL" && bare?.message.hasSuffix("Write \(whole)") == true, "\(String(describing: bare))")
    }
    // The detail too, which the layer below gives as a word.
    let scheme = try await korean.failure("documents/add", ["url": "ftp://example.org/a.pdf"])
    #expect(scheme?.message.hasPrefix("가져올 수 있는 URL이 아닙니다: http와 https만 가져올 수 있습니다.") == true)
    #expect(try await bench.everything().isEmpty)
    await bench.stop()
  }

  @Test(
    "P4 a web page, an empty file, a folder, a pipe, a missing path and damaged PDFs are typed errors that leave nothing"
  )
  func badInput() async throws {
    let bench = try await DocumentBench()
    let kept = try await bench.add(SamplePDF(["kept"]), title: "kept")
    let whole = SamplePDF(["whole"]).bytes
    let server = try ScriptedServer { request in
      switch request.target {
      case "/page": .text("<html>Sign in</html>", [("Content-Type", "application/pdf")])
      case "/empty": .answer(200)
      case "/gone": .text("gone", status: 404)
      default: .file(Data("%PDF-1.7\nrubbish".utf8), to: request)
      }
    }
    let pipe = bench.daemon.folder.file("pipe")
    mkfifo(pipe, 0o600)
    let empty = bench.daemon.folder.file("empty.pdf")
    try Data().write(to: URL(filePath: empty))
    let cases: [(JSONValue, String)] = [
      (["url": .string(server.origin + "/page")], "notPDF"),
      (["url": .string(server.origin + "/empty")], "notPDF"),
      (["url": .string(server.origin + "/gone")], "httpStatus"),
      (["url": .string(server.origin + "/rubbish")], "corrupt"),
      (["url": "http://127.0.0.1:1/"], "unreachable"),
      (["path": .string(bench.daemon.folder.path)], "notAllowed"),
      (["path": .string(pipe)], "notAllowed"),
      (["path": .string(empty)], "notPDF"),
      (["path": "/nowhere/a.pdf"], "notFound"),
      (["data": .string(Data(whole.prefix(200)).base64EncodedString())], "corrupt"),
      (["data": .string(Data("hello".utf8).base64EncodedString())], "notPDF"),
    ]
    for (params, kind) in cases {
      let error = try await bench.client.failure("documents/add", params)
      #expect(error?.kind == kind, "\(params): \(error?.message ?? "no error")")
      #expect(error?.message.isEmpty == false)
    }
    // Once: poppler's own words are that it is damaged.
    let cut: JSONValue = ["data": .string(Data(whole.prefix(200)).base64EncodedString())]
    let damaged = try await bench.client.failure("documents/add", cut)?.message ?? ""
    #expect(damaged.components(separatedBy: "damaged").count == 2, "\(damaged)")
    let malformed = try await bench.client.failure("documents/add", ["data": "%%%"])
    #expect(malformed?.code == -32602 && malformed?.data?["field"] == "data")
    let both = try await bench.client.failure("documents/add", ["data": "AA==", "path": "/a"])
    #expect(both?.code == -32602)
    #expect(try await bench.everything().map { $0["id"] } == [kept["id"]])
    let parts = try FileManager.default.contentsOfDirectory(atPath: bench.daemon.library + "/parts")
    #expect(parts == [], "\(parts)")
    await bench.stop()
  }

  @Test("a download is said to go on behind what has come only where something has come that can be gone on with")
  func resumption() async throws {
    let bench = try await DocumentBench()
    let bytes = Data(SamplePDF(["whole"]).bytes)
    let server = try ScriptedServer { request in
      switch request.target {
      case "/kept": request["Range"] == nil ? .file(bytes, to: request, cut: 300) : .closing
      // Nothing tells whether the rest would be that of the same file.
      case "/nameless": .file(bytes, to: request, etag: nil, cut: 300)
      default: .closing
      }
    }
    let cases = [
      (server.origin + "/kept", true), (server.origin + "/nameless", false), (server.origin + "/closed", false),
      ("http://127.0.0.1:1/", false),
    ]
    for (url, goesOn) in cases {
      let error = try await bench.client.failure("documents/add", ["url": .string(url)])
      #expect(error?.kind == "unreachable", "\(url): \(error?.message ?? "no error")")
      let advice = error?.data?["advice"]?.text ?? ""
      #expect(advice.contains("Check the address and the network"), "\(url): \(advice)")
      #expect(advice.contains("the download continues where it stopped") == goesOn, "\(url): \(advice)")
    }
    let parts = try FileManager.default.contentsOfDirectory(atPath: bench.daemon.library + "/parts")
    #expect(parts.count { $0.hasSuffix(".part") } == 1, "\(parts)")
    await bench.stop()
  }

  @Test(
    "P4 a server that says nothing is timedOut at the limit, nobody waits for it, and nothing of it is left",
    .timeLimit(.minutes(10)))
  func silentServer() async throws {
    let bench = try await DocumentBench {
      $0.http.stall = HTTPConfiguration.StallRule(bytesPerSecond: 1_000, seconds: 1)
      // Its end would come behind that of this test.
      $0.http.callTimeout = .seconds(3_600)
    }
    let arrived = ServerGate()
    let server = try ScriptedServer { _ in ServerReply.silence().telling(arrived) }
    let waiting = bench.client.send("documents/add", ["url": .string(server.origin + "/a.pdf")])
    await arrived.opened()
    let good = try await bench.add(SamplePDF(["good"]))
    #expect(good["pageCount"] == 1)
    #expect(try await waiting.failure()?.kind == "timedOut")
    #expect(try await bench.everything().map { $0["id"] } == [good["id"]])
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.daemon.library + "/parts") == [])
    await bench.stop()
  }

  @Test("a server that wants fewer requests says when to come again; one that wants a login gets advice that helps")
  func refusals() async throws {
    let bench = try await DocumentBench()
    let server = try ScriptedServer { request in
      switch request.target {
      case "/busy": .text("slower", status: 429, [("Retry-After", "7200")])
      case "/login": .text("who are you?", status: 401)
      default: .text("not you", status: 403)
      }
    }
    let busy = try await bench.client.failure("documents/add", ["url": .string(server.origin + "/busy")])
    #expect(busy?.kind == "rateLimited" && busy?.data?["retryAfter"] == 7_200)
    for (path, status) in [("/login", 401), ("/forbidden", 403)] {
      let error = try await bench.client.failure("documents/add", ["url": .string(server.origin + path)])
      #expect(error?.kind == "httpStatus" && error?.data?["status"] == json(status))
      #expect(error?.data?["advice"]?.text.contains("`path`") == true, "\(error?.data ?? [:])")
    }
    #expect(try await bench.everything().isEmpty)
    await bench.stop()
  }

  @Test("the same bytes from another place are one origin more, which is told of and is no new revision")
  func secondOrigin() async throws {
    let bench = try await DocumentBench()
    let server = try ScriptedServer { .file(Data(SamplePDF(["once"]).bytes), to: $0) }
    let first = try await bench.client.call("documents/add", ["url": .string(server.origin + "/a")])
    let heard = bench.client.commits.count
    let second = try await bench.client.call("documents/add", ["url": .string(server.origin + "/b")])
    #expect(second["origins"]?.arrayValue?.count == 2 && second["revision"] == first["revision"])
    let changes = bench.client.commits.dropFirst(heard).flatMap { $0["changes"].list }
    #expect(changes.count == 1 && changes[0]["fields"] == ["origins"] && changes[0]["revision"] == first["revision"])
    await bench.stop()
  }

  @Test(
    "a retried add with its own id answers the document that the first one made; another place has no claim on the id")
  func retriedAdd() async throws {
    let bench = try await DocumentBench()
    let id = "0192f0c1-2345-7abc-8def-0123456789ab"
    let first = try await bench.add(SamplePDF(["a"]), title: "A", id: id)
    #expect(first["id"] == .string(id))
    let again = try await bench.add(SamplePDF(["a"]), title: "A", id: id)
    #expect(again["id"] == .string(id) && again["existing"] == true && again["changed"] == false)
    // At the same time: two requests, one document.
    let other = "0192f0c1-2345-7abc-8def-0123456789ac"
    let params: JSONValue = ["data": .string(SamplePDF(["b"]).base64), "id": .string(other)]
    let one = bench.client.send("documents/add", params)
    let two = bench.client.send("documents/add", params)
    let replies = [try await one.value(), try await two.value()]
    #expect(replies.allSatisfy { $0["id"] == .string(other) })
    #expect(replies.count { $0["existing"] == true } == 1)
    #expect(try await bench.everything().count == 2)
    await bench.stop()
  }

  @Test("versions of one file name each other, since their /ID is the same")
  func similar() async throws {
    let bench = try await DocumentBench()
    let first = try await bench.add(SamplePDF(["first draft"]))
    let second = try await bench.add(SamplePDF(["second draft"]))
    #expect(second["similarTo"] == [first["id"]!])
    #expect(try await bench.client.call("documents/get", ["id": first["id"]!])["similarTo"] == [second["id"]!])
    await bench.stop()
  }
}
