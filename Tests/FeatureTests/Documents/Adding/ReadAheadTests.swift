import Foundation
import PDF
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Documents
@testable import Kit

@Suite("Documents: what is read while a file is kept", .timeLimit(.minutes(10))) struct ReadAheadTests {
  private let folder = TemporaryFolder()
  private let source: DocumentSource

  init() throws {
    source = DocumentSource(key: "hash", path: folder.file("file.part"))
    try Data("these bytes".utf8).write(to: URL(fileURLWithPath: source.path))
  }

  private static func texts(_ pages: Range<Int>) -> [PageText] {
    pages.map { PageText(page: $0, text: "\($0)", placement: .unknown, boxes: [], unit: 1) }
  }

  @Test("the pages with which both lanes begin and go on are asked for in this order, once, and given away once")
  func once() async throws {
    let asked = Mutex<[Range<Int>]>([])
    let ahead = try #require(
      ReadAhead(source, pages: 12..<200) { _, run in
        asked.withLock { $0.append(run) }
        return Self.texts(run)
      })
    #expect(await ahead.texts(of: 12..<36)?.map(\.page) == Array(12..<36))
    #expect(await ahead.texts(of: 106..<130)?.map(\.page) == Array(106..<130))
    #expect(await ahead.texts(of: 36..<60)?.map(\.page) == Array(36..<60))
    for run in [12..<36, 60..<84] { #expect(await ahead.texts(of: run) == nil) }
    #expect(asked.withLock(\.self) == [12..<36, 106..<130, 36..<60, 130..<154])
  }

  @Test("what fails ahead is nobody's loss")
  func failure() async throws {
    let ahead = try #require(ReadAhead(source, pages: 0..<10) { _, _ in throw WorkerFailure.timedOut })
    #expect(await ahead.texts(of: 0..<10) == nil)
  }

  @Test("a worker reads the file that it was begun with, whatever lies at its place when the worker comes free")
  func otherBytes() async throws {
    let bench = try PDFBench()
    let source = try bench.source(.numbered(10))
    let (gates, gate) = AsyncStream<Void>.makeStream()
    let ahead = try #require(
      ReadAhead(source, pages: 0..<10) { source, run in
        var gates = gates.makeAsyncIterator()
        await gates.next()
        return try await bench.pool.extract(source, pages: run)
      })
    // It becomes a blob, and the next download of its URL begins. No worker has opened either.
    #expect(rename(source.path, folder.file("blob")) == 0)
    try Data("other bytes".utf8).write(to: URL(fileURLWithPath: source.path))
    gate.yield()
    let texts = try #require(await ahead.texts(of: 0..<10))
    #expect(
      texts.map { String($0.text.prefix(14)).trimmingCharacters(in: .whitespacesAndNewlines) }
        == (1...10).map { "page number \($0)" })
    await bench.pool.shutDown()
  }

  @Test("where there is no file nothing is begun")
  func noFile() {
    unlink(source.path)
    #expect(ReadAhead(source, pages: 0..<10) { _, run in Self.texts(run) } == nil)
  }

  @Test("who lets it go gives it up")
  func givenUp() async {
    let (cancels, cancelled) = AsyncStream<Void>.makeStream()
    var ahead = ReadAhead(source, pages: 0..<10) { _, run in
      while !Task.isCancelled { await Task.yield() }
      cancelled.yield()
      return Self.texts(run)
    }
    #expect(ahead != nil)
    ahead = nil
    var iterator = cancels.makeAsyncIterator()
    await iterator.next()
  }

  @Test("a document that is added is read ahead; one that is fetched again is not, since all its text is waited for")
  func notForRefreshes() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["as it was"]))
    let services = bench.daemon.daemon.services
    let caller = FeatureCaller.daemon(services)
    let added = try await services.library.read(as: caller) { snapshot in
      try AddDocument.prepare(AddDocument.Params(data: SamplePDF.numbered(200).base64), in: snapshot)
    }
    let incoming = try await Incoming.take(added.source, password: nil, with: services, progress: .none)
    #expect(incoming.ahead != nil)
    let refreshed = try await services.library.read(as: caller) { snapshot in
      let params = RefreshDocument.Params(
        id: DocumentID(unchecked: id.stringValue ?? ""), data: SamplePDF.numbered(200, salt: "new ").base64)
      return try RefreshDocument.prepare(params, in: snapshot)
    }
    guard case .changed(let incoming, _) = try await Refreshing(plan: refreshed, services: services).fetched(.none)
    else {
      Issue.record("other bytes were taken for the same")
      return await bench.stop()
    }
    #expect(incoming.ahead == nil && incoming.texts.map(\.page) == Array(0..<200))
    await bench.stop()
  }

  @Test("a file that is there already leaves nothing behind of what was begun with")
  func nothingLeft() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(200))
    #expect(try await bench.add(.numbered(200))["existing"] == true)
    #expect(try await bench.indexed(id)["state"] == "ready")
    for page in [11, 12, 35, 36, 105, 106, 199] {
      let text = try await bench.client.call("documents/text", ["id": id, "page": json(page)])
      #expect(text["text"].text.hasPrefix("page number \(page + 1)"))
    }
    await bench.stop()
  }
}
