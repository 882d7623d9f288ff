import Books
import Client
import Daemon
import Features
import Foundation
import HTTP
import Kit
import Synchronization
import System
import TestSupport
import Wire

/// A daemon whose catalogues are a scripted server, and a client of it.
struct BookBench: ClientBench {
  let server: ScriptedServer
  let daemon: TestDaemon
  let client: Client

  /// - Parameters:
  ///   - googleNeedsKey: Google is the real address, for which there is no key: nobody ever connects to it.
  ///   - answer: what the server says to a path with its query.
  init(
    in folder: TemporaryFolder = TemporaryFolder(), clock: TestClock = TestClock(), locale: String = "en-US",
    googleNeedsKey: Bool = false, server: ScriptedServer? = nil, features: [Feature] = [],
    answer: @escaping @Sendable (ScriptedServer.Request) -> ServerReply = { _ in .text("{}", status: 404) },
    change: (inout DaemonSettings) -> Void = { _ in }
  ) async throws {
    let server = try server ?? ScriptedServer(answer)
    self.server = server
    daemon = try await .started(features: AllFeatures.features + features, in: folder, clock: clock) { settings in
      var books = BooksConfiguration()
      if !googleNeedsKey { books.google.url = server.origin + "/google" }
      books.openLibrary.url = server.origin + "/ol"
      books.openLibrary.covers = server.origin + "/covers"
      settings.configure { $0.books = books }
      // As the base URLs of a configuration are.
      settings.http.allowedOrigins.formUnion([Origin(server.origin)].compactMap(\.self))
      // Nobody waits before a search, unless a test says so.
      settings.pause = { _ in }
      change(&settings)
    }
    client = try await daemon.client(locale: locale)
  }

  /// The requests to the catalogues so far, by path and query, percent signs undone.
  var asked: [String] { server.requests.map { $0.target.removingPercentEncoding ?? $0.target } }

  @discardableResult
  func search(_ query: String, _ more: JSONObject = [:]) async throws -> JSONValue {
    var params = more
    params["query"] = .string(query)
    return try await client.call("books/search", .object(params))
  }

  func ids(_ query: String, _ more: JSONObject = [:]) async throws -> [String] {
    try await search(query, more).items.map { $0.id.text }
  }

  @discardableResult
  func add(_ title: String, _ authors: [String] = [], id: String? = nil, _ more: JSONObject = [:]) async throws
    -> JSONValue
  {
    var params = more
    var byHand = params["byHand"]?.objectValue ?? [:]
    byHand["title"] = .string(title)
    byHand["authors"] = .array(authors.map { .string($0) })
    params["byHand"] = .object(byHand)
    if let id { params["id"] = .string(id) }
    return try await client.call("books/addToShelf", .object(params))
  }

  func importing(_ text: String, _ more: JSONObject = [:]) async throws -> JSONValue {
    var params = more
    params["data"] = .string(Data(text.utf8).base64EncodedString())
    return try await client.call("books/import", .object(params))
  }

  /// What `books/export` writes.
  func export(_ format: String) async throws -> String {
    let data = try await client.call("books/export", ["format": .string(format), "inline": true])["data"].text
    return String(decoding: Data(base64Encoded: data) ?? Data(), as: UTF8.self)
  }

  func shelf(_ params: JSONValue = [:]) async throws -> [JSONValue] {
    try await client.call("books/shelf", params).items
  }

  func stop() async {
    await daemon.stop()
    server.stop()
  }
}

/// What catalogues say, made small.
enum CatalogueSample {
  /// A volume of Google's. `info` is put over what such a volume mostly has.
  static func volume(_ number: Int, _ info: JSONObject = [:]) -> JSONValue {
    var all: JSONObject = ["title": .string("Book \(number)"), "authors": ["Ann Author"]]
    for member in info.members { all[member.key] = member.value.isNull ? nil : member.value }
    return ["kind": "books#volume", "id": .string(id(number)), "volumeInfo": .object(all)]
  }

  /// Twelve characters, as Google's are.
  static func id(_ number: Int) -> String { String("volume-00000".dropLast(String(number).count)) + String(number) }

  static func page(_ volumes: [JSONValue], total: Int) -> ServerReply {
    var page: JSONObject = ["kind": "books#volumes", "totalItems": .integer(Int64(total))]
    // Left out where there is nothing, as Google does.
    if !volumes.isEmpty { page["items"] = .array(volumes) }
    return json(.object(page))
  }

  static func json(_ value: JSONValue, status: Int = 200) -> ServerReply {
    .text(value.description, status: status, [("Content-Type", "application/json")])
  }

  /// A hit of Open Library's.
  static func hit(_ number: Int, _ fields: JSONObject = [:]) -> JSONValue {
    var all: JSONObject = [
      "key": .string("/works/OL\(number)W"), "title": .string("Work \(number)"), "author_name": ["Ann Author"],
    ]
    for member in fields.members { all[member.key] = member.value.isNull ? nil : member.value }
    return .object(all)
  }

  static func hits(_ docs: [JSONValue], total: Int) -> ServerReply {
    json(["numFound": .integer(Int64(total)), "num_found": .integer(Int64(total)), "start": 0, "docs": .array(docs)])
  }

  /// Google with so many books, which it gives page by page as asked.
  static func google(_ count: Int, total: Int? = nil) -> @Sendable (ScriptedServer.Request) -> ServerReply {
    { request in
      let start = Int(request.item("startIndex")) ?? 0
      let end = min(count, start + (Int(request.item("maxResults")) ?? 10))
      return page(start < end ? (start..<end).map { volume($0) } : [], total: total ?? count)
    }
  }
}

extension ScriptedServer.Request {
  /// An item of the query, percent signs undone.
  func item(_ name: String) -> String {
    let query = target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let item = query.split(separator: "&").first { $0.hasPrefix(name + "=") }
    return item.flatMap { String($0.dropFirst(name.count + 1)).removingPercentEncoding } ?? ""
  }

  var path: String { String(target.prefix { $0 != "?" }) }
}
