import Client
import Daemon
import Foundation
import PDF
import Store
import TestSupport
import Wire

/// A daemon with documents, and a client of it.
struct DocumentBench {
  let daemon: TestDaemon
  let client: Client

  /// In the folder of an earlier one it finds that one's library.
  init(
    in folder: TemporaryFolder = TemporaryFolder(), clock: TestClock = TestClock(), locale: String = "en-US",
    change: (inout DaemonSettings) -> Void = { _ in }
  ) async throws {
    daemon = try await Self.start(in: folder, clock: clock) { settings in
      // No test may fail because the machine is busy.
      settings.workers.timeout = .seconds(60)
      change(&settings)
    }
    client = try await daemon.client(locale: locale)
  }

  /// Other tests start workers in this process: between its fork and its exec a child holds the lock of a library that
  /// its daemon has just given up.
  private static func start(
    in folder: TemporaryFolder, clock: TestClock, change: (inout DaemonSettings) -> Void
  ) async throws -> TestDaemon {
    while true {
      do {
        return try await TestDaemon(in: folder, clock: clock, change: change)
      } catch StoreError.inUse(owner: nil) {
        await Task.yield()
      }
    }
  }

  /// Adds a PDF as bytes.
  @discardableResult
  func add(_ sample: SamplePDF, title: String? = nil, id: String? = nil) async throws -> JSONValue {
    var params: JSONObject = ["data": .string(sample.base64)]
    if let title { params["title"] = .string(title) }
    if let id { params["id"] = .string(id) }
    return try await client.call("documents/add", .object(params))
  }

  /// Adds a PDF and gives its id.
  func id(of sample: SamplePDF, title: String? = nil) async throws -> JSONValue {
    try await add(sample, title: title)["id"] ?? .null
  }

  func titles(_ params: JSONValue = [:]) async throws -> [String] {
    try await client.call("documents/list", params).items.map { $0["title"].text }
  }

  /// Waits for the change that says that a document's text is there, and gives the document.
  func indexed(_ id: JSONValue) async throws -> JSONValue { try await client.indexed(id) }

  func stop() async {
    await daemon.stop()
  }

  /// The library as a front end could see it, to compare before and after.
  func everything() async throws -> [JSONValue] {
    try await client.call("documents/list").items
  }
}

extension Client {
  /// Waits for the change that says that a document's text is there, and gives the document.
  func indexed(_ id: JSONValue) async throws -> JSONValue {
    while true {
      let heard = received.count
      let document = try await call("documents/get", ["id": id])
      if document["state"] != "indexing" { return document }
      _ = try await firstReceived(from: heard) { frame in
        if case .single(.notification("changes/didCommit", _)) = frame { true } else { false }
      }
    }
  }
}

extension SamplePDF {
  var base64: String { Data(bytes).base64EncodedString() }

  /// As many pages as there are lists, with their lines.
  init(_ pages: [String]...) {
    self.init(pages: pages.map { Page($0) })
  }

  /// `count` pages that say which they are.
  static func numbered(_ count: Int, salt: String = "") -> SamplePDF {
    SamplePDF(pages: (1...count).map { Page(["\(salt)page number \($0)"]) })
  }
}

extension JSONValue {
  var items: [JSONValue] { self["items"]?.arrayValue ?? [] }
}

extension JSONValue? {
  var text: String { self?.stringValue ?? "" }
  var list: [JSONValue] { self?.arrayValue ?? [] }
}

extension JSONValue {
  /// The numbers of a quad.
  var numbers: [Double] { (arrayValue ?? []).compactMap(\.doubleValue) }
}

/// A number as clients send it.
func json(_ number: Int) -> JSONValue { .integer(Int64(number)) }
