import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: fetched again") struct DocumentRefreshTests {
  private static let opening = ["On reading", "A book that is read twice", "is another book then."]
  private static let middle = ["On writing", "Nobody writes what he set out", "to write; the pen has a mind."]
  private static let ending = ["On paper", "Paper is patient, says the proverb,", "and so is the reader."]

  private static var first: SamplePDF { SamplePDF(pages: [.init(opening), .init(middle), .init(ending)]) }

  @Test("what has not changed is asked for once more and nothing else: 304, and the same bytes without one")
  func unchanged() async throws {
    let bench = try await DocumentRefreshBench(Self.first)
    try await bench.mark("On writing", page: 1)
    let before = try await bench.everything()
    let reply = try await bench.refresh()
    #expect(reply["refreshed"] == false && reply["changed"] == false && reply["marks"] == [])
    #expect(bench.server.requests.last?["If-None-Match"] == "\"v1\"")
    // The same bytes under another name: they were sent, and nothing changed either; next time it is asked by that name.
    bench.publish(Self.first)
    #expect(try await bench.refresh()["refreshed"] == false)
    #expect(try await bench.refresh()["refreshed"] == false)
    #expect(bench.server.requests.last?["If-None-Match"] == "\"v2\"")
    #expect(try await bench.everything() == before)
    await bench.stop()
  }

  @Test("P20 the offset of a moved mark in its document counts Unicode scalars, not characters")
  func documentOffset() async throws {
    // No character of its own composes a Hebrew letter and its vowel sign.
    func file(_ pages: SamplePDF.Page...) -> SamplePDF {
      var sample = SamplePDF.rightToLeft(["שָׁלוֹם"])
      sample.pages += pages
      return sample
    }
    let bench = try await DocumentRefreshBench(file(.init(Self.middle)))
    try await bench.mark("On writing", page: 1)
    bench.publish(file(.init(Self.opening), .init(Self.middle)))
    #expect(try await bench.refresh()["counts"]?["moved"] == 1)
    var texts: [String] = []
    for page in 0...1 {
      texts.append(try await bench.client.call("documents/text", ["id": bench.id, "page": json(page)])["text"].text)
    }
    #expect(texts[0].unicodeScalars.count > texts[0].count)
    await bench.stop()
    let stored = try KeepingTests.database(bench.bench.daemon).read {
      try $0.text("SELECT anchor FROM highlight")
    }
    let anchor = try JSONParser.parse(try #require(stored))
    #expect(anchor["documentOffset"] == json(texts.map(\.unicodeScalars.count).reduce(0, +)), "\(anchor)")
  }

  @Test("P20 new bytes take the old ones' place, and each mark is where its text is: exact, moved, fuzzy or an orphan")
  func changed() async throws {
    let bench = try await DocumentRefreshBench(Self.first)
    let exact = try await bench.mark("On reading", page: 0)
    let moved = try await bench.mark(Self.middle[1], Self.middle[2], page: 1, note: "n")
    let fuzzy = try await bench.mark("Paper is patient, says the proverb,", "and so is the reader.", page: 2)
    let lost = try await bench.mark("is another book then.", page: 0)
    try await bench.bookmark(1)
    try await bench.memo(2, "patience")
    let before = try await bench.everything()
    let told = bench.client.received.count
    bench.publish(
      SamplePDF(pages: [
        .init(["On reading", "A book that is read twice", "pays twice."]),
        .init(["A page put in", "for good measure"]),
        .init(Self.middle), .init(["On paper", "Paper is patient, said the proverb,", "and so is the reader."]),
      ]))
    let reply = try await bench.refresh()
    #expect(reply["refreshed"] == true && reply["document"]?["pageCount"] == 4)
    #expect(reply["document"]?["hash"] != before[0]["hash"] && reply["document"]?["id"] == bench.id)
    let outcomes = reply.outcomes
    #expect(outcomes[exact.stringValue ?? ""] == "exact 0")
    #expect(outcomes[moved.stringValue ?? ""] == "moved 2")
    #expect(outcomes[fuzzy.stringValue ?? ""] == "fuzzy 3")
    #expect(outcomes[lost.stringValue ?? ""] == "orphan")
    #expect(reply["counts"] == ["exact": 1, "moved": 2, "fuzzy": 2, "orphan": 1])
    let report = reply["marks"].list.first { $0["id"] == fuzzy }
    #expect((report?["score"]?.doubleValue ?? 0) > 0.85 && (report?["score"]?.doubleValue ?? 1) < 1)
    #expect(report?["from"] == 2)
    // The page shows what is on it; the orphan is on none, and is kept with its text.
    let page = try await bench.client.call("documents/page", ["id": bench.id, "page": 2])
    #expect(page["highlights"].list.map { $0["id"] } == [moved] && page["bookmarked"] == true)
    #expect(page["highlights"]?[0]?["note"] == "n")
    let start = try await bench.client.call("documents/page", ["id": bench.id, "page": 0])
    #expect(start["highlights"].list.map { $0["id"] } == [exact])
    #expect(
      try await bench.highlights() == [
        "0: On reading", "-: is another book then.",
        "2: Nobody writes what he set out\nto write; the pen has a mind.",
        "3: Paper is patient, said the proverb,\nand so is the reader.",
      ])
    #expect(try await bench.client.call("documents/memos", ["id": bench.id]).items.map { $0["page"] } == [3])
    // All of it is told in one commit with the document.
    let changes = bench.client.received.dropFirst(told).compactMap { frame -> JSONValue? in
      if case .single(.notification("changes/didCommit", let params)) = frame { params } else { nil }
    }
    #expect(changes.count == 1)
    let ids = changes[0]["changes"].list.map { $0["id"] }
    #expect(ids.contains(moved) && ids.contains(lost) && ids.contains(bench.id))
    // One step back.
    _ = try await bench.client.call("changes/undo")
    let after = try await bench.everything()
    for (old, new) in zip(before, after) { #expect(Self.content(old) == Self.content(new)) }
    let text = try await bench.client.call("documents/text", ["id": bench.id, "page": 1])
    #expect(text["text"].text.hasPrefix("On writing"))
    // And on again, from the server that says nothing new.
    #expect(try await bench.refresh()["refreshed"] == true)
    await bench.stop()
  }

  /// Without what every change changes.
  private static func content(_ reply: JSONValue) -> JSONValue {
    switch reply {
    case .object(let object):
      .object(
        JSONObject(
          object.members.filter { !["revision", "updatedAt"].contains($0.key) }
            .map { JSONObject.Member(key: $0.key, value: content($0.value)) }))
    case .array(let items): .array(items.map(content))
    default: reply
    }
  }

  @Test("P21 the same line on three pages goes with its page when one is put in, and is no other's when its page goes")
  func repeated() async throws {
    let pages = (1...3).map { SamplePDF.Page(["chapter \($0)", "the same line", "and words of \($0) only"]) }
    let bench = try await DocumentRefreshBench(SamplePDF(pages: pages))
    let marks = [
      try await bench.mark("the same line", page: 0), try await bench.mark("the same line", page: 1),
      try await bench.mark("the same line", page: 2),
    ]
    bench.publish(SamplePDF(pages: [.init(["a title page"])] + pages))
    var outcomes = try await bench.refresh().outcomes
    #expect(marks.map { outcomes[$0.stringValue ?? ""] } == ["moved 1", "moved 2", "moved 3"])
    bench.publish(SamplePDF(pages: [pages[0], pages[2]]))
    outcomes = try await bench.refresh().outcomes
    #expect(marks.map { outcomes[$0.stringValue ?? ""] } == ["moved 0", "orphan", "moved 1"])
    // The page comes back, and with it the orphan: by its text and what stands around it.
    bench.publish(SamplePDF(pages: pages))
    outcomes = try await bench.refresh().outcomes
    #expect(marks.map { outcomes[$0.stringValue ?? ""] } == ["exact 0", "moved 1", "moved 2"])
    #expect(try await bench.highlights() == ["0: the same line", "1: the same line", "2: the same line"])
    await bench.stop()
  }

  @Test("a mark on a page that did not change is not touched: it keeps its revision, and nobody is told")
  func untouched() async throws {
    let bench = try await DocumentRefreshBench(SamplePDF(pages: [.init(Self.opening), .init(Self.middle)]))
    let mark = try await bench.mark("is another book then.", page: 0)
    try await bench.bookmark(0)
    let before = try await bench.everything()
    let told = bench.client.commits.count
    bench.publish(SamplePDF(pages: [.init(Self.opening), .init(Self.ending)]))
    #expect(try await bench.refresh()["counts"] == ["exact": 2, "moved": 0, "fuzzy": 0, "orphan": 0])
    #expect(bench.client.commits.dropFirst(told).flatMap { $0["changes"].list }.map { $0["id"] } == [bench.id])
    let after = try await bench.everything()
    #expect(Array(after.dropFirst()) == Array(before.dropFirst()))
    #expect(after[1]["items"]?[0]?["id"] == mark)
    await bench.stop()
  }

  @Test("Korean marks move with their lines")
  func korean() async throws {
    let lines = ["첫째줄은머리말입니다", "책을두번읽으면다른책이된다", "셋째줄은맺음말입니다"]
    let bench = try await DocumentRefreshBench(SamplePDF(pages: [.init(korean: lines)]))
    let mark = try await bench.mark(lines[1], page: 0)
    let gone = try await bench.mark(lines[2], page: 0)
    bench.publish(
      SamplePDF(pages: [.init(korean: ["새로쓴머리말"]), .init(korean: ["덧붙인줄", lines[0], lines[1]])]))
    let outcomes = try await bench.refresh().outcomes
    #expect(outcomes[mark.stringValue ?? ""] == "moved 1" && outcomes[gone.stringValue ?? ""] == "orphan")
    #expect(try await bench.highlights() == ["-: \(lines[2])", "1: \(lines[1])"])
    await bench.stop()
  }

  @Test("an orphan is placed by hand, and keeps its id, color and note; orphans of bookmarks and memos too")
  func byHand() async throws {
    let bench = try await DocumentRefreshBench(Self.first)
    let lost = try await bench.mark("is another book then.", page: 0, note: "why")
    try await bench.bookmark(1)
    try await bench.memo(1, "on the pen")
    bench.publish(SamplePDF(pages: [.init(["On reading", "something else"]), .init(Self.ending)]))
    let reply = try await bench.refresh()
    #expect(reply["counts"]?["orphan"] == 3)
    let orphans = try await bench.client.call("documents/highlights", ["id": bench.id]).items
    #expect(orphans[0]["state"] == "orphan" && orphans[0]["text"] == "is another book then.")
    let placed = try await bench.client.call(
      "documents/placeHighlight", ["id": lost, "page": 0, "lines": ["something else"]])
    #expect(placed["id"] == lost && placed["note"] == "why" && placed["state"] == nil)
    #expect(placed["text"] == "something else" && placed["createdAt"] == orphans[0]["createdAt"])
    let stale = try await bench.client.failure(
      "documents/placeHighlight", ["id": lost, "page": 0, "lines": ["On"], "ifRevision": orphans[0]["revision"]!])
    #expect(stale?.kind == "conflict")
    let bookmark = try #require(try await bench.client.call("documents/bookmarks", ["id": bench.id]).items.first)
    let memo = try #require(try await bench.client.call("documents/memos", ["id": bench.id]).items.first)
    #expect(bookmark["state"] == "orphan" && memo["state"] == "orphan" && memo["text"] == "on the pen")
    let empty = try await bench.client.call("documents/page", ["id": bench.id, "page": 1])
    #expect(empty["bookmarked"] == false && empty["memo"] == nil)
    _ = try await bench.client.call(
      "documents/setBookmark", ["id": bench.id, "page": 0, "bookmarked": true, "bookmark": bookmark["id"]!])
    _ = try await bench.client.call(
      "documents/setMemo", ["id": bench.id, "page": 1, "text": "on the pen", "memo": memo["id"]!])
    let bookmarks = try await bench.client.call("documents/bookmarks", ["id": bench.id]).items
    #expect(bookmarks.map { $0["id"] } == [bookmark["id"]] && bookmarks[0]["page"] == 0 && bookmarks[0]["state"] == nil)
    let page = try await bench.client.call("documents/page", ["id": bench.id, "page": 1])
    #expect(page["memo"]?["id"] == memo["id"])
    let again = try await bench.client.failure(
      "documents/setMemo", ["id": bench.id, "page": 1, "text": "x", "memo": memo["id"]!])
    #expect(again?.kind == "notFound", "it is no orphan any more")
    await bench.stop()
  }

  @Test("a bookmark on each page moves on with its page, and one step of undo brings all of them back")
  func shifted() async throws {
    let pages = (1...6).map { SamplePDF.Page(["this is page \($0) of the work", "with words of \($0) only"]) }
    let bench = try await DocumentRefreshBench(SamplePDF(pages: pages))
    for page in 0..<6 { try await bench.bookmark(page) }
    let before = try await bench.client.call("documents/bookmarks", ["id": bench.id]).items
    bench.publish(SamplePDF(pages: [.init(["a title page"])] + pages.reversed()))
    // The fourth is the fourth from the end, and stays where it is.
    #expect(try await bench.refresh()["counts"] == ["exact": 1, "moved": 5, "fuzzy": 0, "orphan": 0])
    let moved = try await bench.client.call("documents/bookmarks", ["id": bench.id]).items
    #expect(moved.map { $0["page"] } == (1...6).map(json))
    #expect(moved.map { $0["id"] } == before.map { $0["id"] }.reversed())
    _ = try await bench.client.call("changes/undo")
    let back = try await bench.client.call("documents/bookmarks", ["id": bench.id]).items
    #expect(back.map { $0["id"] } == before.map { $0["id"] } && back.map { $0["page"] } == before.map { $0["page"] })
    await bench.stop()
  }

  @Test("search finds what the file says now, also after undo, and the reading position is on a page that there is")
  func followed() async throws {
    let bench = try await DocumentRefreshBench(SamplePDF(["zebra crossing"], ["giraffe house"], ["camel"]))
    _ = try await bench.client.call("documents/setPosition", ["id": bench.id, "page": 2, "y": 0.5])
    func found(_ text: String) async throws -> Int {
      try KeepingTests.found(text, in: KeepingTests.database(bench.bench.daemon)).count
    }
    #expect(try await found("camel") == 1)
    bench.publish(SamplePDF(["zebra crossing"], ["elephant house"]))
    let reply = try await bench.refresh()
    #expect(reply["document"]?["position"] == ["page": 1, "y": 0])
    for (word, count) in [("camel", 0), ("giraffe", 0), ("elephant", 1), ("zebra", 1)] {
      #expect(try await found(word) == count, "\(word)")
    }
    _ = try await bench.client.call("changes/undo")
    for (word, count) in [("camel", 1), ("giraffe", 1), ("elephant", 0)] {
      #expect(try await found(word) == count, "\(word)")
    }
    bench.publish(SamplePDF(["only one"]))
    _ = try await bench.refresh()
    #expect(try await bench.client.call("documents/get", ["id": bench.id])["position"] == ["page": 0, "y": 0])
    await bench.stop()
  }

  @Test("a document that came from a path, or as bytes, is refreshed from there or from what is given")
  func otherSources() async throws {
    let bench = try await DocumentBench()
    let path = bench.daemon.folder.file("a.pdf")
    try Data(SamplePDF(["first draft"]).bytes).write(to: URL(filePath: path))
    let id = try #require(try await bench.client.call("documents/add", ["path": .string(path)])["id"])
    try Data(SamplePDF(["second draft"]).bytes).write(to: URL(filePath: path))
    #expect(try await bench.client.call("documents/refresh", ["id": id])["refreshed"] == true)
    #expect(try await bench.client.call("documents/text", ["id": id, "page": 0])["text"].text.hasPrefix("second"))
    let third = try await bench.client.call(
      "documents/refresh", ["id": id, "data": .string(SamplePDF(["third draft"]).base64)])
    #expect(third["refreshed"] == true)
    // Bytes that it once had answer it, and bring it no second one.
    let old = try await bench.add(SamplePDF(["first draft"]))
    #expect(old["id"] == id && old["existing"] == true)
    let loose = try await bench.id(of: SamplePDF(["loose"]))
    let sourceless = try await bench.client.failure("documents/refresh", ["id": loose])
    #expect(sourceless?.code == -32602 && sourceless?.data?["field"] == "path")
    let taken = try await bench.client.failure(
      "documents/refresh", ["id": loose, "data": .string(SamplePDF(["first draft"]).base64)])
    #expect(taken?.kind == "exists" && taken?.data?["document"] == id)
    await bench.stop()
  }

  @Test("of a long document all marks are found at once, and its text is there when it says so")
  func long() async throws {
    let bench = try await DocumentRefreshBench(.numbered(300))
    _ = try await bench.bench.indexed(bench.id)
    let mark = try await bench.mark("page number 299", page: 298)
    bench.publish(SamplePDF(pages: [.init(["a title page"])] + SamplePDF.numbered(300).pages))
    let reply = try await bench.refresh()
    #expect(reply.outcomes[mark.stringValue ?? ""] == "moved 299")
    #expect(try await bench.bench.indexed(bench.id)["state"] == "ready")
    #expect(try await bench.highlights() == ["299: page number 299"])
    let text = try await bench.client.call("documents/text", ["id": bench.id, "page": 300])
    #expect(text["text"].text.hasPrefix("page number 300"))
    await bench.stop()
  }
}
