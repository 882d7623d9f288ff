import Client
import Foundation
import TestSupport
import Testing
import Wire

/// Marks of places, and of text in other ways than by highlighting.
@Suite("Documents: notes, areas, drawings and underlines") struct PlacedMarksTests {
  private static let lines = ["first line here", "second line", "a third line of words"]
  /// Around the second line and no other.
  private static let area: JSONValue = ["x": 60, "y": 102, "width": 200, "height": 28]
  private static let stroke: JSONValue = [300, 400, 310, 405, 320, 400, 330, 420]

  private let bench: DocumentBench
  private let id: JSONValue

  init() async throws {
    bench = try await DocumentBench()
    id = try await bench.id(of: SamplePDF(pages: [.init(Self.lines)]), title: "Marked")
  }

  private func mark(_ place: JSONObject, in bench: DocumentBench? = nil, id: JSONValue? = nil) async throws -> JSONValue
  {
    var params = place
    params["id"] = id ?? self.id
    params["page"] = 0
    return try await (bench ?? self.bench).client.call("documents/addMark", .object(params))
  }

  private func marks(_ params: JSONObject = [:]) async throws -> [JSONValue] {
    var params = params
    params["id"] = id
    return try await bench.client.call("documents/highlights", .object(params)).items
  }

  @Test("a note, an area and a drawing have a place and the text in it or beside it, and are listed, found and undone")
  func made() async throws {
    let note = try await mark(["point": ["x": 262, "y": 40], "note": "Compare"])
    #expect(note["kind"] == "note" && note["note"] == "Compare" && note["lines"] == [])
    #expect(note["quad"]?.numbers == [262, 40, 282, 40, 282, 60, 262, 60])
    #expect(note["text"] == "first line here" && note["color"] == "#ffd60a")
    let area = try await mark(["area": Self.area, "color": "#0000ff"])
    #expect(area["kind"] == "area" && area["text"] == "second line" && area["quad"]?.numbers.first == 60)
    // The points that are on the line between their neighbours are left out.
    let ink = try await mark(["strokes": [Self.stroke, [500, 500, 510, 510, 520, 520.1, 530, 530]]])
    #expect(ink["kind"] == "ink" && ink["strokes"].list.count == 2)
    #expect(ink["strokes"]?[0]?.numbers == Self.stroke.numbers)
    #expect(ink["strokes"]?[1]?.numbers == [500, 500, 530, 530])
    #expect(ink["quad"]?.numbers == [299, 399, 531, 399, 531, 531, 299, 531])

    #expect(try await marks().count == 3)
    #expect(try await marks(["kind": "area"]).map { $0["id"] } == [area["id"]])
    #expect(try await marks(["query": "compare"]).map { $0["id"] } == [note["id"]])
    #expect(try await marks(["query": "second"]).map { $0["id"] } == [area["id"]])
    let page = try await bench.client.call("documents/page", ["id": id, "page": 0])
    #expect(page["highlights"].list.count == 3)
    for _ in 0..<3 { _ = try await bench.client.call("changes/undo") }
    #expect(try await marks().isEmpty)
    await bench.stop()
  }

