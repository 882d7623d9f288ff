import Client
import Daemon
import Foundation
import TestSupport
import Testing
import Wire

/// Passwords that lie where config.toml says.
@Suite("Documents: credentials as passwords") struct DocumentCredentialTests {
  @Test("a named credential opens a document after every restart; one for another origin or of no name does not")
  func credential() async throws {
    let secrets = TemporaryFolder()
    for (name, text) in [("right", "open\n"), ("wrong", "guess\n")] {
      try Data(text.utf8).write(to: URL(filePath: secrets.file(name)))
      #expect(chmod(secrets.file(name), 0o600) == 0)
    }
    func definition(_ name: String, _ origin: String, _ file: String) -> String {
      "[credentials.\(name)]\norigin = \"\(origin)\"\nfile = \"\(secrets.file(file))\"\n"
    }
    let text =
      definition("tax", "http://localhost", "right") + definition("stale", "http://localhost", "wrong")
      + definition("work", "https://example.org", "right")
    let configuration = try Configuration(toml: Array(text.utf8))
    func start(_ folder: TemporaryFolder) async throws -> DocumentBench {
      try await DocumentBench(in: folder) { $0.credentials = SecretCache { configuration.credentials }.credentials }
    }
    let folder = TemporaryFolder()
    let bench = try await start(folder)
    let data = JSONValue.string(Data(SamplePDF.locked).base64EncodedString())
    for (name, kind) in [("none", "unauthorized"), ("work", "unauthorized"), ("stale", "passwordRequired")] {
      let failure = try await bench.client.failure("documents/add", ["data": data, "credential": .string(name)])
      #expect(failure?.kind == kind, "\(name)")
      #expect(failure?.message.contains("guess") == false)
    }
    let added = try await bench.client.call("documents/add", ["data": data, "credential": "tax"])
    let id = added["id"]!
    #expect(added["isProtected"] == true && added["credential"] == "tax")
    await bench.stop()

    let again = try await start(folder)
    #expect(
      try await again.client.call("documents/text", ["id": id, "page": 0])["text"].text.hasPrefix("secret words"))
    _ = try await again.client.call("documents/update", ["id": id, "credential": .null])
    await again.stop()
    let without = try await start(folder)
    for (method, more) in [
      ("text", ["page": 0]), ("render", ["page": 0, "width": 100]), ("metadata", [:]), ("outline", [:]),
    ] as [(String, JSONObject)] {
      var params = more
      params["id"] = id
      #expect(try await without.client.failure("documents/\(method)", .object(params))?.kind == "passwordRequired")
    }
    _ = try await without.client.call("documents/update", ["id": id, "credential": "tax"])
    _ = try await without.client.call("documents/render", ["id": id, "page": 0, "width": 100])
    _ = try await without.client.call("documents/metadata", ["id": id])
    await without.stop()
  }
}
