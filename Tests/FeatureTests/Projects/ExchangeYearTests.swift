import Client
import TestSupport
import Testing
import Wire

/// Days of the year 0, and those that are in it, or in the year 10000, where their reader is.
@Suite("Projects: days outside the calendar's years") struct ExchangeYearTests {
  private static let calendar =
    "BEGIN:VCALENDAR\nVERSION:2.0\n"
    + [
      "DUE;VALUE=DATE:00000101", "DUE:00010101T000000Z", "DUE;TZID=Asia/Seoul:00010101T000000",
      "DTSTART;VALUE=DATE:99991230\nDURATION:P5D", "DTSTART;VALUE=DATE:00010102\nDURATION:-P5D",
      "DTSTART:99991231T230000Z\nDURATION:PT2H", "DTSTART:99991231T230000\nDURATION:PT2H",
    ].enumerated().map { "BEGIN:VTODO\nUID:\($0.offset)\nSUMMARY:t\($0.offset)\n\($0.element)\nEND:VTODO\n" }.joined()
    + "BEGIN:VTODO\nUID:9\nSUMMARY:t9\nDUE:99991231T235959Z\nEND:VTODO\nEND:VCALENDAR\n"

  private static let taskwarrior =
    "[\n"
    + ["00000101T000000Z", "00010101T000000Z", "99991231T235959Z"].enumerated().map {
      #"{"description":"t\#($0.offset)","due":"\#($0.element)","status":"pending","uuid":"3000000\#($0.offset)-0000-0000-0000-000000000000"}"#
    }.joined(separator: ",\n") + "\n]\n"

  private static let files: [(format: String, file: String, due: [String])] = [
    ("ics", calendar, ["t9 9999-12-31"]), ("taskwarrior", taskwarrior, ["t2 9999-12-31"]),
    ("todotxt", "t0 due:0000-01-01\n", []), ("markdown", "- [ ] t0 📅 0000-01-01\n", []),
    ("jsonl", #"{"id":"t0","title":"t0","state":"todo","deadline":"0000-01-01"}"# + "\n", []),
  ]

  @Test("a deadline in no year that there is comes as none, is told, and goes back as it was", arguments: files)
  func outside(format: String, file: String, due: [String]) async throws {
    let bench = try await ExchangeBench(timeZone: "America/New_York")
    let report = try await bench.take(file, as: format)
    let cards = try await bench.cards()
    #expect(report["added"]?.integerValue == Int64(cards.count) && report["skipped"] == 0, "\(report)")
    #expect(Set(report["notes"].list.map { $0["reason"].text }) == ["badDate"])
    #expect(report["notes"].list.count == cards.count - due.count, "\(report)")
    let dated = cards.filter { $0["deadline"] ?? .null != .null }
    #expect(dated.map { "\($0["title"].text) \($0["deadline"].text)" } == due, "\(cards)")
    if format == "taskwarrior" { #expect(try await bench.export(format) == file) }
    #expect(try await bench.take(file, as: format)["added"] == 0)
    await bench.stop()
  }

  @Test("a task that is due in the year 10000 where its reader is has no deadline there")
  func tooLate() async throws {
    let bench = try await ExchangeBench(timeZone: "Asia/Seoul")
    let report = try await bench.take(Self.taskwarrior, as: "taskwarrior")
    #expect(report["notes"].list.map { $0["title"] } == ["t0", "t2"], "\(report)")
    #expect(try await bench.card("t1")?["deadline"] == "0001-01-01")
    await bench.stop()
  }
}
