import Client
import Foundation
import TestSupport
import Testing
import Wire

/// Files that hang poppler, eat memory, or are simply bad.
@Suite("Documents: hostile files", .serialized) struct HostileTests {
  @Test("P30 a page that takes for ever is timedOut at its limit, and nobody else waits for it")
  func endless() async throws {
    let bench = try await DocumentBench { $0.workers.timeout = .seconds(4) }
    let good = try await bench.id(of: SamplePDF(["good"]), title: "good")
    let other = try await bench.daemon.client(name: "other")
    let bad = try await bench.id(of: .endless, title: "endless")
    // Its text was tried and given up, page by page.
    #expect(try await bench.indexed(bad)["state"] == "failed")
    let unread = try await bench.client.failure("documents/text", ["id": bad, "page": 0])
    #expect(unread?.kind == "timedOut", "no text is not an empty text")
    // On a busy machine the good pages may take longer than the bad one's limit. A page is left alone after three.
    var didHang = false
    for attempt in 1...3 where !didHang {
      let drawing = bench.client.send("documents/render", ["id": bad, "page": 0, "width": 400])
      for width in 100..<105 {
        _ = try await other.call("documents/render", ["id": good, "page": 0, "width": json(attempt * 1_000 + width)])
      }
      didHang = !bench.client.received.contains { frame in
        if case .single(.response(drawing.id, _, _)) = frame { true } else { false }
      }
      #expect(try await drawing.failure()?.kind == "timedOut")
    }
    #expect(didHang, "the good pages came while the bad one hung")
    // Its other page is as good as any.
    #expect(try await other.call("documents/text", ["id": bad, "page": 1])["text"].text.hasPrefix("after"))
    #expect(try await bench.titles() == ["good", "endless"])
    await bench.stop()
  }

  @Test("P30 a page that hung three workers is left alone and says until when; the rest of its document is there")
  func leftAlone() async throws {
    let bench = try await DocumentBench { $0.workers.timeout = .seconds(3) }
    let bad = try await bench.id(of: .endless, title: "endless")
    _ = try await bench.indexed(bad)
    let before = try await bench.client.call("session/status")["workers"]?["timeouts"]?.integerValue ?? 0
    let lines = bench.daemon.logLines.count { $0.hasPrefix("warning render of page 1") }
    for _ in 0..<3 {
      let error = try await bench.client.failure("documents/render", ["id": bad, "page": 0, "width": 400])
      #expect(error?.kind == "timedOut")
      #expect(error?.data?["advice"]?.text.contains("not tried for ten minutes") == true)
    }
    let error = try await bench.client.failure("documents/render", ["id": bad, "page": 0, "width": 400])
    #expect(error?.kind == "workerCrashed" && error?.data?["page"] == 0)
    #expect((1...600).contains(error?.data?["retryAfter"]?.integerValue ?? 0))
    #expect(error?.message.contains("page 1 of endless") == true && error?.message.contains("10 minutes") == true)
    _ = try await bench.client.call("documents/render", ["id": bad, "page": 1, "width": 400])
    #expect(try await bench.client.call("documents/outline", ["id": bad])["items"] == [])
    let workers = try await bench.client.call("session/status")["workers"]
    #expect(workers?["timeouts"]?.integerValue == before + 3 && workers?["leftAlone"] == 1)
    #expect(bench.daemon.logLines.count { $0.hasPrefix("warning render of page 1") } == lines + 4)
    await bench.stop()
  }

  @Test("P30 a file that eats memory costs its own request, and the daemon and its other documents live on")
  func greedy() async throws {
    let bench = try await DocumentBench { settings in
      settings.workers.timeout = .seconds(10)
      settings.workers.memory = 256
    }
    let good = try await bench.id(of: SamplePDF(["good"]), title: "good")
    let before = try await bench.client.call("documents/get", ["id": good])
    let reply = try? await bench.add(.greedy, title: "greedy")
    if let id = reply?["id"] {
      let error = try await bench.client.failure("documents/render", ["id": id, "page": 0, "scale": 1])
      // cairo draws the letter with itself until it has no memory, or until it is too small to be drawn; Splash, which
      // is asked then, leaves it out.
      if let error {
        #expect(["workerCrashed", "timedOut", "tooLarge"].contains(error.kind), "\(error.message)")
        #expect(!error.message.isEmpty)
      }
      #expect(try await bench.client.call("documents/page", ["id": id, "page": 1])["label"] == "2 / 2")
    }
    _ = try await bench.client.call("documents/render", ["id": good, "page": 0, "width": 400])
    #expect(try await bench.client.call("documents/get", ["id": good])["revision"] == before["revision"])
    await bench.stop()
  }

