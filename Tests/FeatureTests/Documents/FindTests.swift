import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: finding") struct FindTests {
  /// What is found on one page of lines, as `before|match|after`.
  private static func found(
    _ text: String, in sample: SamplePDF, _ more: JSONObject = [:], on bench: DocumentBench
  ) async throws -> [JSONValue] {
    let id = try await bench.id(of: sample)
    var params = more
    params["id"] = id
    params["text"] = .string(text)
    return try await bench.client.call("documents/find", .object(params)).items
  }

  @Test("a text is found across line ends and hyphens, with a quad for each line and what stands around it")
  func acrossLines() async throws {
    let bench = try await DocumentBench()
    let sample = SamplePDF(["This is an exam-", "ple of a well-", "known text that", "goes on here."])
    func matches(_ text: String) async throws -> [String] {
      try await Self.found(text, in: sample, on: bench).map { $0["match"].text }
    }
    let hit = try #require(try await Self.found("an example of", in: sample, on: bench).first)
    #expect(hit["match"] == "an exam-\nple of" && hit["page"] == 0)
    #expect(hit["before"] == "This is " && hit["after"].text.hasPrefix(" a well-\nknown"))
    let quads = hit["quads"].list.map(\.numbers)
    #expect(quads.count == 2 && quads.allSatisfy { $0.count == 8 })
    // The second line lies below the first and begins farther to the left.
    #expect(quads[1][1] > quads[0][5] - 10 && quads[1][0] < quads[0][0])
    #expect(try await matches("EXAMPLE") == ["exam-\nple"])
    #expect(try await matches("well-known") == ["well-\nknown"])
    #expect(try await matches("wellknown") == ["well-\nknown"])
    #expect(try await matches("exam-ple") == ["exam-\nple"])
    #expect(try await matches("text that goes") == ["text that\ngoes"])
    #expect(try await matches("text  that\n\tgoes") == ["text that\ngoes"])
    #expect(try await matches("exam ple") == [])
    #expect(try await matches("texts") == [])
    await bench.stop()
  }

  @Test("forms of the same letters are the same: capitals, composed and decomposed, ligatures, full width")
  func forms() async throws {
    let bench = try await DocumentBench()
    // é and ß in WinAnsi.
    let sample = SamplePDF(pages: [.init(content: "BT /Latin 24 Tf 72 700 Td (Caf\\351 Stra\\337e efficient) Tj ET")])
    func count(_ text: String, _ more: JSONObject = [:]) async throws -> Int {
      try await Self.found(text, in: sample, more, on: bench).count
    }
    for text in ["café", "cafe\u{301}", "CAFÉ", "STRASSE", "straße", "e\u{FB03}cient", "ｃａｆé", "caf\u{AD}é"] {
      #expect(try await count(text) == 1, "\(text)")
    }
    #expect(try await count("cafe") == 0)
    for text in ["café", "STRASSE"] { #expect(try await count(text, ["caseSensitive": true]) == 0, "\(text)") }
    for text in ["Café", "Cafe\u{301}", "Straße"] {
      #expect(try await count(text, ["caseSensitive": true]) == 1, "\(text)")
    }
    await bench.stop()
  }

  @Test("whole words end where words end, and every substring of Korean is found")
  func words() async throws {
    let bench = try await DocumentBench()
    let sample = SamplePDF(["The cat sat; concat, cat_1 and Cat's cat"])
    #expect(try await Self.found("cat", in: sample, on: bench).count == 5)
    let whole = try await Self.found("cat", in: sample, ["wholeWord": true], on: bench)
    #expect(whole.map { $0["match"].text } == ["cat", "Cat", "cat"])
    let korean = SamplePDF.korean("한국어문서검색")
    for text in ["한국어문서검색", "문서", "국", "어문"] {
      let hits = try await Self.found(text, in: korean, on: bench)
      #expect(hits.count == 1 && hits[0]["match"] == .string(text), "\(text)")
      #expect(hits[0]["quads"].list.count == 1)
    }
    let decomposed = "\u{1106}\u{116E}\u{11AB}\u{1109}\u{1165}"
    #expect(try await Self.found(decomposed, in: korean, on: bench).map { $0["match"].text } == ["문서"])
    #expect(try await Self.found("문서", in: korean, ["wholeWord": true], on: bench).isEmpty)
    #expect(try await Self.found("문 서", in: korean, on: bench).isEmpty)
    await bench.stop()
  }

  @Test("a regular expression knows lines, Unicode and case; its blank stands for a line end")
  func expressions() async throws {
    let bench = try await DocumentBench()
    let sample = SamplePDF(["Chapter 12 begins", "here and chapter", "13 ends. An exam-", "ple too."])
    func matches(_ text: String, _ more: JSONObject = [:]) async throws -> [String] {
      try await Self.found(text, in: sample, more.with(["regex": true]), on: bench).map { $0["match"].text }
    }
    #expect(try await matches(#"chapter \d+"#) == ["Chapter 12", "chapter\n13"])
    #expect(try await matches(#"chapter \d+"#, ["caseSensitive": true]) == ["chapter\n13"])
    #expect(try await matches(#"^\w+"#) == ["Chapter", "here", "13"])
    #expect(try await matches(#"[A-Z]\w+"#, ["caseSensitive": true]) == ["Chapter", "An"])
    #expect(try await matches(#"example"#) == ["exam-\nple"])
    #expect(try await matches(#"(?x) chapter \s 12"#) == ["Chapter 12"])
    #expect(try await matches(#"[ ]begins"#) == [" begins"])
    #expect(try await matches(#"begins[ ]here"#).isEmpty, "a blank in a class is no line end")
    #expect(try await matches(#"(e)\1"#).isEmpty)
    #expect(try await matches(#"q*"#).isEmpty)
    #expect(try await matches("and", ["wholeWord": true]) == ["and"])
    #expect(try await matches("h", ["wholeWord": true]).isEmpty)
    await bench.stop()
  }

  @Test("an expression that is none says where, and one that explodes is given up and costs the daemon nothing")
  func badExpressions() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF([String(repeating: "a", count: 40) + "!"]))
    func failure(_ text: String) async throws -> RemoteError? {
      try await bench.client.failure("documents/find", ["id": id, "text": .string(text), "regex": true])
    }
    let open = try #require(try await failure("a b (c"))
    #expect(open.code == -32602 && open.data?["field"] == "text" && open.data?["offset"] == 6)
    #expect(open.message.contains("parenthesis"))
    for text in [#"(a+)+$"#, #"(a|aa)+$"#, #"(?:a*)*b"#, #"(.*)*(.*)*(.*)*x"#] {
      if let error = try await failure(text) {
        #expect(error.code == -32602 && error.data?["field"] == "text", "\(text): \(error.message)")
      }
    }
    #expect(try await failure(#"(a+)+$"#)?.message.contains("page 1") == true)
    for text in [#"\C"#, #"((((a{1,999}){1,999}){1,999}){1,999})"#, "[", #"(?<=a+)b"#, "*"] {
      #expect(try await failure(text)?.code == -32602, "\(text)")
    }
    #expect(try await failure(String(repeating: "(", count: 9_999))?.code == -32602)
    #expect(try await bench.client.call("documents/find", ["id": id, "text": "!"])["total"] == 1)
    await bench.stop()
  }

  @Test("what cannot be looked for is refused by name")
  func badInput() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["x"], ["y"]))
    func failure(_ params: JSONObject) async throws -> RemoteError? {
      try await bench.client.failure("documents/find", .object((["id": id] as JSONObject).with(params)))
    }
    let wrong: [(JSONObject, String)] = [
      (["text": ""], "text"), (["text": " \n"], "text"), (["text": "\u{AD}\u{200B}"], "text"),
      (["text": .string(String(repeating: "a", count: 100_000))], "text"), (["text": "x", "from": 2], "from"),
      (["text": "x", "from": -1], "from"), (["text": "x", "limit": 0], "limit"),
      (["text": "x", "limit": 10_001], "limit"),
      (["text": "x", "after": "1"], "after"), (["text": "x", "after": "-1/0"], "after"), ([:], "text"),
    ]
    for (params, field) in wrong {
      let error = try await failure(params)
      #expect(error?.code == -32602 && error?.data?["field"] == .string(field), "\(params)")
    }
    #expect(try await failure(["text": "x", "from": 0, "after": "0/0"])?.code == -32602)
    #expect(try await failure(["id": "nobody", "text": "x"])?.kind == "notFound")
    let end = try await bench.client.call("documents/find", ["id": id, "text": "x", "after": "99/0"])
    #expect(end.items.isEmpty && end["total"] == 1 && end["hasMore"] == false)
    await bench.stop()
  }

  @Test("all hits are counted; parts go on where the last ended, and `from` skips what comes before its page")
  func parts() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(30))
    func find(_ more: JSONObject) async throws -> JSONValue {
      try await bench.client.call(
        "documents/find", .object((["id": id, "text": "number"] as JSONObject).with(more)))
    }
    // Until every page was read once, a part says that its total is an estimate.
    #expect(try await find([:]).items.count == 30)
    var pages: [JSONValue] = []
    var after: JSONValue?
    repeat {
      var more: JSONObject = ["limit": 7]
      if let after { more["after"] = after }
      let part = try await find(more)
      #expect(part["total"] == 30)
      #expect(part["offset"] == json(pages.count))
      #expect(part["totalIsEstimate"] == false)
      pages += part.items.compactMap { $0["page"] }
      after = part["next"]
      #expect(part["hasMore"] == .bool(after != nil))
    } while after != nil
    #expect(pages == (0..<30).map(json))
    let late = try await find(["from": 28])
    #expect(late.items.map { $0["page"] } == [28, 29] && late["offset"] == 28 && late["total"] == 30)
    #expect(try await find(["text": "nowhere"]).items.isEmpty)
    await bench.stop()
  }

  /// A document of `count` pages whose text is there up to a page, in a daemon that does not go on by itself.
  private static func halfIndexed(_ count: Int, from missing: Int) async throws -> (DocumentBench, JSONValue) {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(count), title: "long")
    _ = try await bench.indexed(id)
    _ = try await bench.client.call("documents/setPosition", ["id": id, "page": json(count - 10)])
    await bench.stop()
    try KeepingTests.database(bench.daemon).write { db in
      try db.run("UPDATE pdfPage SET text = NULL, length = NULL WHERE page >= ?", [.integer(missing)])
    }
    return (try await DocumentBench(in: bench.daemon.folder), id)
  }

  @Test("a document that is still being indexed answers as its pages come, the one that is seen first")
  func streaming() async throws {
    let (bench, id) = try await Self.halfIndexed(60, from: 5)
    #expect(try await bench.client.call("documents/get", ["id": id])["state"] == "indexing")
    let reply = try await bench.client.call(
      "documents/find", ["id": id, "text": "number", "limit": 1_000, "partialResultToken": "hits"])
    #expect(reply.items.isEmpty && reply["total"] == 60 && reply["totalIsEstimate"] == false)
    let parts = bench.client.heard("$/progress").filter { $0["token"] == "hits" }.map { $0["value"]?.items ?? [] }
    #expect(parts.count > 3 && parts[0].count == 1)
    let pages = parts.flatMap { $0.compactMap { $0["page"] } }
    #expect(pages == (Array(50..<60) + Array(0..<50)).map(json))
    #expect(parts[0][0]["quads"].list.count == 1)
    // All of it was kept on the way.
    #expect(try await bench.indexed(id)["state"] == "ready")
    let again = try await bench.client.call("documents/find", ["id": id, "text": "number", "limit": 1_000])
    #expect(again.items.compactMap { $0["page"] } == (0..<60).map(json))
    await bench.stop()
  }

  @Test("without a token the pages that are needed are read in order, and what is not read is said to be a guess")
  func asItComes() async throws {
    let (bench, id) = try await Self.halfIndexed(60, from: 5)
    let first = try await bench.client.call("documents/find", ["id": id, "text": "number", "limit": 3])
    #expect(first.items.compactMap { $0["page"] } == [0, 1, 2])
    #expect(first["totalIsEstimate"] == true && first["hasMore"] == true)
    let next = try await bench.client.call(
      "documents/find", ["id": id, "text": "number", "limit": 100, "after": first["next"] ?? .null])
    #expect(next.items.compactMap { $0["page"] } == (3..<60).map(json))
    await bench.stop()
  }

  @Test("parts of a ready document come before the reply too, and its reply has none of them")
  func partsOfReady() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(12))
    let reply = try await bench.client.call(
      "documents/find", ["id": id, "text": "page", "partialResultToken": 7])
    #expect(reply.items.isEmpty && reply["total"] == 12)
    let parts = bench.client.heard("$/progress").filter { $0["token"] == 7 }
    #expect(parts.flatMap { $0["value"]?.items ?? [] }.count == 12)
    let wrong = try await bench.client.failure(
      "documents/find", ["id": id, "text": "page", "partialResultToken": [1]])
    #expect(wrong == nil || wrong?.code == -32602)
    await bench.stop()
  }

  @Test("a protected document is searched in memory, with its password only, and nothing of it is on disk")
  func protected() async throws {
    let bench = try await DocumentBench()
    let data = JSONValue.string(Data(SamplePDF.encrypted).base64EncodedString())
    let id = try await bench.client.call("documents/add", ["data": data, "password": "pässwört"])["id"]!
    for _ in 0..<2 {
      let found = try await bench.client.call("documents/find", ["id": id, "text": "SECRET"])
      #expect(found.items.map { $0["match"].text } == ["secret"])
    }
    await bench.stop()
    let again = try await DocumentBench(in: bench.daemon.folder)
    let params: JSONObject = ["id": id, "text": "secret"]
    #expect(try await again.client.failure("documents/find", .object(params))?.kind == "passwordRequired")
    let wrong = params.with(["password": "guess"])
    #expect(try await again.client.failure("documents/find", .object(wrong))?.kind == "passwordRequired")
    let right = params.with(["password": "pässwört"])
    #expect(try await again.client.call("documents/find", .object(right))["total"] == 1)
    #expect(try await again.client.call("documents/find", .object(params))["total"] == 1)
    #expect(try await again.client.failure("documents/find", .object(wrong))?.kind == "passwordRequired")
    _ = try await again.client.call("documents/remove", ["id": id])
    #expect(try await again.client.failure("documents/find", .object(params))?.kind == "notFound")
    await again.stop()
  }
}

extension JSONObject {
  /// The members of another put in, over those of the same name.
  fileprivate func with(_ more: JSONObject) -> JSONObject {
    var all = self
    for member in more.members { all[member.key] = member.value }
    return all
  }
}
