import Client
import Foundation
import Synchronization
import TestSupport
import Wire

/// A document that is fetched from a server which gets newer versions of it.
struct DocumentRefreshBench {
  let bench: DocumentBench
  let server: ScriptedServer
  private let version: Version
  let id: JSONValue

  /// What the server has now.
  final class Version: Sendable {
    private let state: Mutex<(bytes: Data, number: Int, reply: ServerReply?)>

    init(_ sample: SamplePDF) { state = Mutex((Data(sample.bytes), 1, nil)) }

    func become(_ sample: SamplePDF) {
      state.withLock { $0 = (Data(sample.bytes), $0.number + 1, nil) }
    }

    /// Whatever is asked, this is answered.
    func become(_ reply: ServerReply) { state.withLock { $0.reply = reply } }

    func answer(_ request: ScriptedServer.Request) -> ServerReply {
      let now = state.withLock(\.self)
      if let reply = now.reply { return reply }
      let etag = "\"v\(now.number)\""
      if request["If-None-Match"] == etag { return .notModified([("ETag", etag)]) }
      return .file(now.bytes, to: request, etag: etag)
    }
  }

  init(_ first: SamplePDF, in bench: DocumentBench? = nil) async throws {
    if let bench { self.bench = bench } else { self.bench = try await DocumentBench() }
    let version = Version(first)
    self.version = version
    server = try ScriptedServer { version.answer($0) }
    id = try await self.bench.client.call("documents/add", ["url": .string(server.origin + "/a.pdf")])["id"] ?? .null
  }

  var client: Client { bench.client }

  func publish(_ sample: SamplePDF) { version.become(sample) }
  func publish(_ reply: ServerReply) { version.become(reply) }

  @discardableResult
  func refresh() async throws -> JSONValue { try await client.call("documents/refresh", ["id": id]) }

  /// Marks lines, and gives the highlight's id.
  @discardableResult
  func mark(_ lines: String..., page: Int, note: String? = nil) async throws -> JSONValue {
    var params: JSONObject = ["id": id, "page": json(page), "lines": .array(lines.map(JSONValue.string))]
    if let note { params["note"] = .string(note) }
    return try await client.call("documents/addHighlight", .object(params))["id"] ?? .null
  }

  func bookmark(_ page: Int) async throws {
    _ = try await client.call("documents/setBookmark", ["id": id, "page": json(page), "bookmarked": true])
  }

  func memo(_ page: Int, _ text: String) async throws {
    _ = try await client.call("documents/setMemo", ["id": id, "page": json(page), "text": .string(text)])
  }

  /// Everything that a reader sees of the document and its marks, to compare before and after.
  func everything() async throws -> [JSONValue] {
    var replies: [JSONValue] = []
    for method in ["documents/get", "documents/highlights", "documents/bookmarks", "documents/memos"] {
      var reply = try await client.call(method, ["id": id]).objectValue ?? [:]
      reply["clock"] = nil
      replies.append(.object(reply))
    }
    return replies
  }

  /// The highlights as `page: text`, orphans as `- : text`.
  func highlights() async throws -> [String] {
    try await client.call("documents/highlights", ["id": id]).items.map { item in
      let page = item["state"] == "orphan" ? "-" : "\(item["page"]?.integerValue ?? -1)"
      return "\(page): \(item["text"].text)"
    }
  }

  func stop() async {
    server.stop()
    await bench.stop()
  }
}

extension JSONValue {
  /// `outcome page` of each report, by the mark's id.
  var outcomes: [String: String] {
    Dictionary(
      uniqueKeysWithValues: self["marks"].list.map { report in
        let page = report["page"]?.integerValue.map { " \($0)" } ?? ""
        return (report["id"].text, report["outcome"].text + page)
      })
  }
}
