import Foundation
import TestSupport
import Testing

@testable import HTTP

@Suite("requests with a method and a body", .timeLimit(.minutes(10)))
struct MethodTests {
  private static func request(
    _ server: ScriptedServer, _ method: HTTPMethod, _ body: [UInt8] = [], isOfFile: Bool = false
  ) -> HTTPRequest {
    var request = HTTPRequest(url: server.origin + "/a", headers: ["Content-Type": "application/octet-stream"])
    (request.method, request.body, request.isOfFile) = (method, body, isOfFile)
    return request
  }

  @Test(
    "the server gets method and body as they are, with its length and nothing that it has to answer first",
    arguments: [HTTPMethod.get, .put, .delete, .propfind, .mkcol])
  func sent(method: HTTPMethod) async throws {
    let server = try ScriptedServer { _ in .text("", status: 201) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let bodies = method == .get ? [[]] : [[], [0, 10, 13, 0xFF], [UInt8](repeating: 7, count: 3_000_000)]
    for body in bodies {
      let response = try await bed.client.send(Self.request(server, method, body, isOfFile: body.count > 9))
      #expect(response.status == 201)
      let request = try #require(server.requests.last)
      #expect(request.method == method.rawValue && request.body == Data(body))
      #expect(request["Expect"] == nil && request["Transfer-Encoding"] == nil)
      #expect(body.isEmpty && method != .put || request["Content-Length"] == "\(body.count)")
      #expect(request["Content-Type"] == "application/octet-stream")
      #expect(request["Accept-Encoding"] == (body.count > 9 ? "identity" : "gzip"))
    }
    #expect(bed.logLines.allSatisfy { $0.hasPrefix("\(method.rawValue) ") } && bed.logLines.count == bodies.count)
  }

  @Test("a redirect is an answer to every method but GET, and leads nobody elsewhere with what was sent")
  func redirects() async throws {
    let server = try ScriptedServer { $0.path == "/a" ? .redirect(to: "/b", status: 307) : .text("there") }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    for method in [HTTPMethod.put, .delete, .propfind, .mkcol] {
      #expect(try await bed.client.send(Self.request(server, method, [1])).status == 307)
    }
    #expect(server.requests.allSatisfy { $0.path == "/a" })
    #expect(try await bed.client.send(Self.request(server, .get)).body == Data("there".utf8))
  }

  @Test("what a server was too busy for is sent again, whole")
  func again() async throws {
    let answers = ReplySequence(.text("", status: 503), .closing, .text("", status: 204))
    let server = try ScriptedServer { _ in answers.next() }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    #expect(try await bed.client.send(Self.request(server, .put, [1, 2, 3])).status == 204)
    #expect(server.requests.map(\.body) == [Data([1, 2, 3]), Data([1, 2, 3]), Data([1, 2, 3])])
  }

  @Test("two that are the same are both sent")
  func twice() async throws {
    let server = try ScriptedServer { _ in .text("", status: 204) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    async let one = bed.client.send(Self.request(server, .put, [1]))
    async let other = bed.client.send(Self.request(server, .put, [1]))
    #expect(try await [one.status, other.status] == [204, 204])
    #expect(server.requests.count == 2)
  }
}
