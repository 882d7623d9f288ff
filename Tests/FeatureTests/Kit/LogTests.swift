import Contract
import TestSupport
import Testing
import Wire

@Suite("Changes: the log for people") struct LogTests {
  @Test("a commit says when it was made, what it was about, and what took it back, in the client's language")
  func log() async throws {
    let bench = try await ProjectBench()
    try await bench.add("Rent", id: "a", ["recurrence": ["rule": "FREQ=MONTHLY"]])
    _ = try await bench.client.call("diary/add", ["id": "e", "text": "\n# Rain\nAll day."])
    try await bench.move("a", to: "done")
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("diary/remove", ["id": "e"])
    func log() async throws -> [JSONValue] { try await bench.client.call("changes/log").items }
    func told(_ field: String) async throws -> [String] { try await log().map { ($0["display"]?[field]).text } }
    let labels = try await log().map { $0["label"].text }
    #expect(labels == ["diary/remove", "projects/move", "projects/move", "diary/add", "projects/add"])
    // The card and the one that came next are two; what is gone is called as it was.
    #expect(try await told("title") == ["# Rain", "Rent and 1 other", "Rent and 1 other", "# Rain", "Rent"])
    let clocks = try await log().compactMap { $0["clock"]?.integerValue }
    try #require(clocks.count == 5)
    #expect(try await told("undo") == ["", "undo of \(clocks[2])", "undone by \(clocks[1])", "", ""])
    let days = try await Set(told("day"))
    let times = try await Set(told("dayTime"))
    #expect(days == ["today"] && times == ["3:04\u{202F}AM"])
    _ = try await bench.client.call("session/configure", ["locale": "ko-KR"])
    #expect(try await told("title")[1] == "Rent 외 1개")
    #expect(try await Set(told("day")) == ["오늘"])
    await bench.stop()
  }

  @Test("a redo is told from an undo, and so is what took back which of them")
  func redo() async throws {
    let bench = try await ProjectBench()
    try await bench.add("Rent", id: "a")
    try await bench.move("a", to: "done")
    func told() async throws -> [(clock: String, undo: String)] {
      try await bench.client.call("changes/log").items.map {
        ("\($0["clock"]?.integerValue ?? 0)", ($0["display"]?["undo"]).text)
      }
    }
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("changes/redo")
    var log = try await told()
    try #require(log.count == 4)
    #expect(
      log.map(\.undo) == ["redo of \(log[1].clock)", "redone by \(log[0].clock)", "undone by \(log[1].clock)", ""])
    // What was brought back can be undone once more.
    _ = try await bench.client.call("changes/undo")
    log = try await told()
    try #require(log.count == 5)
    #expect(log.map(\.undo).prefix(2) == ["undo of \(log[1].clock)", "undone by \(log[0].clock)"])
    let actions = try await bench.client.call("changes/log").items.map { $0["action"]?.text }
    #expect(actions == ["undo", "redo", "undo", nil, nil])
    _ = try await bench.client.call("session/configure", ["locale": "ko-KR"])
    #expect(try await told().map(\.undo)[2] == "\(log[1].clock)에서 다시 실행됨")
    await bench.stop()
  }

  @Test("a commit that marked a document is told by the document")
  func marks() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(2), title: "A paper")
    _ = try await bench.client.call("documents/toggleBookmark", ["id": id, "page": 1])
    let log = try await bench.client.call("changes/log").items
    #expect(log.first?["label"] == "documents/toggleBookmark" && log.first?["display"]?["title"] == "A paper")
    await bench.stop()
  }
}
