import Client
import TestSupport
import Testing
import Wire

/// On Saturday, 21 November 2026.
@Suite("Projects: a card in one line") struct QuickLineTests {
  @Test(
    "a line is taken apart into title, day, time, tags and priority, and the reply says what was read as what",
    arguments: [
      (
        "Pay rent tomorrow 9am #home !1", "Pay rent", "2026-11-22", "09:00", ["home"], 1,
        ["tags #home", "priority !1", "deadline tomorrow 9am"]
      ),
      ("Call Ann at 5:30 pm", "Call Ann", "2026-11-21", "17:30", [], nil, ["deadline at 5:30 pm"]),
      ("Call Ann next friday at noon", "Call Ann", "2026-11-27", "12:00", [], nil, ["deadline next friday at noon"]),
      (
        "#a Water !9 the figs #b", "Water the figs", "2026-11-21", nil, ["a", "b"], 9,
        ["tags #a", "priority !9", "tags #b"]
      ),
      ("내일 오후 6시 30분 장보기 #집", "장보기", "2026-11-22", "18:30", ["집"], nil, ["tags #집", "deadline 내일 오후 6시 30분"]),
      ("Read 1984", "Read 1984", "2026-11-21", nil, [], nil, []),
      ("Watch Black \\Friday", "Watch Black Friday", "2026-11-21", nil, [], nil, []),
      ("Clean \\#channel", "Clean #channel", "2026-11-21", nil, [], nil, []),
      ("tomorrow", "tomorrow", "2026-11-21", nil, [], nil, []),
      ("#home !1", "#home !1", "2026-11-21", nil, [], nil, []),
      ("2026-12-24 Wrap  the  gifts", "Wrap the gifts", "2026-12-24", nil, [], nil, ["deadline 2026-12-24"]),
    ] as [(String, String, String, String?, [String], Int64?, [String])])
  func read(
    _ line: String, _ title: String, _ day: String, _ time: String?, _ tags: [String], _ priority: Int64?,
    _ parts: [String]
  ) async throws {
    let bench = try await ProjectBench()
    let card = try await bench.client.call("projects/add", ["line": .string(line)])
    #expect(card["title"] == .string(title) && card["deadline"] == .string(day), "\(card)")
    #expect(
      card["time"] == time.map(JSONValue.string) && card["priority"] == priority.map(JSONValue.integer), "\(card)")
    #expect(card["tags"].list.map(\.text) == tags)
    #expect(card["understood"].list.map { "\($0["field"].text) \($0["text"].text)" } == parts)
    #expect(try await bench.get(card.id.text)["understood"] == nil)
    await bench.stop()
  }

  @Test("a field that is given apart is not read from the line, and a line that no card can have adds nothing")
  func apart() async throws {
    let bench = try await ProjectBench()
    let card = try await bench.client.call(
      "projects/add", ["line": "Plan for tomorrow #b !2", "deadline": "2026-12-01", "tags": ["a"]])
    #expect(card["title"] == "Plan for tomorrow #b" && card["deadline"] == "2026-12-01" && card["tags"] == ["a"])
    #expect(card["priority"] == 2)
    let free = try await bench.client.call("projects/add", ["line": "Some day tomorrow", "deadline": .null])
    #expect(free["title"] == "Some day tomorrow" && free["deadline"] == nil)
    let long = "#" + String(repeating: "x", count: 101)
    for params: JSONValue in [
      [:], ["line": "x", "title": "y"], ["line": ""], ["line": " \n "], ["line": .string("x " + long)],
      ["line": .string(String(repeating: "x", count: 1_001))],
    ] {
      #expect(try await bench.client.failure("projects/add", params)?.code == -32602, "\(params)")
    }
    #expect(try await bench.client.call("projects/list")["total"] == 2)
    await bench.stop()
  }

  @Test("a dry run says what a line means, and adds nothing")
  func dryRun() async throws {
    let bench = try await ProjectBench()
    let card = try await bench.client.call(
      "projects/add", ["line": "Pay rent tomorrow 9am #home !1", "dryRun": true])
    #expect(card["title"] == "Pay rent" && card["time"] == "09:00" && card["understood"].list.count == 3)
    #expect(try await bench.client.call("projects/list")["total"] == 0)
    await bench.stop()
  }
}
