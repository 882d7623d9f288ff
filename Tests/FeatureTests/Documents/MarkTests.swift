import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: marks") struct MarkTests {
  private static let lines = ["the first line", "the second line", "the third line"]

  @Test("P30 a page that the document does not have is refused by the field's name, whoever asks, and nothing changes")
  func beyond() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["first line"], ["second line"]))
    let calls: [(String, JSONObject)] = [
      ("page", [:]), ("text", [:]), ("links", [:]), ("render", ["width": 400]), ("toggleBookmark", [:]),
      ("setBookmark", ["bookmarked": true]), ("setMemo", ["text": "mine"]), ("addHighlight", ["lines": ["first line"]]),
      ("toggleHighlight", ["lines": ["first line"]]),
    ]
    for (name, others) in calls {
      for page in [2, 1_000_000] {
        var params = others
        params["id"] = id
        params["page"] = json(page)
        let error = try await bench.client.failure("documents/\(name)", .object(params))
        #expect(error?.code == -32602 && error?.data?["field"] == "page", "\(name): \(error?.message ?? "no error")")
      }
    }
    for list in ["bookmarks", "memos", "highlights"] {
      #expect(try await bench.client.call("documents/\(list)", ["id": id]).items == [])
    }
    await bench.stop()
  }

  @Test("P13 P14 P16 the position goes forth and back, stops at both ends, and is told to every client")
  func position() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(12))
    let other = try await bench.daemon.client(name: "other")
    let steps: [(JSONObject, Int)] = [
      (["step": 1], 1), (["step": -5], 0), (["page": 11], 11), (["step": 1], 11), (["page": 99], 11), (["page": -1], 0),
      (["page": 2], 2),
    ]
    for (step, page) in steps {
      var params = step
      params["id"] = id
      let reply = try await bench.client.call("documents/setPosition", .object(params))
      #expect(reply["position"]?["page"] == json(page))
      #expect(reply["label"] == .string("\(page + 1) / 12"))
      let isOutside = [["step": -5], ["page": 99], ["page": -1]].contains(step) || step == ["step": 1] && page == 11
      #expect(reply["clamped"] == (isOutside ? true : nil), "\(step)")
    }
    #expect(try await other.call("documents/get", ["id": id])["display"]?["position"] == "3 / 12")
    #expect(other.commits.last?["changes"]?[0]?["fields"] == ["position", "lastReadAt"])
    let page = try await other.call("documents/page", ["id": id, "page": 2])
    #expect(page["label"] == "3 / 12" && page["page"] == 2)
    let undo = try await bench.client.call("changes/undo")
    #expect(undo["clock"] != nil)
    #expect(
      try await bench.client.failure("documents/get", ["id": id])?.kind == "notFound",
      "the add was undone, not the page")
    for wrong in [12, -1] {
      let error = try await other.failure("documents/page", ["id": id, "page": json(wrong)])
      #expect(error != nil)
    }
    await bench.stop()
  }

  @Test(
    "P14 P24 a page is one consistent reply, with the file's own label, and every change of it is told after its commit"
  )
  func page() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(pages: [.init(Self.lines), .init(Self.lines)], labelPrefix: "x-"))
    let place: JSONValue = ["id": id, "page": 1]
    _ = try await bench.client.call("documents/toggleBookmark", place)
    _ = try await bench.client.call("documents/setMemo", ["id": id, "page": 1, "text": "mind this"])
    _ = try await bench.client.call("documents/toggleHighlight", ["id": id, "page": 1, "lines": ["the second line"]])
    let page = try await bench.client.call("documents/page", place)
    #expect(page["pdfLabel"] == "x-ii" && page["label"] == "2 / 2")
    #expect(page["width"] == 612 && page["height"] == 792 && page["rotation"] == 0)
    #expect(page["bookmarked"] == true && page["memo"]?["text"] == "mind this")
    #expect(page["highlights"].list.map { $0["text"] } == ["the second line"])
    #expect(page["clock"] == 4)
    let first = try await bench.client.call("documents/page", ["id": id, "page": 0])
    #expect(first["bookmarked"] == false && first["memo"] == nil && first["highlights"] == [])
    #expect(
      bench.client.commits.map { $0["changes"]?[0]?["collection"].text } == [
        "documents", "bookmarks", "memos", "highlights",
      ])
    let beyond = try await bench.client.failure("documents/page", ["id": id, "page": 2])
    #expect(beyond?.code == -32602 && beyond?.data?["field"] == "page")
    await bench.stop()
  }

  @Test(
    "P18 P19 P22 P25 a second toggle removes only the lines already highlighted, and the others become one highlight")
  func toggle() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(Self.lines))
    let select: JSONValue = ["id": id, "page": 0, "from": ["x": 60, "y": 85], "to": ["x": 600, "y": 115]]
    let first = try await bench.client.call("documents/toggleHighlight", select)
    #expect(first["consumed"] == true && first["removed"] == [])
    let highlight = try #require(first["added"]?[0])
    #expect(highlight["text"] == "the first line\nthe second line")
    #expect(highlight["lines"].list.map { $0["text"] } == ["the first line", "the second line"])
    #expect(highlight["color"] == "#ffd60a" && highlight["id"] != nil && highlight["createdAt"] != nil)
    let second = try await bench.client.call(
      "documents/toggleHighlight", ["id": id, "page": 0, "from": ["x": 60, "y": 115], "to": ["x": 600, "y": 145]])
    #expect(second["added"].list.map { $0["text"] } == ["the third line"])
    #expect(second["removed"].list.map { $0["id"] } == [highlight["id"]])
    #expect(second["removed"]?[0]?["lines"].list.map { $0["text"] } == ["the second line"])
    let listed = try await bench.client.call("documents/highlights", ["id": id]).items
    #expect(listed.map { $0["text"] } == ["the first line", "the third line"])
    #expect(listed[0]["id"] == highlight["id"] && listed[0]["suffix"].text.hasPrefix("\nthe second line"))
    // One step of undo takes back both halves of the toggle.
    _ = try await bench.client.call("changes/undo")
    let back = try await bench.client.call("documents/highlights", ["id": id]).items
    #expect(back.map { $0["text"] } == ["the first line\nthe second line"])
    // Toggling all of it off leaves no empty record.
    let quads = highlight["lines"].list.map { $0["quad"]! }
    let off = try await bench.client.call("documents/toggleHighlight", ["id": id, "page": 0, "quads": .array(quads)])
    #expect(off["added"] == [])
    #expect(try await bench.client.call("documents/highlights", ["id": id]).items.isEmpty)
    await bench.stop()
  }

  @Test("P20 P21 the same line on three pages is highlighted only where it was selected, also after a restart")
  func repeated() async throws {
    let bench = try await DocumentBench()
    let sample = SamplePDF(pages: (0..<3).map { _ in .init(["a heading", "THE SAME LINE", "the same line"]) })
    let id = try await bench.id(of: sample)
    _ = try await bench.client.call("documents/toggleHighlight", ["id": id, "page": 1, "lines": ["the same line"]])
    func check(_ client: Client) async throws {
      for page in 0..<3 {
        let shown = try await client.call("documents/page", ["id": id, "page": json(page)])["highlights"].list
        #expect(shown.map { $0["text"] } == (page == 1 ? ["the same line"] : []))
        // The third line, not the second that differs in case only.
        if page == 1 { #expect((shown[0]["lines"]?[0]?["quad"]?.numbers[1] ?? 0) > 130) }
      }
    }
    try await check(bench.client)
    await bench.stop()
    let again = try await DocumentBench(in: bench.daemon.folder)
    try await check(again.client)
    await again.stop()
  }

  @Test("P21 a line that stands twice on a page is ambiguous, and the error carries the places, each of which will do")
  func ambiguous() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["again", "other", "again"]))
    let error = try await bench.client.failure("documents/toggleHighlight", ["id": id, "page": 0, "lines": ["again"]])
    #expect(error?.kind == "ambiguous" && error?.data?["field"] == "lines[0]")
    let places = try #require(error?.data?["places"]?.arrayValue)
    #expect(places.count == 2)
    #expect(places.map { $0["text"] } == ["again", "again"])
    #expect(places[0]["suffix"].text.hasPrefix("\nother") && places[1]["prefix"].text.hasSuffix("other\n"))
    let added = try await bench.client.call(
      "documents/toggleHighlight", ["id": id, "page": 0, "quads": places[1]["quads"]!])
    #expect(added["added"]?[0]?["lines"]?[0]?["quad"] == places[1]["quads"]?[0])
    let missing = try await bench.client.failure(
      "documents/toggleHighlight", ["id": id, "page": 0, "lines": ["absent"]])
    #expect(missing?.kind == "notFound" && missing?.data?["field"] == "lines[0]")
    let bad = try await bench.client.failure("documents/addHighlight", ["id": id, "page": 0, "quads": [[1, 2, 3]]])
    #expect(bad?.code == -32602)
    await bench.stop()
  }

  @Test(
    "P22 a highlight has an id of the client's own if wished; added or toggled again it is answered, not doubled or undone"
  )
  func ownIDs() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(Self.lines, Self.lines))
    for (number, method) in ["documents/addHighlight", "documents/toggleHighlight"].enumerated() {
      let own: JSONValue = .string("0192f0c1-2345-7abc-8def-00000000000\(number)")
      let params: JSONObject = [
        "id": id, "page": 0, "lines": [.string(Self.lines[number])], "highlight": own, "note": "n",
      ]
      let first = try await bench.client.call(method, .object(params))
      let again = try await bench.client.call(method, .object(params))
      #expect((first["added"]?[0] ?? first)["note"] == "n")
      #expect((again["added"]?[0] ?? again)["id"] == own && again["changed"] == false)
      var elsewhere = params
      elsewhere["page"] = 1
      #expect(try await bench.client.failure(method, .object(elsewhere))?.kind == "exists")
    }
    #expect(try await bench.client.call("documents/highlights", ["id": id])["total"] == 2)
    await bench.stop()
  }

  @Test("P19 lines named twice, quads that overlap and a note of null are taken as meant")
  func updates() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(Self.lines))
    let added = try await bench.client.call(
      "documents/addHighlight",
      ["id": id, "page": 0, "lines": ["the first line", "first"], "note": "why", "color": "#00ff00"])
    #expect(added["lines"].list.count == 1 && added["note"] == "why")
    let highlight = added["id"]!
    let red = try await bench.client.call("documents/updateHighlight", ["id": highlight, "color": "#ff0000"])
    #expect(red["color"] == "#ff0000" && red["note"] == "why")
    let bare = try await bench.client.call("documents/updateHighlight", ["id": highlight, "note": .null])
    #expect(bare["note"] == nil && bare["color"] == "#ff0000")
    let same = try await bench.client.call("documents/updateHighlight", ["id": highlight, "color": "#ff0000"])
    #expect(same["changed"] == false && same["revision"] == bare["revision"])
    for color in ["red", "#12", "#GGGGGG"] {
      let error = try await bench.client.failure(
        "documents/updateHighlight", ["id": highlight, "color": .string(color)])
      #expect(error?.code == -32602 && error?.data?["field"] == "color")
    }
    let stale = try await bench.client.failure(
      "documents/removeHighlight", ["id": highlight, "ifRevision": added["revision"]!])
    #expect(stale?.kind == "conflict" && stale?.data?["current"]?["color"] == "#ff0000")
    _ = try await bench.client.call("documents/removeHighlight", ["id": highlight])
    #expect(try await bench.client.call("documents/highlights", ["id": id]).items.isEmpty)
    await bench.stop()
  }

  @Test("who undoes the removal of a highlight is told which one is back, and in which document")
  func undone() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(2), title: "A paper")
    _ = try await bench.client.call("documents/toggleHighlight", ["id": id, "page": 0, "lines": ["page number 1"]])
    let mark = try await bench.client.call("documents/highlights", ["id": id]).items[0]
    _ = try await bench.client.call("documents/removeHighlight", ["id": mark.id])
    let undone = try await bench.client.call("changes/undo")
    #expect(undone["total"] == 1 && undone["label"] == "documents/removeHighlight")
    let item = undone.items[0]
    #expect(item["collection"] == "highlights" && item.id == mark.id && item["kind"] == "added")
    #expect(item["title"] == "A paper" && item["of"] == id && item["text"] == "page number 1")
    #expect(item["display"] == ["title": "A paper", "kind": "restored"])
    let gone = try await bench.client.call("changes/redo").items[0]
    #expect(gone.id == mark.id && gone["kind"] == "removed" && gone["title"] == "A paper")
    #expect(gone["text"] == "page number 1" && gone["display"]?["kind"] == "removed")
    // A document is told with its marks.
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("documents/remove", ["id": id])
    let all = try await bench.client.call("changes/undo")
    #expect(Set(all.items.map { $0["collection"].text }) == ["documents", "highlights"] && all["total"] == 2)
    #expect(all.items.allSatisfy { $0["title"] == "A paper" && $0["kind"] == "added" })
    await bench.stop()
  }

  @Test("an undo names a long highlight by its first 200 characters")
  func longUndone() async throws {
    let bench = try await DocumentBench()
    let lines = (1...6).map { "line \($0) of a paragraph that goes on and on" }
    let id = try await bench.id(of: SamplePDF(lines))
    let mark = try await bench.client.call(
      "documents/addHighlight", ["id": id, "page": 0, "lines": .array(lines.map(JSONValue.string))])
    let text = mark["text"].text
    #expect(text.unicodeScalars.count > 200)
    _ = try await bench.client.call("documents/removeHighlight", ["id": mark.id])
    #expect(try await bench.client.call("changes/undo").items[0]["text"] == .string(String(text.prefix(200))))
    await bench.stop()
  }

  @Test("P23 a memo is kept byte for byte, one a page; an empty text removes it, and stale writes are refused")
  func memos() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(3))
    let text = "line\r\n\t각 e\u{301} \u{1F600}  "
    let params: JSONObject = ["id": id, "page": 1, "text": .string(text)]
    let memo = try #require(try await bench.client.call("documents/setMemo", .object(params))["memo"])
    #expect(Array(memo["text"].text.utf8) == Array(text.utf8))
    #expect(memo["display"]?["title"] == "Page 2 Memo")
    #expect(try await bench.client.call("documents/setMemo", .object(params))["changed"] == false)
    var composed = params
    composed["text"] = .string(text.precomposedStringWithCanonicalMapping)
    #expect(
      try await bench.client.call("documents/setMemo", .object(composed))["changed"] == nil,
      "other bytes are another text")
    composed["ifRevision"] = memo["revision"]
    #expect(try await bench.client.failure("documents/setMemo", .object(composed))?.kind == "conflict")
    let removed = try await bench.client.call("documents/setMemo", ["id": id, "page": 1, "text": ""])
    #expect(removed["removed"] == memo["id"])
    #expect(try await bench.client.call("documents/memos", ["id": id]).items.isEmpty)
    #expect(try await bench.client.failure("documents/setMemo", .object(composed))?.kind == "conflict", "it is gone")
    #expect(try await bench.client.call("documents/page", ["id": id, "page": 1])["memo"] == nil)
    // Revision 0 is that of no memo.
    composed["ifRevision"] = 0
    #expect(try await bench.client.call("documents/setMemo", .object(composed))["memo"]?["text"] == composed["text"])
    #expect(try await bench.client.failure("documents/setMemo", .object(composed))?.kind == "conflict")
    await bench.stop()
  }

  @Test("P31 P32 P34 what one client marks all others are told in order, with the revision that they then read")
  func told() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(5))
    let other = try await bench.daemon.client(name: "other")
    for page in 0..<5 { _ = try await bench.client.call("documents/toggleBookmark", ["id": id, "page": json(page)]) }
    _ = try await other.call("session/sync")
    let changes = other.commits.flatMap { $0["changes"].list }
    let listed = try await other.call("documents/bookmarks", ["id": id]).items
    #expect(changes.map { $0["id"] } == listed.map { $0["id"] })
    #expect(changes.map { $0["revision"] } == listed.map { $0["revision"] })
    // A failure is the reply to its own request, between the replies around it.
    let before = bench.client.send("documents/toggleBookmark", ["id": id, "page": 0])
    let failed = bench.client.send("documents/toggleBookmark", ["id": id, "page": 99])
    let after = bench.client.send("documents/toggleBookmark", ["id": id, "page": 1])
    #expect(try await before.value()["bookmarked"] == false)
    #expect(try await failed.failure()?.code == -32602)
    #expect(try await after.value()["bookmarked"] == false)
    await bench.stop()
  }

  @Test("P19 a selection of which a highlight covers less than half leaves that highlight alone")
  func grazed() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(Self.lines))
    let word = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["second"]])
    let marked = try #require(word["id"])
    let grazing = try await bench.client.call(
      "documents/toggleHighlight", ["id": id, "page": 0, "lines": ["the second line"]])
    #expect(grazing["removed"] == [] && grazing["added"].list.count == 1, "\(grazing)")
    #expect(try await bench.client.call("documents/highlights", ["id": id]).items.contains { $0["id"] == marked })
    let covering = try await bench.client.call(
      "documents/toggleHighlight", ["id": id, "page": 0, "lines": ["second"]])
    #expect(covering["removed"].list.contains { $0["id"] == marked }, "\(covering)")
    await bench.stop()
  }
}
