import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: pages") struct PagesTests {
  @Test("one call answers size, label and marks of all pages, as `documents/page` has them")
  func all() async throws {
    let bench = try await DocumentBench()
    var sample = SamplePDF.numbered(261)
    sample.labelPrefix = "T-"
    sample.pages[3].rotation = 90
    let id = try await bench.id(of: sample)
    for page in [1, 3, 260] {
      _ = try await bench.client.call("documents/setBookmark", ["id": id, "page": json(page), "bookmarked": true])
    }
    _ = try await bench.client.call("documents/setMemo", ["id": id, "page": 3, "text": "a memo"])
    for line in ["page", "number"] {
      _ = try await bench.client.call(
        "documents/addHighlight", ["id": id, "page": 3, "lines": [.string(line)]])
    }
    let pages = try await bench.client.call("documents/pages", ["id": id])
    #expect(pages.items.count == 261 && pages["total"] == 261 && pages["hasMore"] == false && pages["next"] == nil)
    #expect(pages.items.map { $0["page"] } == (0..<261).map { json($0) })
    #expect(pages.items.filter { $0["bookmarked"] == true }.map { $0["page"] } == [1, 3, 260])
    for number in [0, 3, 260] {
      let page = try await bench.client.call("documents/page", ["id": id, "page": json(number)])
      let summary = pages.items[number]
      for member in ["label", "pdfLabel", "width", "height", "rotation", "bookmarked"] {
        #expect(summary[member] == page[member], "\(member) of \(number)")
      }
      #expect(summary["highlightCount"] == json(page["highlights"].list.count))
      #expect(summary["hasMemo"] == .bool(page["memo"] != nil))
    }
    #expect(pages.items[3]["highlightCount"] == 2 && pages.items[3]["width"] == 792)
    #expect(pages.items[0]["label"] == "1 / 261" && pages.items[0]["pdfLabel"] == "T-i")
    await bench.stop()
  }

  @Test("pages come in ranges: from a page on, and part by part to the last")
  func ranges() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(7))
    let some = try await bench.client.call("documents/pages", ["id": id, "from": 2, "limit": 3])
    #expect(some.items.map { $0["page"] } == [2, 3, 4] && some["offset"] == 2 && some["total"] == 7)
    let rest = try await bench.client.call("documents/pages", ["id": id, "limit": 3, "after": some["next"] ?? .null])
    #expect(rest.items.map { $0["page"] } == [5, 6] && rest["offset"] == 5 && rest["next"] == nil)
    for (params, field): (JSONObject, JSONValue) in [
      (["from": 7], "from"), (["after": "7"], "after"), (["after": "x"], "after"), (["limit": 5_001], "limit"),
    ] {
      var params = params
      params["id"] = id
      let failure = try await bench.client.failure("documents/pages", .object(params))
      #expect(failure?.code == -32602 && failure?.data?["field"] == field, "\(params)")
    }
    let failure = try await bench.client.failure("documents/pages", ["id": "nowhere"])
    #expect(failure?.kind == "notFound")
    await bench.stop()
  }

  @Test("an orphan counts for its document and for no page")
  func orphans() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one line"]))
    _ = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["one line"]])
    let other = SamplePDF(["something else"])
    _ = try await bench.client.call("documents/refresh", ["id": id, "data": .string(other.base64)])
    #expect(try await bench.client.call("documents/pages", ["id": id]).items[0]["highlightCount"] == 0)
    #expect(try await bench.client.call("documents/get", ["id": id])["highlightCount"] == 1)
    await bench.stop()
  }

  @Test("no number in a reply about a document has the noise of binary fractions")
  func numbers() async throws {
    let bench = try await DocumentBench()
    var sample = SamplePDF(["One line of text.", "Another line."], ["More."])
    for page in sample.pages.indices { sample.pages[page].entries = "/CropBox[0.3 0.1 595.58 791.7]" }
    let id = try await bench.id(of: sample)
    let client = bench.client
    _ = try await client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["Another line."]])
    _ = try await client.call("documents/setPosition", ["id": id, "page": 0, "y": 0.1])
    let calls: [(String, JSONObject)] = [
      ("pages", [:]), ("page", ["page": 0]), ("get", [:]), ("highlights", [:]), ("find", ["text": "line"]),
      ("text", ["page": 0, "detail": "words"]), ("text", ["page": 0, "detail": "characters"]),
      ("text", ["page": 0, "detail": "reflow"]), ("links", ["page": 0]), ("outline", [:]), ("bookmarks", [:]),
      ("select", ["page": 0, "from": ["x": 73.3, "y": 60.1], "to": ["x": 300.7, "y": 130.9], "granularity": "line"]),
    ]
    for (name, params) in calls {
      var params = params
      params["id"] = id
      let reply = try await client.call("documents/\(name)", .object(params))
      #expect(!reply.fractions.isEmpty || ["links", "outline", "bookmarks"].contains(name), "\(name)")
      #expect(reply.fractions.filter { $0.fraction.count > 3 } == [], "\(name)")
    }
    let size = try await client.call("documents/pages", ["id": id]).items[0]
    #expect(size["width"] == 595.28 && size["height"] == 791.6, "\(size)")
    await bench.stop()
  }
}

extension JSONValue {
  /// The numbers in it that are not whole, as they are written.
  fileprivate var fractions: [Substring] {
    switch self {
    case .number: ["\(self)"[...]]
    case .array(let values): values.flatMap(\.fractions)
    case .object(let object): object.members.flatMap(\.value.fractions)
    default: []
    }
  }
}

extension Substring {
  /// The digits after the decimal point.
  fileprivate var fraction: Substring { split(separator: ".").dropFirst().first ?? "" }
}
