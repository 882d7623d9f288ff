import Foundation
import TestSupport
import Testing

@testable import HTTP

@Suite("fetch", .timeLimit(.minutes(1)))
struct FetchTests {
  @Test("an answer comes whole with its status, its headers and the name of the client")
  func answer() async throws {
    let server = try ScriptedServer { _ in .text("안녕", status: 404, [("X-Thing", "a: b "), ("ETag", "W/\"1\"")]) }
    defer { server.stop() }
    let bed = try HTTPTestBed {
      $0.userAgent = "Commonplace/1.0"
      $0.contact = "reader@example.org"
    }
    let response = try await bed.client.fetch(
      HTTPRequest(url: server.origin + "/a b?q=책", headers: ["Accept": "application/json"]))
    #expect(response.status == 404)
    #expect(String(decoding: response.body, as: UTF8.self) == "안녕")
    #expect(response.headers["x-thing"] == "a: b")
    #expect(response.headers["etag"] == "W/\"1\"")
    #expect(throws: HTTPFailure.httpStatus(code: 404, url: server.origin + "/a%20b?q=%EC%B1%85")) {
      try response.requireSuccess()
    }
    let request = try #require(server.requests.first)
    #expect(request.target == "/a%20b?q=%EC%B1%85")
    #expect(request["User-Agent"] == "Commonplace/1.0 (+reader@example.org)")
    #expect(request["Accept-Encoding"] == "identity")
    #expect(request["Accept"] == "application/json")
  }
}
