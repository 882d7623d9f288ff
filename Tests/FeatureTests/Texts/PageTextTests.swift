import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Texts: pages") struct PageTextTests {
  private func bench(in folder: TemporaryFolder) async throws -> TextBench {
    // No test may fail because the machine is busy.
    let daemon = try await TestDaemon.started(in: folder) { $0.workers.timeout = .seconds(60) }
    return TextBench(daemon, try await daemon.client())
  }

  private func page(of id: String, _ bench: TextBench) async throws -> String {
    let reply = try await bench.client.call(
      "text/open", ["uri": .string("commonplace:///text/documents/\(id)/page/0.md")])
    #expect(reply["readOnly"] == true)
    return reply["text"].text
  }

  @Test("a page without text says that it is a picture, and one of a protected document that it needs the password")
  func unreadable() async throws {
    let folder = TemporaryFolder()
    let first = try await bench(in: folder)
    let picture = SamplePDF(pages: [SamplePDF.Page([])])
    _ = try await first.client.call(
      "documents/add", ["id": "picture", "title": "A picture", "data": .string(picture.base64)])
    _ = try await first.client.indexed("picture")
    #expect(
      try await page(of: "picture", first)
        == "# A picture · 1 / 1\n\nThis page has no text; it is probably a picture.\n")
    let locked = Data(SamplePDF.locked).base64EncodedString()
    _ = try await first.client.call(
      "documents/add", ["id": "locked", "title": "A secret", "data": .string(locked), "password": "open"])
    _ = try await first.client.call("documents/text", ["id": "locked", "page": 0])
    #expect(try await page(of: "locked", first).contains("secret words"))
    await first.stop()

    // The next daemon does not know the password.
    let again = try await bench(in: folder)
    let text = try await page(of: "locked", again)
    #expect(text.hasPrefix("# A secret · 1 / ") && text.contains("password") && !text.contains("secret words"))
    _ = try await again.client.call("documents/text", ["id": "locked", "page": 0, "password": "open"])
    #expect(try await page(of: "locked", again).contains("secret words"))
    await again.stop()
  }
}
