import Client
import Foundation
import TestSupport
import Wire

/// A client that takes tasks over and hands cards on.
struct ExchangeBench {
  let bench: DiaryBench
  var client: Client { bench.client }

  init(locale: String = "en-US", timeZone: String = "Asia/Seoul") async throws {
    bench = try await DiaryBench(locale: locale, timeZone: timeZone)
  }

  private func params(_ file: String, _ format: String?, _ more: JSONObject) -> JSONValue {
    var params: JSONObject = ["data": .string(Data(file.utf8).base64EncodedString())]
    if let format { params["format"] = .string(format) }
    for member in more.members { params[member.key] = member.value }
    return .object(params)
  }

  func take(_ file: String, as format: String? = nil, _ more: JSONObject = [:]) async throws -> JSONValue {
    try await client.call("projects/import", params(file, format, more))
  }

  func refusal(_ file: String, as format: String? = nil, _ more: JSONObject = [:]) async throws -> RemoteError? {
    try await client.failure("projects/import", params(file, format, more))
  }

  func export(_ format: String) async throws -> String {
    let reply = try await client.call("projects/export", ["format": .string(format), "inline": true])
    return String(decoding: Data(base64Encoded: reply["data"].text) ?? Data(), as: UTF8.self)
  }

  func cards() async throws -> [JSONValue] { try await client.call("projects/list").items }

  func card(_ title: String) async throws -> JSONValue? { try await cards().first { $0["title"].text == title } }

  func titles() async throws -> [String] { try await cards().map { $0["title"].text }.sorted() }

  func stop() async { await bench.stop() }
}
