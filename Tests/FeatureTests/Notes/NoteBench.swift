import Client
import Contract
import Foundation
import TestSupport
import Wire

/// A daemon with notes, and a client of it.
struct NoteBench {
  let daemon: TestDaemon
  let client: Client

  init(in folder: TemporaryFolder = TemporaryFolder(), clock: TestClock = TestClock()) async throws {
    daemon = try await .started(in: folder, clock: clock)
    client = try await daemon.client()
  }

  @discardableResult
  func add(_ text: String, _ more: JSONObject = [:]) async throws -> JSONValue {
    var params = more
    params["text"] = .string(text)
    daemon.clock.advance(milliseconds: 1)
    return try await client.call("notes/add", .object(params))
  }

  func get(_ id: JSONValue) async throws -> JSONValue { try await client.call("notes/get", ["id": id]) }

  func titles(_ params: JSONObject = [:]) async throws -> [String] {
    try await client.call("notes/list", .object(params)).items.map { $0["title"].text }
  }

  /// The sources of the links to an item.
  func sources(of id: JSONValue, in collection: String = "notes") async throws -> [String] {
    let links = try await client.call("links/to", ["collection": .string(collection), "id": id])
    return links.items.map { "\($0["collection"].text)/\($0.id.text)" }
  }

  /// Writes files into a folder of their own.
  func folder(_ name: String, _ files: [String: String]) throws -> String {
    let root = daemon.folder.file(name)
    for (path, text) in files {
      let file = URL(filePath: root + "/" + path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return root
  }

  @discardableResult
  func take(_ path: String, _ more: JSONObject = [:]) async throws -> JSONValue {
    var params = more
    params["path"] = .string(path)
    return try await client.call("notes/import", .object(params))
  }

  func stop() async { await daemon.stop() }
}
