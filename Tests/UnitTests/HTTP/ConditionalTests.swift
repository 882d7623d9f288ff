import Foundation
import TestSupport
import Testing

@testable import HTTP

/// Asking whether what we have still holds.
@Suite("conditional requests", .timeLimit(.minutes(10)))
struct ConditionalTests {
  @Test("validators go out as they came, and those of a 304 take the place of the old ones")
  func chain() async throws {
    let replies = ReplySequence(
      .text("one", [("ETag", "W/\"a\""), ("Last-Modified", "Sun,  06 Nov 1994 08:49:37 GMT")]),
      .notModified([("ETag", "\"b\"")]), .notModified(), .text("two", [("ETag", "\"c\"")]))
    let server = try ScriptedServer { _ in replies.next() }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let url = server.origin + "/feed"
    func get(_ validators: Validators?) async throws -> HTTPResponse {
      try await bed.client.get(HTTPRequest(url: url, validators: validators))
    }
    let first = try await get(nil)
    let date = "Sun,  06 Nov 1994 08:49:37 GMT"
    #expect(first.validators == Validators(url: url, etag: "W/\"a\"", lastModified: date))
    #expect(!first.isNotModified)
    let second = try await get(first.validators)
    #expect(second.isNotModified && second.body.isEmpty)
    // A 304 that names one validator leaves the other as it was.
    #expect(second.validators == Validators(url: url, etag: "\"b\"", lastModified: date))
    let third = try await get(second.validators)
    #expect(third.validators == second.validators)
    let fourth = try await get(third.validators)
    #expect(fourth.validators == Validators(url: url, etag: "\"c\"", lastModified: nil))
    #expect(server.requests.map { $0["If-None-Match"] } == [nil, "W/\"a\"", "\"b\"", "\"b\""])
    #expect(server.requests.map { $0["If-Modified-Since"] } == [nil, date, date, date])
  }

  @Test("a 304 is success at once, without a second request")
  func once() async throws {
    let server = try ScriptedServer { _ in .notModified() }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let validators = Validators(url: server.origin + "/", etag: "\"a\"", lastModified: nil)
    let response = try await bed.client.get(HTTPRequest(url: server.origin, validators: validators))
    try response.requireSuccess()
    #expect(server.requests.count == 1)
  }

  @Test("a 304 that nobody asked for is no answer")
  func unasked() async throws {
    let server = try ScriptedServer { _ in .notModified([("ETag", "\"a\"")]) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    #expect(await bed.getFailure(HTTPRequest(url: server.origin)) == .badResponse(reason: "answerUnasked"))
  }

  @Test("validators go to the URL that gave them alone, also behind a redirect")
  func tied() async throws {
    let server = try ScriptedServer { request in
      switch request.path {
      case "/old": .redirect(to: "/new")
      default: .text(request.path, [("ETag", "\"\(request.path)\"")])
      }
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let first = try await bed.client.get(HTTPRequest(url: server.origin + "/old"))
    #expect(first.validators?.url == server.origin + "/new")
    for path in ["/old", "/other", "/new"] {
      _ = try await bed.client.get(HTTPRequest(url: server.origin + path, validators: first.validators))
    }
    #expect(server.requests.map(\.path) == ["/old", "/new", "/old", "/new", "/other", "/new"])
    #expect(server.requests.map { $0["If-None-Match"] } == [nil, nil, nil, "\"/new\"", nil, "\"/new\""])
  }

  @Test("only a complete 200 gives validators, and an address with a secret in it that a service made gives none")
  func withheld() async throws {
    let server = try ScriptedServer { request in
      switch request.path {
      case "/signed": .redirect(to: "/file?token=hunter2")
      case "/file": .text("file", [("ETag", "\"f\"")])
      case "/none": .text("plain")
      default: .text("no", status: 404, [("ETag", "\"e\"")])
      }
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    for path in ["/signed", "/none", "/missing"] {
      let response = try await bed.client.get(HTTPRequest(url: server.origin + path))
      #expect(response.validators == nil, "\(path)")
    }
    // The user's own address with a token in it is the user's.
    let own = try await bed.client.get(HTTPRequest(url: server.origin + "/file?token=mine"))
    #expect(own.validators?.etag == "\"f\"")
  }

  @Test("no kept validator breaks the request's lines")
  func injected() async throws {
    let server = try ScriptedServer { _ in .text("") }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    let validators = Validators(url: server.origin + "/", etag: "\"a\"\r\nX-Evil: 1", lastModified: "b\nc")
    _ = try await bed.client.get(HTTPRequest(url: server.origin, validators: validators))
    #expect(server.requests.map { $0["X-Evil"] } == [nil])
    #expect(server.requests.map { $0["If-None-Match"] } == [nil])
  }

  @Test("a move for good is told as far as it is for good, and only with an answer")
  func moved() async throws {
    let server = try ScriptedServer { request in
      switch request.path {
      case "/301": .redirect(to: "/308", status: 301)
      case "/308": .redirect(to: "/302", status: 308)
      case "/302": .redirect(to: "/301b", status: 302)
      case "/301b": .redirect(to: "/there", status: 301)
      case "/lost": .redirect(to: "/nowhere", status: 301)
      case "/there": .text("there")
      default: .text("", status: 404)
      }
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    var moves: [String: String] = [:]
    for path in ["/301", "/302", "/301b", "/there", "/lost"] {
      moves[path] = try await bed.client.get(HTTPRequest(url: server.origin + path)).movedPermanentlyTo
    }
    #expect(moves == ["/301": server.origin + "/302", "/301b": server.origin + "/there"])
  }

  @Test("for how long an answer holds is what it says")
  func freshness() async throws {
    let server = try ScriptedServer { request in
      request.path == "/a" ? .text("", [("Cache-Control", "max-age=600")]) : .text("")
    }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    #expect(try await bed.client.get(HTTPRequest(url: server.origin + "/a")).freshFor == .seconds(600))
    #expect(try await bed.client.get(HTTPRequest(url: server.origin + "/b")).freshFor == nil)
  }
}
