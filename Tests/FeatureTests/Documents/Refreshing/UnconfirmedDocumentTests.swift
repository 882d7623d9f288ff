import Client
import Foundation
import HTTP
import TestSupport
import Testing
import Wire

/// Where a document of an archive says that it comes from is no address that a person typed.
@Suite("Documents: URLs that no person typed", .timeLimit(.minutes(10))) struct UnconfirmedDocumentTests {
  private static let sample = SamplePDF(pages: [.init(["On reading", "A book that is read twice"])])

  /// The library of a bench, taken over by another one.
  private static func moved(
    _ bench: DocumentBench, allowing origin: String? = nil
  ) async throws -> DocumentBench {
    let archive = bench.daemon.folder.file("archive.tar")
    _ = try await bench.client.call("library/export", ["path": .string(archive)])
    let other = try await DocumentBench {
      $0.http.allowedOrigins.formUnion([origin.flatMap { Origin($0) }].compactMap(\.self))
    }
    _ = try await other.client.call("library/import", ["path": .string(archive)])
    return other
  }

  @Test("the URL of an archive leads to no private address until it is given by hand")
  func web() async throws {
    let source = try await DocumentRefreshBench(Self.sample)
    let url = source.server.origin + "/a.pdf"
    let other = try await Self.moved(source.bench)
    let asked = source.server.requests.count
    #expect(try await other.client.call("documents/get", ["id": source.id])["unconfirmed"] == true)
    let refused = try await other.client.failure("documents/refresh", ["id": source.id])
    #expect(
      refused?.kind == "refusedAddress" && refused?.message.contains(url) == true, "\(String(describing: refused))")
    #expect(source.server.requests.count == asked)
    let confirmed = try await other.client.call("documents/update", ["id": source.id, "url": .string(url)])
    #expect(confirmed["unconfirmed"] == nil)
    #expect(try await other.client.call("documents/refresh", ["id": source.id])["refreshed"] == false)
    #expect(source.server.requests.count == asked + 1)
    await other.stop()
    await source.stop()
  }

  @Test("a refresh from an address that the configuration allows confirms nothing")
  func allowed() async throws {
    let source = try await DocumentRefreshBench(Self.sample)
    let other = try await Self.moved(source.bench, allowing: source.server.origin)
    let asked = source.server.requests.count
    source.publish(SamplePDF(pages: [.init(["Another", "edition"])]))
    #expect(try await other.client.call("documents/refresh", ["id": source.id])["refreshed"] == true)
    #expect(source.server.requests.count == asked + 1)
    #expect(try await other.client.call("documents/get", ["id": source.id])["unconfirmed"] == true)
    await other.stop()
    await source.stop()
  }

  @Test(
    "who confirms one path or URL of an archive's document does not confirm its other paths", arguments: [true, false])
  func otherPaths(isPath: Bool) async throws {
    let bench = try await DocumentBench()
    let (mine, theirs) = (bench.daemon.folder.file("a.pdf"), bench.daemon.folder.file("b.pdf"))
    for path in [mine, theirs] { try Data(Self.sample.bytes).write(to: URL(filePath: path)) }
    let id = try await bench.client.call("documents/add", ["path": .string(mine)]).id
    _ = try await bench.client.call("documents/add", ["path": .string(theirs)])
    let origins = try await bench.client.call("documents/get", ["id": id])["origins"]
    #expect(origins == .array([.string(mine), .string(theirs)]))
    let other = try await Self.moved(bench)
    try Data(SamplePDF(pages: [.init(["Not", "theirs to show"])]).bytes).write(to: URL(filePath: theirs))
    let client = other.client
    if isPath {
      _ = try await client.call("documents/add", ["path": .string(mine)])
      #expect(try await client.call("documents/get", ["id": id])["origins"] == .array([.string(mine)]))
      #expect(try await client.call("documents/refresh", ["id": id])["refreshed"] == false)
    } else {
      let confirmed = try await client.call("documents/update", ["id": id, "url": .string("file://" + mine)])
      #expect(confirmed["unconfirmed"] == nil && confirmed["origins"] == [])
      _ = try await client.call("documents/update", ["id": id, "url": nil])
      #expect(try await client.failure("documents/refresh", ["id": id]) != nil)
    }
    await other.stop()
    await bench.stop()
  }

  @Test("a file URL and a path of an archive read no file of this machine until they are given by hand")
  func file() async throws {
    let bench = try await DocumentBench()
    let path = bench.daemon.folder.file("a.pdf")
    try Data(Self.sample.bytes).write(to: URL(filePath: path))
    let byURL = try await bench.client.call("documents/add", ["url": .string("file://" + path)]).id
    let second = bench.daemon.folder.file("b.pdf")
    try Data(SamplePDF(pages: [.init(["Another", "one"])]).bytes).write(to: URL(filePath: second))
    let byPath = try await bench.client.call("documents/add", ["path": .string(second)]).id
    let other = try await Self.moved(bench)
    let refused = try await other.client.failure("documents/refresh", ["id": byURL])
    #expect(refused?.kind == "notAllowed" && refused?.message.contains("confirmed") == true)
    #expect(try await other.client.failure("documents/refresh", ["id": byPath]) != nil)
    // Adding it from there again says where it comes from.
    #expect(try await other.client.call("documents/add", ["path": .string(second)])["existing"] == true)
    #expect(try await other.client.call("documents/refresh", ["id": byPath])["refreshed"] == false)
    _ = try await other.client.call("documents/update", ["id": byURL, "url": .string("file://" + path)])
    #expect(try await other.client.call("documents/refresh", ["id": byURL])["refreshed"] == false)
    await other.stop()
    await bench.stop()
  }
}
