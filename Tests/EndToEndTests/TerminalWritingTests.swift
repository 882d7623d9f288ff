import Foundation
import Testing

@testable import commonplace

@Suite("Writing to a terminal or a pipe", .timeLimit(.minutes(10)))
struct TerminalWritingTests {
  @Test("a pipe that its owner made non-blocking gets all of a text, however slowly it is read")
  func slowReader() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    // A pipe has room for 64 KiB: it is full again and again.
    try #require(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
    let text = String(repeating: "A line of a long list\n", count: 50_000)
    Thread.detachNewThread {
      Terminal.write(text, to: writing)
      close(writing)
    }
    var (all, part) = ([UInt8](), [UInt8](repeating: 0, count: 512))
    while case let count = read(reading, &part, part.count), count > 0 { all += part[..<count] }
    #expect(all.elementsEqual(text.utf8))
  }

  @Test("a pipe that nobody reads any more is told")
  func nobody() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    #expect(!Terminal.write("text", to: ends[1]))
  }
}
