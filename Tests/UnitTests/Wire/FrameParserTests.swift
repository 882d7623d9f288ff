import Testing
import Wire

@Suite("Frames")
struct FrameParserTests {
  private let messages = [#"{"a":"한글"}"#, "[1,2,3]", #"{"long":"\#(String(repeating: "x", count: 5000))"}"#]

  @Test("both framings are read back whatever pieces the bytes come in", arguments: [1, 2, 3, 7, 64, 4096, 1 << 20])
  func pieces(size: Int) throws {
    for framing in [Framing.headers, .lines] {
      let stream = messages.flatMap { framing.frame(Array($0.utf8)) }
      var parser = FrameParser()
      var frames: [[UInt8]] = []
      for start in stride(from: 0, to: stream.count, by: size) {
        parser.append(stream[start..<min(stream.count, start + size)])
        while let frame = try parser.next() { frames.append(frame) }
      }
      #expect(frames.map { String(decoding: $0, as: UTF8.self) } == messages)
      #expect(parser.framing == framing)
      #expect(!parser.isInsideFrame)
    }
  }

  @Test("headers end in CRLF or LF, in any case and order, and blank lines between frames are nothing")
  func lenientHeaders() throws {
    var parser = FrameParser()
    parser.append("\r\n\ncontent-length: 2\nX-Other: 1\n\n{}\n\n".utf8)
    parser.append("Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length:4\r\n\r\n[{}]\r\n".utf8)
    #expect(try parser.next() == Array("{}".utf8))
    #expect(try parser.next() == Array("[{}]".utf8))
    #expect(try parser.next() == nil)
    #expect(!parser.isInsideFrame)
  }

  @Test(
    "a header block that does not give the length is an error for ever",
    arguments: [
      ("Content-Type: x\r\n\r\n", FrameError.noLength), ("Content-Length: -1\r\n\r\n", .badLength),
      ("Content-Length: 1\r\nContent-Length: 1\r\n\r\n", .badLength), ("Content-Length:\r\n\r\n", .badLength),
      ("nonsense\r\n\r\n", .badHeader), ("Content-Length: 17825792\r\n\r\n", .tooLarge(limit: 16 << 20)),
      ("Content-Length: 99999999999999999999999\r\n\r\n", .tooLarge(limit: 16 << 20)),
      (String(repeating: "h", count: 9000), .headersTooLarge(limit: 8 << 10)),
    ])
  func badHeaders(text: String, expected: FrameError) {
    var parser = FrameParser()
    parser.append(text.utf8)
    #expect(throws: expected) { try parser.next() }
    parser.append("Content-Length: 2\r\n\r\n{}".utf8)
    #expect(throws: expected) { try parser.next() }
    #expect(!parser.isInsideFrame, "Bytes after the error must not be kept.")
  }

  @Test("a line of 17 MiB is refused before its end has come")
  func longLine() throws {
    var parser = FrameParser()
    parser.append([UInt8(ascii: "[")])
    let piece = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)
    for _ in 0..<15 {
      parser.append(piece)
      #expect(try parser.next() == nil)
    }
    parser.append(piece)
    parser.append(piece)
    #expect(throws: FrameError.tooLarge(limit: 16 << 20)) { try parser.next() }
  }

  @Test("the last line of a stream counts without its line end, a piece of a framed message does not")
  func endOfStream() throws {
    var lines = FrameParser()
    lines.append("{}\n[1]".utf8)
    #expect(try lines.next() == Array("{}".utf8))
    #expect(try lines.next() == nil)
    #expect(lines.isInsideFrame)
    #expect(lines.finish() == Array("[1]".utf8))
    #expect(lines.finish() == nil)
    #expect(!lines.isInsideFrame)

    var headers = FrameParser()
    headers.append("Content-Length: 3\r\n\r\n[1".utf8)
    #expect(try headers.next() == nil)
    #expect(headers.finish() == nil)
    #expect(headers.isInsideFrame)
  }
}
