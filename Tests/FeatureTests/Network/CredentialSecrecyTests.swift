import Client
import Contract
import Daemon
import Features
import Foundation
import HTTP
import Kit
import Store
import TestSupport
import Testing
import Wire

/// A feature that asks a service as somebody, as boards do.
private enum AskFeature {
  static let feature = Feature(name: "ask", routes: [Route(Ask.self)])

  enum Ask: ExternalReadMethod {
    static let name = "ask/service"
    static let summary = "Asks a service."
    static let effects: Effects = .network

    struct Params: Payload {
      var url: String
      var credential: String
      static let example = Params(url: "http://127.0.0.1:9/", credential: "work")
      static let fields = ["url": "Where.", "credential": "As whom."]
    }
    struct Result: Payload {
      var text: String
      static let example = Result(text: "fine")
      static let fields = ["text": "The answer."]
    }

    static func prepare(_ params: Params, in snapshot: Snapshot) -> Params { params }

    static func fetch(_ plan: Params, with services: Services, progress: Kit.Progress) async throws -> String {
      guard let origin = Origin(plan.url) else { throw RPCError(HTTPFailure.invalidURL(reason: "urlScheme")) }
      let secret = try await services.credentials.secret(named: plan.credential, for: origin)
      do throws(HTTPFailure) {
        let response = try await services.http.get(
          HTTPRequest(
            url: plan.url, credentials: ["Authorization": "Bearer \(secret.value)"], secretQuery: ("key", secret)))
        try response.requireSuccess()
        return String(decoding: response.body, as: UTF8.self)
      } catch {
        throw RPCError(error)
      }
    }

    static func finish(_ fetched: String, of plan: Params, in snapshot: Snapshot) -> Result { Result(text: fetched) }
  }
}

@Suite("Credentials in use") struct CredentialSecrecyTests {
  private static let token = "hunter2-q7Xw"

  @Test("M31 a credential of config.toml reaches its origin, and its secret is in no file, log, trace, export or error")
  func secrecy() async throws {
    let server = try ScriptedServer { request in
      switch request.path {
      case "/refused": .text("no", status: 401)
      case "/broken": .closing
      case "/moved": .redirect(to: "/refused?\(request.target.drop { $0 != "?" }.dropFirst())")
      default: .text("fine")
      }
    }
    defer { server.stop() }
    let other = try ScriptedServer { _ in .text("other") }
    defer { other.stop() }
    let secrets = TemporaryFolder()
    try Data((Self.token + "\n").utf8).write(to: URL(filePath: secrets.file("token")))
    #expect(chmod(secrets.file("token"), 0o600) == 0)
    let configuration = try Configuration(
      toml: Array("[credentials.work]\norigin = \"\(server.origin)\"\nfile = \"\(secrets.file("token"))\"\n".utf8))
    let daemon = try await TestDaemon(features: AllFeatures.features + [AskFeature.feature]) {
      $0.credentials = SecretCache { configuration.credentials }.credentials
    }
    let client = try await daemon.client()
    client.notify("$/setTrace", ["value": "verbose"])
    func ask(_ url: String) async throws -> RemoteError? {
      try await client.failure("ask/service", ["url": .string(url), "credential": "work"])
    }
    #expect(try await ask(server.origin + "/fine") == nil)
    #expect(server.requests.last?["Authorization"] == "Bearer \(Self.token)")
    #expect(server.requests.last?.query["key"] == Self.token)
    var errors: [RemoteError?] = []
    for path in ["/refused", "/broken", "/moved"] { errors.append(try await ask(server.origin + path)) }
    #expect(errors.map { $0?.kind } == ["unauthorized", "unreachable", "unauthorized"])
    // Another origin gets nothing, not even a request.
    let refusal = try await ask(other.origin)
    #expect(refusal?.kind == "unauthorized" && other.requests.isEmpty)
    _ = try await client.call("library/export", ["path": .string(daemon.folder.file("export"))])
    _ = try await client.call("session/status")

    let heard = client.received.map { "\($0)" } + errors.map { "\(String(describing: $0))" } + daemon.logLines
    #expect(!heard.joined().contains(Self.token))
    #expect(daemon.logLines.contains { $0.contains("key=***") || $0.contains("/fine") })
    await daemon.stop()
    let files = FileManager.default.enumerator(atPath: daemon.folder.path)?.compactMap { $0 as? String } ?? []
    #expect(files.count > 3)
    for file in files {
      let bytes = FileManager.default.contents(atPath: daemon.folder.file(file)) ?? Data()
      #expect(bytes.firstRange(of: Data(Self.token.utf8)) == nil, "\(file)")
    }
  }
}