  @Test("an area has its picture, as the page shows it without marks, also when the mark was removed and restored")
  func picture() async throws {
    _ = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["second line"]])
    let area = try await mark(["area": Self.area])
    let picture = try await bench.client.call("documents/markPicture", ["id": area["id"]!, "inline": true])
    #expect(picture["hash"] == area["picture"])
    let bytes = [UInt8](try #require(Data(base64Encoded: picture["data"].text)))
    #expect(try Data(contentsOf: URL(filePath: picture["path"].text)) == Data(bytes))
    let region = try await bench.client.call(
      "documents/render", ["id": id, "page": 0, "scale": 2, "region": Self.area, "marks": false])
    #expect(try Raster(png: bytes) == Raster(png: [UInt8](Data(contentsOf: URL(filePath: region["path"].text)))))

    _ = try await bench.client.call("documents/removeHighlight", ["id": area["id"]!])
    #expect(try await bench.client.call("changes/removed").items.first?["text"] == "second line")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("documents/markPicture", ["id": area["id"]!])["hash"] == area["picture"])
    // In Markdown only if it is asked for.
    for pictures in [true, false] {
      let reply = try await bench.client.call(
        "documents/export", ["id": id, "format": "markdown", "inline": true, "pictures": .bool(pictures)])
      let text = String(decoding: try #require(Data(base64Encoded: reply["data"].text)), as: UTF8.self)
      #expect(text.contains("![](data:image/png;base64,\(picture["data"].text))\n\n> second line") == pictures)
    }
    let note = try await mark(["point": ["x": 10, "y": 10]])
    #expect(try await bench.client.failure("documents/markPicture", ["id": note["id"]!])?.kind == "notFound")
    #expect(try await bench.client.call("library/check")["findings"].list.isEmpty)
    await bench.stop()
  }

  @Test("text is underlined and struck out beside its highlight; each is toggled alone, and one becomes another")
  func text() async throws {
    let selection: JSONObject = ["id": id, "page": 0, "lines": ["second line"]]
    func toggle(_ kind: JSONValue) async throws -> JSONValue {
      var params = selection
      params["kind"] = kind
      return try await bench.client.call("documents/toggleHighlight", .object(params))
    }
    for kind in ["highlight", "underline", "strikeOut", "squiggly"] as [JSONValue] {
      let added = try await toggle(kind)["added"].list
      #expect(added.count == 1 && added[0]["kind"] == kind && added[0]["text"] == "second line")
    }
    let removed = try await toggle("underline")
    #expect(removed["added"] == [] && removed["removed"].list.count == 1)
    #expect(Set(try await marks().map { $0["kind"].text }) == ["highlight", "strikeOut", "squiggly"])
    let struck = try #require(try await marks(["kind": "strikeOut"]).first)
    let changed = try await bench.client.call(
      "documents/updateHighlight", ["id": struck["id"]!, "kind": "underline", "note": "Less"])
    #expect(changed["kind"] == "underline" && changed["lines"] == struck["lines"])
    let note = try await mark(["point": ["x": 10, "y": 10]])
    let failure = try await bench.client.failure(
      "documents/updateHighlight", ["id": note["id"]!, "kind": "underline"])
    #expect(failure?.code == -32602)
    await bench.stop()
  }

  @Test(
    "a copy has every mark as its own annotation, and another library takes them back with their places",
    arguments: [0, 90, 180, 270])
  func copied(rotation: Int) async throws {
    let page = SamplePDF.Page(Self.lines, cropBox: [20, 30, 600, 770], rotation: rotation)
    let id = try await bench.id(of: SamplePDF(pages: [page]))
    var made: [JSONValue] = []
    made.append(try await mark(["point": ["x": 200, "y": 184], "note": "Compare"], id: id))
    made.append(try await mark(["area": ["x": 50, "y": 60, "width": 120, "height": 90]], id: id))
    made.append(try await mark(["strokes": [Self.stroke], "color": "#00ff00", "note": "Drawn"], id: id))
    made.append(
      try await bench.client.call(
        "documents/addHighlight", ["id": id, "page": 0, "lines": ["second line"], "kind": "underline"]))
    let path = bench.daemon.folder.file("copy.pdf")
    let params: JSONValue = ["id": id, "format": "pdf", "path": .string(path)]
    let report = try await bench.client.call("documents/export", params)
    #expect(report["added"] == 4 && report["unplaced"] == 0)

    let other = try await DocumentBench()
    let copy = try await other.client.call("documents/add", ["path": .string(path)])
    #expect(copy["repaired"] != true)
    #expect(try await other.client.call("documents/importMarks", ["id": copy["id"]!])["added"] == 4)
    let found = try await other.client.call("documents/highlights", ["id": copy["id"]!]).items
    for mark in made {
      let same = try #require(found.first { $0["id"] == mark["id"] })
      for member in ["kind", "color", "note", "text", "lines"] { #expect(same[member] == mark[member], "\(same)") }
      let places = [same, mark].map { ($0["quad"]?.numbers ?? []) + ($0["strokes"]?[0]?.numbers ?? []) }
      #expect(places[0].count == places[1].count)
      #expect(zip(places[0], places[1]).allSatisfy { abs($0 - $1) < 0.1 }, "\(places)")
    }
    // The copy of the copy has nothing new, and a drawing in another color is drawn in it.
    #expect(try await other.client.call("documents/importMarks", ["id": copy["id"]!])["known"] == 4)
    let drawing = try #require(found.first { $0["kind"] == "ink" })
    _ = try await other.client.call("documents/updateHighlight", ["id": drawing["id"]!, "color": "#ff0000"])
    let next: JSONValue = ["id": copy["id"]!, "format": "pdf", "path": .string(path + "2")]
    let again = try await other.client.call("documents/export", next)
    #expect(again["added"] == 0 && again["changed"] == 1 && again["present"] == 4)
    await other.stop()
    await bench.stop()
  }

  @Test("in other bytes a mark moves with its text, is fuzzy where that is broken otherwise, and else an orphan")
  func refreshed() async throws {
    let note = try await mark(["point": ["x": 262, "y": 40]])
    let area = try await mark(["area": Self.area])
    let ink = try await mark(["strokes": [[80, 140, 200, 150]]])
    func refresh(_ sample: SamplePDF) async throws -> [String: String] {
      try await bench.client.call("documents/refresh", ["id": id, "data": .string(sample.base64)]).outcomes
    }
    // A hundred points lower, on the second page.
    let moved = try await refresh(SamplePDF(pages: [.init(["A new page"]), .init(Self.lines, origin: (72, 600))]))
    #expect([note, area, ink].map { moved[$0.id.text] } == ["moved 1", "moved 1", "moved 1"])
    for mark in [note, area, ink] {
      let now = try #require(try await marks().first { $0["id"] == mark["id"] })
      let (old, new) = (try #require(mark["quad"]?.numbers), try #require(now["quad"]?.numbers))
      #expect(abs(new[0] - old[0]) < 0.5 && abs(new[1] - old[1] - 100) < 0.5, "\(now)")
      #expect(now["text"] == mark["text"] && now["picture"] == mark["picture"])
    }
    let lost = try await refresh(SamplePDF(pages: [.init(["first line here", "quite another text", "and one more"])]))
    // The note's short line has other text around it: it may be another one.
    #expect([note, area, ink].map { lost[$0.id.text] } == ["orphan", "orphan", "orphan"])
    let orphan = try #require(try await marks().first { $0["id"] == area["id"] })
    #expect(orphan["state"] == "orphan" && orphan["text"] == "second line")
    #expect(try await bench.client.call("documents/markPicture", ["id": area["id"]!])["hash"] == area["picture"])

    // By hand to a point, not to lines of text.
    let lines: JSONValue = ["id": area["id"]!, "page": 0, "lines": ["and one more"]]
    #expect(try await bench.client.failure("documents/placeHighlight", lines)?.code == -32602)
    let beside: JSONValue = ["id": area["id"]!, "page": 0, "point": ["x": 600, "y": 10]]
    #expect(try await bench.client.failure("documents/placeHighlight", beside)?.code == -32602)
    let placed = try await bench.client.call(
      "documents/placeHighlight", ["id": area["id"]!, "page": 0, "point": ["x": 60, "y": 132]])
    #expect(placed["state"] == nil && placed["quad"]?.numbers.prefix(2) == [60, 132])
    #expect(placed["text"] == "and one more" && placed["picture"] == area["picture"])
    let highlight = try await bench.client.call(
      "documents/addHighlight", ["id": id, "page": 0, "lines": ["and one more"]])
    let point: JSONValue = ["id": highlight["id"]!, "page": 0, "point": ["x": 60, "y": 132]]
    #expect(try await bench.client.failure("documents/placeHighlight", point)?.code == -32602)
    // All of it back.
    for _ in 0..<4 { _ = try await bench.client.call("changes/undo") }
    #expect(try await marks().map { $0["quad"] } == [note, area, ink].map { $0["quad"] })
    await bench.stop()
  }

  @Test("a mark on a page without text stays at its place in other bytes, and says how uncertain that is")
  func withoutText() async throws {
    func scan(_ content: String) -> SamplePDF { SamplePDF(pages: [.init(content: content), .init(["words"])]) }
    let id = try await bench.id(of: scan("100 100 200 200 re f"))
    let area = try await mark(["area": ["x": 100, "y": 400, "width": 50, "height": 60]], id: id)
    #expect(area["text"] == "" && area["kind"] == "area")
    let reply = try await bench.client.call(
      "documents/refresh", ["id": id, "data": .string(scan("100 100 210 200 re f").base64)])
    let report = try #require(reply["marks"].list.first)
    #expect(report["outcome"] == "fuzzy" && (report["score"]?.doubleValue ?? 1) < 0.9)
    let now = try await bench.client.call("documents/highlights", ["id": id]).items[0]
    #expect(now["quad"] == area["quad"] && now["picture"] == area["picture"])
    await bench.stop()
  }

  @Test("a place beside the page, numbers without end and two places at once are refused; a repeated id adds nothing")
  func refused() async throws {
    let wrong: [JSONObject] = [
      ["point": ["x": 700, "y": 10]], ["area": ["x": 620, "y": 10, "width": 5, "height": 5]],
      ["area": ["x": 10, "y": 10, "width": 0, "height": 5]], ["strokes": [[]]], ["strokes": [[1, 2, 3]]],
      ["strokes": []], ["strokes": [[1, 1e9]]], [:], ["point": ["x": 1, "y": 1], "strokes": [[1, 2, 3, 4]]],
      ["strokes": [.array(Array(repeating: 1, count: 30_000))]], ["point": ["x": 1, "y": 1], "color": "red"],
    ]
    for place in wrong {
      var params = place
      (params["id"], params["page"]) = (id, 0)
      #expect(try await bench.client.failure("documents/addMark", .object(params))?.code == -32602, "\(place)")
    }
    let absent: JSONValue = ["id": id, "page": 7, "point": ["x": 1, "y": 1]]
    #expect(try await bench.client.failure("documents/addMark", absent)?.code == -32602)
    for _ in 0..<2 { #expect(try await mark(["area": Self.area, "highlight": "mine"])["id"] == "mine") }
    #expect(try await marks().count == 1)
    let other = try await bench.id(of: SamplePDF(["another"]))
    let taken: JSONValue = ["id": other, "page": 0, "point": ["x": 1, "y": 1], "highlight": "mine"]
    #expect(try await bench.client.failure("documents/addMark", taken)?.kind == "exists")
    await bench.stop()
  }

  @Test("a protected document's area leaves no picture and no text on the disk")
  func protected() async throws {
    let data = JSONValue.string(Data(SamplePDF.locked).base64EncodedString())
    let id = try await bench.client.call("documents/add", ["data": data, "password": "open"])["id"]!
    let area = try await mark(["area": ["x": 0, "y": 0, "width": 600, "height": 700]], id: id)
    #expect(area["picture"] == nil && area["kind"] == "area")
    await bench.stop()
    let anchors = try KeepingTests.database(bench.daemon).read { try $0.text("SELECT anchor FROM highlight") }
    #expect(try JSONParser.parse(try #require(anchors))["quote"] == "")
  }
}