  @Test("P30 a file that had to be repaired is added and says so; one that is whole says nothing")
  func repaired() async throws {
    let bench = try await DocumentBench()
    let whole = SamplePDF(["one"], ["two"], ["three"]).bytes
    let table = try #require(whole.firstRange(of: Array("xref\n".utf8)))
    let end = try #require(whole.firstRange(of: Array("startxref".utf8)))
    var misled = whole
    // The last digit of the first object's place, which is 9 behind the header.
    let digit = try #require(whole[table.upperBound...].firstRange(of: Array(" 00000 n".utf8))).lowerBound - 1
    misled[digit] = 0x35
    var unused = whole
    unused.replace(Array("0000000000 00000 f".utf8), with: Array("0000000000 00000 n".utf8))
    // The page tree says that it has three pages, and has one.
    var cut = SamplePDF(["one"]).bytes
    cut.replace(Array("/Count 1".utf8), with: Array("/Count 3".utf8))
    let files: [(String, [UInt8], Bool)] = [
      ("whole", whole, false), ("pages that are not there", cut, true), ("numbers that are not used", unused, false),
      ("rubbish before it", Array("rubbish\n".utf8) + whole, false),
      ("a wrong place", misled, true), ("cut off behind its trailer", Array(whole[..<end.lowerBound]), true),
    ]
    for (name, bytes, isRepaired) in files {
      let added = try await bench.client.call(
        "documents/add", ["data": .string(Data(bytes).base64EncodedString()), "title": .string(name)])
      #expect(added["repaired"] == (isRepaired ? true : nil), "\(name)")
      #expect(added["state"] != nil && added["pageCount"] == 3, "\(name)")
      let again = try await bench.client.call("documents/add", ["data": .string(Data(bytes).base64EncodedString())])
      #expect(again["existing"] == true && again["repaired"] == added["repaired"], "\(name)")
    }
    await bench.stop()
  }

  @Test(
    "every file of the corpus is added and walked through, or refused by a typed error; the others stay as they are",
    .enabled(if: !CorpusFiles.all.isEmpty), .timeLimit(.minutes(15)))
  func walk() async throws {
    let bench = try await DocumentBench { $0.workers.timeout = .seconds(5) }
    let good = try await bench.id(of: SamplePDF(["the good one"]), title: "good")
    let picture = try await bench.client.call("documents/render", ["id": good, "page": 0, "width": 100])
    let bytes = try Data(contentsOf: URL(filePath: picture["path"].text))
    let refused: Set = ["notPDF", "corrupt", "passwordRequired", "workerCrashed", "timedOut", "tooLarge"]
    let copies = bench.daemon.folder.file("copies")
    try FileManager.default.createDirectory(atPath: copies, withIntermediateDirectories: true)
    var report: [String] = []
    for file in CorpusFiles.all {
      var outcomes: [String] = []
      /// An answer, or a typed error; anything else is a failure of this test.
      func attempt(_ method: String, _ params: JSONObject, _ more: Set<String> = []) async -> JSONValue? {
        do {
          return try await bench.client.call(method, .object(params))
        } catch let error as RemoteError {
          outcomes.append("\(method) \(error.kind ?? String(error.code))")
          #expect(
            refused.union(more).contains(error.kind ?? ""),
            "\(file.lastPathComponent): \(method): \(error.code) \(error.message)")
        } catch {
          Issue.record("\(file.lastPathComponent): \(method): \(error)")
        }
        return nil
      }
      let started = ContinuousClock.now
      var added: JSONObject = ["path": .string(file.path)]
      if let password = CorpusFiles.passwords[file.lastPathComponent] { added["password"] = .string(password) }
      if let document = await attempt("documents/add", added), let id = document["id"] {
        let whole: JSONObject = ["id": id]
        _ = await attempt("documents/outline", whole)
        _ = await attempt("documents/metadata", whole)
        let files = await attempt("documents/attachments", whole)
        for (index, _) in (files?.items ?? []).prefix(3).enumerated() {
          _ = await attempt(
            "documents/saveAttachment",
            ["id": id, "attachment": json(index), "path": .string("\(copies)/\(file.lastPathComponent).\(index)")])
        }
        _ = await attempt("documents/importMarks", whole, ["notAllowed"])
        let count = Int(document["pageCount"]?.integerValue ?? 0)
        #expect(count > 0)
        for page in Set([0, count / 2, count - 1]).sorted() {
          let place: JSONObject = ["id": id, "page": json(page)]
          func with(_ more: JSONObject) -> JSONObject {
            var all = place
            for member in more.members { all[member.key] = member.value }
            return all
          }
          let shown = await attempt("documents/page", place)
          let text = await attempt("documents/text", with(["detail": "words"]))
          _ = await attempt("documents/links", place)
          _ = await attempt("documents/render", with(["width": 300]))
          let width = shown?["width"]?.doubleValue ?? 0
          let height = shown?["height"]?.doubleValue ?? 0
          let all = with(["from": ["x": 0, "y": 0], "to": ["x": .number(width), "y": .number(height)]])
          let selected = await attempt("documents/select", all)
          if text?["placed"] == true, !selected.map({ $0["text"].text.isEmpty })! {
            let added = await attempt("documents/addHighlight", all)
            #expect(added == nil || added?["text"] == selected?["text"], "\(file.lastPathComponent) page \(page)")
          }
        }
        let copy = "\(copies)/\(file.lastPathComponent)"
        let marked = await attempt(
          "documents/export", ["id": id, "format": "pdf", "path": .string(copy)], ["notAllowed", "signed"])
        if marked != nil {
          let original = try Data(contentsOf: file)
          #expect(
            try Data(contentsOf: URL(filePath: copy)).prefix(original.count) == original, "\(file.lastPathComponent)")
        } else {
          #expect(!FileManager.default.fileExists(atPath: copy), "\(file.lastPathComponent)")
        }
      }
      let took = ContinuousClock.now - started
      if !outcomes.isEmpty || took > .seconds(3) { report.append("\(file.lastPathComponent) \(took): \(outcomes)") }
      #expect(try await bench.client.call("documents/get", ["id": good])["title"] == "good")
    }
    #expect(try Data(contentsOf: URL(filePath: picture["path"].text)) == bytes)
    print(report.joined(separator: "\n"))
    await bench.stop()
  }
}
