import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

/// A daemon whose library has links, and a client of it.
struct LinksBench {
  let daemon: TestDaemon
  let client: Client

  init(
    in folder: TemporaryFolder = TemporaryFolder(), clock: TestClock = TestClock(), locale: String = "en-US"
  ) async throws {
    daemon = try await .started(in: folder, clock: clock) { $0.workers.timeout = .seconds(60) }
    client = try await daemon.client(locale: locale)
  }

  /// A daemon in a folder whose library was left as an older or a killed one leaves it, once the tables are filled.
  static func filled(in folder: TemporaryFolder) async throws -> LinksBench {
    let bench = try await LinksBench(in: folder)
    bench.daemon.daemon.startBackgroundWork()
    try await bench.filled()
    return bench
  }

  /// Writes an entry, later than everything before.
  func entry(_ id: String, _ text: String) async throws {
    daemon.clock.advance(milliseconds: 1_000)
    _ = try await client.call("diary/add", ["id": .string(id), "text": .string(text)])
  }

  func rewrite(_ id: String, _ text: String) async throws {
    _ = try await client.call("diary/update", ["id": .string(id), "text": .string(text)])
  }

  func card(_ id: String, _ title: String, body: String = "") async throws {
    daemon.clock.advance(milliseconds: 1_000)
    _ = try await client.call(
      "projects/add", ["id": .string(id), "title": .string(title), "body": .string(body)])
  }

  func rename(_ id: String, to title: String) async throws {
    _ = try await client.call("projects/update", ["id": .string(id), "title": .string(title)])
  }

  /// `collection/id` of each item that points here, those of one item once.
  func sources(of id: String) async throws -> [String] {
    try await names(in: client.call("links/to", ["id": .string(id), "limit": 200]))
  }

  /// `collection/id what` of each link that leads nowhere.
  func broken() async throws -> [String] {
    try await client.call("links/broken", ["limit": 200]).items.map {
      "\($0["collection"].text)/\($0["id"].text) \($0["written"].text) \($0["trouble"].text)"
    }
  }

  private func names(in reply: JSONValue) -> [String] {
    reply.items.reduce(into: []) { names, item in
      let name = "\(item["collection"].text)/\(item["id"].text)"
      if !names.contains(name) { names.append(name) }
    }
  }

  /// Until the tables that were left half filled are as the data is.
  private func filled() async throws {
    for _ in 0..<200 {
      if try await findings().isEmpty { return }
    }
    Issue.record("never filled: \(try await findings())")
  }

  /// What the check finds, which compares the tables with the data.
  func findings(_ params: JSONValue = [:]) async throws -> [String] {
    try await client.call("library/check", params)["findings"].list.map(\.text)
  }
}
