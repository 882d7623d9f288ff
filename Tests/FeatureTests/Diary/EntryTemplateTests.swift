import Client
import Contract
import TestSupport
import Testing
import Wire

/// On Saturday, 21 November 2026.
@Suite("Diary: templates") struct EntryTemplateTests {
  private static let template = """
    Morning pages

    # {weekday}, {date}
    {day} at {time}
    {prompt: What went well? | What was hard?}
    {unknown} {}
    """

  private func bench(_ name: String? = nil) async throws -> DiaryBench {
    let bench = try await DiaryBench { settings in settings.configure { $0.diary.template = name } }
    _ = try await bench.client.call("notes/add", ["id": "t", "text": .string(Self.template)])
    return bench
  }

  private func lines(_ entry: JSONValue) -> [String] { entry["text"].text.split(separator: "\n").map(String.init) }

  @Test(
    "an entry begins from a note below its title, with the date, the time and a prompt, and each day with the next",
    arguments: ["Morning pages", "morning PAGES", "t", "commonplace:/notes/t"])
  func filled(name: String) async throws {
    let bench = try await bench()
    let first = try await bench.client.call("diary/add", ["template": .string(name)])
    #expect(
      lines(first).map { $0.replacing("\u{202F}", with: " ") } == [
        "# Saturday, Nov 21, 2026", "2026-11-21 at 3:04 AM", lines(first)[2], "{unknown} {}",
      ])
    #expect(first["text"].text.hasPrefix("#"))
    #expect(first["saved"] == true && first["title"] == "# Saturday, Nov 21, 2026")
    let second = try await bench.client.call("diary/add", ["template": .string(name), "day": "2026-11-20"])
    #expect(lines(second)[0] == "# Friday, Nov 20, 2026" && second["day"] == "2026-11-20")
    #expect(Set([lines(first)[2], lines(second)[2]]) == ["What went well?", "What was hard?"])
    await bench.stop()
  }

  @Test("without a name the template is that of the configuration; a dry run has its text and adds nothing")
  func usual() async throws {
    let bench = try await bench("Morning pages")
    let dry = try await bench.client.call("diary/add", ["template": "", "dryRun": true])
    #expect(lines(dry)[0] == "# Saturday, Nov 21, 2026", "\(dry)")
    #expect(try await bench.client.call("diary/list")["total"] == 0)
    let added = try await bench.client.call("diary/add", ["id": "e", "template": "", "tags": ["morning"]])
    #expect(added["tags"] == ["morning"])
    bench.daemon.clock.advance(milliseconds: 120_000)
    // The same request again is answered with the entry that is there, although the time is another.
    #expect(try await bench.client.call("diary/add", ["id": "e", "template": ""])["text"] == added["text"])
    await bench.stop()
  }

  @Test("a template that is not there, not set or not alone adds nothing, and the error says so")
  func refused() async throws {
    let bench = try await bench()
    func kind(_ params: JSONValue) async throws -> String? {
      try await bench.client.failure("diary/add", params)?.kind
    }
    #expect(try await kind(["template": ""]) == "notFound")
    #expect(try await kind(["template": "Evening pages"]) == "notFound")
    _ = try await bench.client.call("notes/add", ["text": "Morning pages\nOther ones."])
    #expect(try await kind(["template": "Morning pages"]) == "ambiguous")
    for params: JSONValue in [["template": "t", "text": "x"], ["template": "t", "body": "x"]] {
      #expect(try await bench.client.failure("diary/add", params)?.code == -32602, "\(params)")
    }
    #expect(try await bench.client.call("diary/list")["total"] == 0)
    await bench.stop()
  }
}
