import Foundation
import TestSupport
import Testing

@testable import HTTP

@Suite("compressed answers", .timeLimit(.minutes(10)))
struct GzipTests {
  /// Longer than a buffer of the network, so that it comes in pieces.
  private static let text = String(repeating: "한강은 흐른다. ", count: 20_000)

  private func body(_ data: Data, limit: Int = 8 << 20, status: Int = 200) async throws -> Result<Data, HTTPFailure> {
    let server = try ScriptedServer { _ in .gzip(data, status: status) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    do throws(HTTPFailure) {
      let response = try await bed.client.fetch(HTTPRequest(url: server.origin, limit: limit))
      #expect(response.status == status)
      return .success(response.body)
    } catch {
      return .failure(error)
    }
  }

  @Test("a compressed body is unpacked, an error's too, and one that was put together of several")
  func whole() async throws {
    #expect(try await body(SampleGzip.whole(Self.text)) == .success(Data(Self.text.utf8)))
    #expect(try await body(SampleGzip.whole("why"), status: 404) == .success(Data("why".utf8)))
    let two = SampleGzip.whole("one, ") + SampleGzip.whole("two") + Data(count: 100)
    #expect(try await body(two) == .success(Data("one, two".utf8)))
    #expect(try await body(Data()) == .success(Data()))
    #expect(try await body(SampleGzip.zeros(1 << 20)) == .success(Data(count: 1 << 20)))
  }

  @Test("a body that ends early fails, though its length is right", arguments: [1, 12, 1000, 4, 8])
  func truncated(_ missing: Int) async throws {
    let whole = SampleGzip.whole(Self.text)
    #expect(try await body(whole.dropLast(missing)) == .failure(.badResponse(reason: "answerShort")))
    #expect(try await body(whole.prefix(missing)) == .failure(.badResponse(reason: "answerShort")))
  }

  @Test("a body that was changed on its way, or is no gzip at all, fails")
  func broken() async throws {
    var changed = SampleGzip.whole(Self.text)
    changed[changed.count / 2] ^= 1
    for data in [changed, Data("plain text".utf8), Data([0x1f, 0x8b, 9, 0]) + Data(count: 20)] {
      #expect(try await body(data) == .failure(.badResponse(reason: "answerBroken")))
    }
  }

  @Test("a bomb is stopped by its ratio, and by the limit on what comes out")
  func bomb() async throws {
    let bomb = SampleGzip.zeros(4 << 20)
    #expect(bomb.count < 4 << 20 / 100)
    #expect(try await body(bomb) == .failure(.badResponse(reason: "answerBomb")))
    #expect(try await body(SampleGzip.zeros(3000), limit: 2000) == .failure(.tooLarge(limit: 2000)))
    #expect(
      try await body(SampleGzip.whole(Self.text), limit: Self.text.utf8.count - 1).failure
        == .tooLarge(limit: Self.text.utf8.count - 1))
  }

  @Test("a truncated answer gives no validators and is not asked for again")
  func notKept() async throws {
    let whole = SampleGzip.whole(Self.text)
    let server = try ScriptedServer { _ in .gzip(whole.dropLast(9), [("ETag", "\"half\"")]) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    #expect(await bed.getFailure(HTTPRequest(url: server.origin)) == .badResponse(reason: "answerShort"))
    #expect(server.requests.count == 1)
  }

  @Test("a download is asked for as it is, since ranges count the file's own bytes")
  func downloads() async throws {
    let bytes = sampleBytes(1000)
    let server = try ScriptedServer { request in .file(bytes, to: request) }
    defer { server.stop() }
    let bed = try HTTPTestBed()
    _ = try await bed.client.download(DownloadRequest(url: server.origin, part: bed.part, limit: 2000))
    #expect(server.requests.map { $0["Accept-Encoding"] } == ["identity"])
  }
}

extension Result {
  fileprivate var failure: Failure? {
    guard case .failure(let failure) = self else { return nil }
    return failure
  }
}
