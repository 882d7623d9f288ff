import Client
import TestSupport
import Testing
import Wire

@testable import System

@Suite("Clients that are known to be too old") struct KnownClientTests {
  private static let troubles = [
    KnownClients.Trouble(name: "editor", good: "1.10", text: "session.oldClient"),
    KnownClients.Trouble(name: "editor", good: "0.3", text: "session.oldClient"),
  ]

  @Test(
    "G26 a version is compared number by number, and one that is not told or not in figures is no trouble",
    arguments: [
      ("editor", "1.9.7", 1), ("Editor", "v1.9-dev+12", 1), ("editor", "0.2", 2), ("editor", "1.10", 0),
      ("editor", "1.10.0", 0), ("editor", "2", 0), ("other", "0.1", 0), ("editor", "nightly", 0), ("editor", "", 0),
      ("editor", nil, 0), (nil, "1.0", 0), ("editor", "99999999999999999999", 0),
    ] as [(String?, String?, Int)])
  func versions(name: String?, version: String?, count: Int) {
    let warnings = KnownClients.warnings(about: name, version, among: Self.troubles)
    #expect(warnings.count == count, "\(name ?? "none") \(version ?? "none")")
  }

  @Test("G26 initialize advises the people of a known-bad client to update it, in their language, and serves it")
  func initialize() async throws {
    let daemon = try await TestDaemon.started()
    for (version, locale, word) in [("0.5.1", "en-US", "update"), ("0.5.1", "ko-KR", "업데이트"), ("0.10.2", "en-US", nil)]
    {
      let client = try await Client.connect(socket: daemon.socket, record: false)
      let answer = try await client.call(
        "initialize",
        ["clientInfo": ["name": "Neovim", "version": .string(version)], "locale": .string(locale)])
      let warnings = answer["warnings"].list.map(\.text)
      if let word {
        #expect(warnings.count == 1 && warnings[0].contains(word) && warnings[0].contains("0.6.0"))
        #expect(warnings[0].contains("Neovim 0.5.1"))
      } else {
        #expect(warnings.isEmpty)
      }
      client.notify("initialized", [:])
      #expect(try await client.call("boards/list")["items"] == [])
    }
    await daemon.stop()
  }
}
