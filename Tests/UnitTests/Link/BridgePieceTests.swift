import Glibc
import Testing

@testable import Link

@Suite("The bytes that wait in a bridge") struct BridgePieceTests {
  private func result(_ value: Int, _ number: Int32 = 0) -> Int {
    errno = number
    return value
  }

  @Test("an interrupted or an empty read is no end, and any other failure is one")
  func reading() {
    for (value, number, isOpen) in [
      (-1, EINTR, true), (-1, EAGAIN, true), (-1, EBADF, false), (-1, EIO, false), (0, 0, false), (0, EINTR, false),
    ] {
      var piece = Piece()
      #expect(piece.read { _, _ in result(value, number) } == isOpen, "\(value) \(number)")
      #expect(piece.isEmpty)
    }
    var piece = Piece()
    let isRead = piece.read { target, room in
      target.copyMemory(from: [1, 2, 3] as [UInt8], byteCount: 3)
      return room >= 4_096 ? 3 : 0
    }
    #expect(isRead && !piece.isEmpty)
  }

  @Test("what is written in parts is written once, and an interrupted write is tried again")
  func writing() {
    var piece = Piece()
    piece.prepend(Array(0...255) + [UInt8](repeating: 7, count: 9_744))
    var written: [UInt8] = []
    func write(_ most: Int) -> Bool {
      piece.write { bytes, count in
        let count = min(count, most)
        written += UnsafeRawBufferPointer(start: bytes, count: count)
        return count
      }
    }
    #expect(piece.write { _, _ in result(-1, EINTR) } && piece.write { _, _ in result(-1, EAGAIN) })
    #expect(!piece.write { _, _ in result(-1, EPIPE) } && !piece.isEmpty)
    // No more than a pipe takes without blocking.
    #expect(write(1_000_000) && written.count == 4_096)
    #expect(write(10) && written.count == 4_106)
    while !piece.isEmpty { #expect(write(1_000_000)) }
    #expect(written == Array(0...255) + [UInt8](repeating: 7, count: 9_744))
  }
}
