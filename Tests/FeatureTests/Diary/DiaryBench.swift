import Client
import Contract
import Daemon
import Foundation
import Store
import TestSupport
import Wire

/// A daemon with a diary, and a client of it.
struct DiaryBench {
  let daemon: TestDaemon
  let client: Client

  init(
    in folder: TemporaryFolder = TemporaryFolder(), clock: TestClock = TestClock(), locale: String = "en-US",
    timeZone: String = "Etc/UTC", change: (inout DaemonSettings) -> Void = { _ in }
  ) async throws {
    daemon = try await .started(in: folder, clock: clock, change: change)
    client = try await daemon.client(locale: locale, timeZone: timeZone)
  }

  @discardableResult
  func add(_ text: String, day: String? = nil, id: String? = nil) async throws -> JSONValue {
    var params: JSONObject = ["text": .string(text)]
    if let day { params["day"] = .string(day) }
    if let id { params["id"] = .string(id) }
    return try await client.call("diary/add", .object(params))
  }

  /// The report of an import of a file.
  func take(_ file: String, as format: String) async throws -> JSONValue {
    let data = Data(file.utf8).base64EncodedString()
    return try await client.call("diary/import", ["data": .string(data), "format": .string(format)])
  }

  func get(_ id: JSONValue) async throws -> JSONValue { try await client.call("diary/get", ["id": id]) }

  func titles(_ params: JSONValue = [:], of method: String = "diary/list") async throws -> [String] {
    try await client.call(method, params).items.map { $0["title"].text }
  }

  func stop() async {
    await daemon.stop()
  }
}

extension JSONValue {
  /// The id of an item in a reply.
  var id: JSONValue { self["id"] ?? .null }

  /// The reasons of the notes in the report of an import.
  var importReasons: [String] { self["notes"].list.map { $0["reason"].text } }
}
