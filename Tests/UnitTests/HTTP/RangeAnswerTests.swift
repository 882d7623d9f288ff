import Foundation
import Testing

@testable import HTTP

@Suite("what an answer means for a part")
struct RangeAnswerTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let status: Int
    var headers: [(String, String)] = []
    var requested: RangeAnswer.RequestedRange?
    let meaning: RangeAnswer?
    var testDescription: String { "\(status) \(headers) for \(requested.map { "\($0)" } ?? "the whole")" }
  }

  private static let requested = RangeAnswer.RequestedRange(offset: 100, total: 300, etag: "\"a\"")
  private static let unknown = RangeAnswer.RequestedRange(offset: 100, total: nil, etag: nil)

  @Test(
    "only the rest of the same file is appended",
    arguments: [
      Row(status: 200, headers: [("Content-Length", "300")], meaning: .whole(total: 300)),
      Row(status: 200, meaning: .whole(total: nil)),
      Row(status: 200, headers: [("Content-Length", "-1")], meaning: .whole(total: nil)),
      Row(status: 200, headers: [("Content-Length", "300")], requested: requested, meaning: .whole(total: 300)),
      Row(
        status: 206, headers: [("Content-Range", "bytes 100-299/300")], requested: requested, meaning: .rest(total: 300)
      ),
      Row(
        status: 206, headers: [("content-range", "Bytes 100-199/*")], requested: requested, meaning: .rest(total: 300)),
      Row(
        status: 206, headers: [("Content-Range", "bytes 100-299/300")], requested: unknown, meaning: .rest(total: 300)),
      Row(
        status: 206, headers: [("Content-Range", "bytes 100-299/300"), ("ETag", "\"a\"")], requested: requested,
        meaning: .rest(total: 300)),
      // Another start, another size, another file, no statement, several ranges, nonsense.
      Row(status: 206, headers: [("Content-Range", "bytes 99-299/300")], requested: requested, meaning: .startOver),
      Row(status: 206, headers: [("Content-Range", "bytes 0-299/300")], requested: requested, meaning: .startOver),
      Row(status: 206, headers: [("Content-Range", "bytes 100-300/301")], requested: requested, meaning: .startOver),
      Row(
        status: 206, headers: [("Content-Range", "bytes 100-299/300"), ("ETag", "\"b\"")], requested: requested,
        meaning: .startOver),
      Row(status: 206, requested: requested, meaning: .startOver),
      Row(status: 206, headers: [("Content-Type", "multipart/byteranges")], requested: requested, meaning: .startOver),
      Row(status: 206, headers: [("Content-Range", "bytes 100-300/300")], requested: requested, meaning: .startOver),
      Row(status: 206, headers: [("Content-Range", "bytes 100-99/300")], requested: requested, meaning: .startOver),
      Row(status: 206, headers: [("Content-Range", "bytes +100-299/300")], requested: requested, meaning: .startOver),
      Row(status: 206, headers: [("Content-Range", "pages 100-299/300")], requested: requested, meaning: .startOver),
      Row(status: 206, headers: [("Content-Range", "bytes */300")], requested: requested, meaning: .startOver),
      Row(status: 416, headers: [("Content-Range", "bytes */100")], requested: unknown, meaning: .complete),
      Row(
        status: 416, headers: [("Content-Range", "bytes */300")], requested: .init(offset: 300, total: 300),
        meaning: .complete),
      Row(status: 416, headers: [("Content-Range", "bytes */100")], requested: requested, meaning: .startOver),
      Row(status: 416, headers: [("Content-Range", "bytes */99")], requested: unknown, meaning: .startOver),
      Row(status: 416, requested: requested, meaning: .startOver),
      // Failures.
      Row(status: 206, headers: [("Content-Range", "bytes 0-299/300")], meaning: nil),
      Row(status: 204, meaning: nil),
      Row(status: 304, requested: requested, meaning: nil),
      Row(status: 404, requested: requested, meaning: nil),
      Row(status: 416, meaning: nil),
      Row(status: 503, requested: requested, meaning: nil),
    ])
  func meaning(_ row: Row) throws {
    var head = ResponseHead(status: row.status)
    for (name, value) in row.headers { head.headers.append(name, value) }
    #expect((try? RangeAnswer.read(head, requested: row.requested, url: "u")) == row.meaning)
  }

  @Test("progress is told at once, then four times a second")
  func progressMeter() {
    var meter = ProgressMeter()
    let start = ContinuousClock.now
    let told = (0..<1000).filter { meter.isDue(start + .milliseconds($0)) }
    #expect(told == [0, 250, 500, 750])
  }

  @Test("a weak ETag never serves as a validator")
  func validator() {
    func validator(_ headers: HTTPHeaders) -> String? {
      PartRecord(url: "u", head: ResponseHead(status: 200, headers: headers), total: nil).validator
    }
    #expect(validator(["ETag": "\"a\"", "Last-Modified": "L"]) == "\"a\"")
    #expect(validator(["ETag": "W/\"a\"", "Last-Modified": "L"]) == "L")
    #expect(validator(["ETag": "W/\"a\""]) == nil)
    #expect(validator(["ETag": "\""]) == nil)
    #expect(validator([:]) == nil)
    #expect(validator(["ETag": "\"a\rX-Evil: 1\"", "Last-Modified": "L\r"]) == nil)
  }
}
