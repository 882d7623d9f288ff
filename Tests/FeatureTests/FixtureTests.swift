import Client
import Foundation
import TestSupport
import Testing
import Wire

/// Files that tests read. They are resources of the test target: what is built carries them along, so that they are found
/// wherever it runs and whatever folder is the current one.
enum Fixture {
  static func bytes(_ name: String) throws -> Data {
    guard let url = Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Fixtures") else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: name])
    }
    return try Data(contentsOf: url)
  }
}

@Suite("Fixtures") struct FixtureTests {
  @Test("G24 a fixture comes from the test's own bundle, whatever the sources' and the current folder are, and is used")
  func bundled() async throws {
    let folder = try #require(Bundle.module.resourceURL)
    #expect(
      folder.path.hasPrefix("/") && !folder.path.hasPrefix(URL(filePath: #filePath).deletingLastPathComponent().path))
    let bytes = try Fixture.bytes("euc-kr.xml")
    #expect(String(validating: bytes, as: UTF8.self) == nil)
    #expect(throws: CocoaError.self) { try Fixture.bytes("no such.xml") }
    let server = try ScriptedServer { _ in .answer(200, [("Content-Type", "text/xml")], body: bytes) }
    defer { server.stop() }
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    let source = try await client.call("boards/addSource", ["kind": "feed", "url": .string(server.origin + "/feed")])
    #expect(source["foundTitle"] == "독서 게시판")
    #expect(try await client.call("boards/posts").items.map { $0["title"] } == ["다음 모임 안내", "채식주의자를 읽고"])
    await daemon.stop()
  }
}
