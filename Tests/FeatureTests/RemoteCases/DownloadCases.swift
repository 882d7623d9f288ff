import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

/// Cases 34, 35 and 39: files, which are fetched in parts.
enum DownloadCases {
  private static let target = "/pdf/seed.pdf?bytes=20000"

  private static func add(_ bench: RemoteBench) async throws -> JSONValue {
    try await bench.client.call("documents/add", ["url": .string(bench.server.origin + target)])
  }

  /// Whether a document is what the server has, to the last byte.
  private static func isSame(_ document: JSONValue, _ bench: RemoteBench) throws -> Bool {
    let bytes = try bench.server.exchange("GET", target + "&again")
    return bytes.count == 20_000 && document["hash"].text == Blobs.hash(of: bytes)
  }

  /// The product's requests.
  private static func log(_ bench: RemoteBench) throws -> [CatalogueServer.Logged] {
    try bench.server.log("/pdf/").filter { $0.query("again").isEmpty }
  }

  /// 34: two resets, and what was there is not asked for again.
  static func resume() async throws {
    try await RemoteBench().run { bench async throws in
      try bench.server.fault("^/pdf/", "reset:6000", times: 2)
      let document = try await add(bench)
      #expect(try isSame(document, bench))
      let log = try log(bench)
      #expect(log.map(\.status) == [200, 206, 206])
      #expect(log.map { $0.header("Range") } == [nil, "bytes=6000-", "bytes=12000-"])
      #expect(log.dropFirst().allSatisfy { $0.header("If-Range")?.hasPrefix("\"") == true })
      #expect(log.allSatisfy { $0.header("Accept-Encoding") == "identity" })
    }
  }

  /// 35: no ranges, the wrong range, another file meanwhile: begun anew.
  static func restart() async throws {
    for (fault, statuses) in [("norange", [200, 200]), ("wrongrange", [200, 206, 200])] {
      try await RemoteBench().run { bench async throws in
        try bench.server.faults([
          CatalogueServer.rule("^/pdf/", "reset:6000", times: 1),
          CatalogueServer.rule("^/pdf/", fault, times: 1, skip: 1),
        ])
        let document = try await add(bench)
        #expect(try isSame(document, bench), "\(fault)")
        #expect(try log(bench).map(\.status) == statuses, "\(fault)")
      }
    }
    try await RemoteBench().run { bench async throws in
      try bench.server.faults([
        CatalogueServer.rule("^/pdf/", "reset:6000", times: 1), CatalogueServer.rule("^/pdf/", "drop", skip: 1),
      ])
      #expect(try await bench.failure("documents/add", ["url": .string(bench.server.origin + target)]) == "unreachable")
      try bench.server.noFaults()
      try bench.server.bump()
      let document = try await add(bench)
      #expect(try isSame(document, bench))
      let last = try #require(try log(bench).last)
      #expect(last.status == 200 && last.header("Range") == "bytes=6000-" && last.header("If-Range") != nil)
    }
  }

  /// 39: a name that leads out of the library.
  static func evilName() async throws {
    try await RemoteBench().run { bench async throws in
      let document = try await add(bench)
      #expect(try isSame(document, bench) && !document["title"].text.contains("/"))
      let files = FileManager.default.enumerator(atPath: bench.daemon.folder.path)?.compactMap { $0 as? String } ?? []
      #expect(files.count > 3 && !files.contains { $0.contains("evil") })
      let above = try FileManager.default.contentsOfDirectory(atPath: "/tmp")
      #expect(!above.contains { $0.contains("evil name") })
      #expect(!FileManager.default.fileExists(atPath: "/etc/evil name.pdf"))
    }
  }
}
