import Foundation
import Testing

@testable import HTTP

@Suite("what an answer means for a part")
struct RangeAnswerTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let status: Int
    var headers: [(String, String)] = []
    var asked: RangeAnswer.Asked?
    let meaning: RangeAnswer?
    var testDescription: String { "\(status) \(headers) for \(asked.map { "\($0)" } ?? "the whole")" }
  }

  private static let asked = RangeAnswer.Asked(offset: 100, total: 300, etag: "\"a\"")
  private static let unknown = RangeAnswer.Asked(offset: 100, total: nil, etag: nil)

  @Test(
    "only the rest of the same file is appended",
    arguments: [
      Row(status: 200, headers: [("Content-Length", "300")], meaning: .whole(total: 300)),
      Row(status: 200, meaning: .whole(total: nil)),
      Row(status: 200, headers: [("Content-Length", "-1")], meaning: .whole(total: nil)),
      Row(status: 200, headers: [("Content-Length", "300")], asked: asked, meaning: .whole(total: 300)),
      Row(status: 206, headers: [("Content-Range", "bytes 100-299/300")], asked: asked, meaning: .rest(total: 300)),
      Row(status: 206, headers: [("content-range", "Bytes 100-199/*")], asked: asked, meaning: .rest(total: 300)),
      Row(status: 206, headers: [("Content-Range", "bytes 100-299/300")], asked: unknown, meaning: .rest(total: 300)),
      Row(
        status: 206, headers: [("Content-Range", "bytes 100-299/300"), ("ETag", "\"a\"")], asked: asked,
        meaning: .rest(total: 300)),
      // Another start, another size, another file, no statement, several ranges, nonsense.
      Row(status: 206, headers: [("Content-Range", "bytes 99-299/300")], asked: asked, meaning: .startOver),
      Row(status: 206, headers: [("Content-Range", "bytes 0-299/300")], asked: asked, meaning: .startOver),
      Row(status: 206, headers: [("Content-Range", "bytes 100-300/301")], asked: asked, meaning: .startOver),
      Row(
        status: 206, headers: [("Content-Range", "bytes 100-299/300"), ("ETag", "\"b\"")], asked: asked,
        meaning: .startOver),
      Row(status: 206, asked: asked, meaning: .startOver),
      Row(status: 206, headers: [("Content-Type", "multipart/byteranges")], asked: asked, meaning: .startOver),
      Row(status: 206, headers: [("Content-Range", "bytes 100-300/300")], asked: asked, meaning: .startOver),
      Row(status: 206, headers: [("Content-Range", "bytes 100-99/300")], asked: asked, meaning: .startOver),
      Row(status: 206, headers: [("Content-Range", "bytes +100-299/300")], asked: asked, meaning: .startOver),
      Row(status: 206, headers: [("Content-Range", "pages 100-299/300")], asked: asked, meaning: .startOver),
      Row(status: 206, headers: [("Content-Range", "bytes */300")], asked: asked, meaning: .startOver),
      Row(status: 416, headers: [("Content-Range", "bytes */100")], asked: unknown, meaning: .complete),
      Row(
        status: 416, headers: [("Content-Range", "bytes */300")], asked: .init(offset: 300, total: 300),
        meaning: .complete),
      Row(status: 416, headers: [("Content-Range", "bytes */100")], asked: asked, meaning: .startOver),
      Row(status: 416, headers: [("Content-Range", "bytes */99")], asked: unknown, meaning: .startOver),
      Row(status: 416, asked: asked, meaning: .startOver),
      // Failures.
      Row(status: 206, headers: [("Content-Range", "bytes 0-299/300")], meaning: nil),
      Row(status: 204, meaning: nil),
      Row(status: 304, asked: asked, meaning: nil),
      Row(status: 404, asked: asked, meaning: nil),
      Row(status: 416, meaning: nil),
      Row(status: 503, asked: asked, meaning: nil),
    ])
  func meaning(_ row: Row) throws {
    var head = ResponseHead(status: row.status)
    for (name, value) in row.headers { head.headers.append(name, value) }
    #expect((try? RangeAnswer.read(head, asked: row.asked, url: "u")) == row.meaning)
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
