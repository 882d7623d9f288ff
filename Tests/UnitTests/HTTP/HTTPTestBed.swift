import Foundation
import Synchronization
import TestSupport

@testable import HTTP

/// A client whose pauses take no time, and a folder for its parts.
final class HTTPTestBed: Sendable {
  let client: HTTPClient
  let folder: String
  let time = SkippedTime(date: Date(timeIntervalSince1970: 1_795_219_200))  // 2026-11-21 00:00 UTC
  private let log: LogLines

  init(_ change: (inout HTTPConfiguration) -> Void = { _ in }) throws {
    let path = NSTemporaryDirectory() + "commonplace-http-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    folder = path
    let log = LogLines()
    self.log = log
    client = HTTPClient(HTTPConfiguration(), log: { log.add($0) })
    var configuration = HTTPConfiguration()
    time.apply(to: &configuration)
    change(&configuration)
    client.reconfigure(configuration)
  }

  deinit {
    client.shutDown()
    try? FileManager.default.removeItem(atPath: folder)
  }

  var part: String { folder + "/one.part" }

  /// The pauses before resumes, so far.
  var pausesTaken: [Duration] { time.pauses }

  /// The lines of the client's log, so far.
  var logLines: [String] { log.all }

  /// What lies in the folder.
  var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

  /// The failure of a fetch, nil if it succeeds.
  func fetchFailure(_ request: HTTPRequest) async -> HTTPFailure? {
    await failure { () throws(HTTPFailure) in try await client.fetch(request) }
  }

  /// The failure of a polite GET, nil if it succeeds.
  func getFailure(_ request: HTTPRequest) async -> HTTPFailure? {
    await failure { () throws(HTTPFailure) in try await client.get(request) }
  }

  /// The failure of a download, nil if it succeeds.
  func downloadFailure(_ request: DownloadRequest) async -> HTTPFailure? {
    await failure { () throws(HTTPFailure) in try await client.download(request) }
  }

  var partBytes: Data? { FileManager.default.contents(atPath: part) }
}

private final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock(\.self) }
}

/// Bytes that differ from place to place, so that a wrong offset shows.
func sampleBytes(_ count: Int) -> Data {
  Data("%PDF-1.7\n".utf8) + Data((0..<max(0, count - 9)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
}

/// The failure of what must fail.
func failure<Value>(_ work: () async throws(HTTPFailure) -> Value) async -> HTTPFailure? {
  do throws(HTTPFailure) {
    _ = try await work()
    return nil
  } catch {
    return error
  }
}
