import Foundation

/// gzip by hand, so that a test can send what no compressor makes.
package enum SampleGzip {
  /// A text as it is, in a gzip frame.
  package static func whole(_ text: String) -> Data { whole(Data(text.utf8)) }

  package static func whole(_ data: Data) -> Data {
    var body = Data()
    var rest = data[...]
    repeat {
      let piece = rest.prefix(65_535)
      rest = rest.dropFirst(piece.count)
      let count = UInt16(piece.count)
      body.append(rest.isEmpty ? 1 : 0)
      body.append(contentsOf: [UInt8(count & 0xff), UInt8(count >> 8), UInt8(~count & 0xff), UInt8(~count >> 8)])
      body.append(piece)
    } while !rest.isEmpty
    return frame(body, crc: crc(data), count: data.count)
  }

  /// So many zeros (at least 1) in as few bytes as deflate can: 158 to 1.
  package static func zeros(_ count: Int) -> Data {
    var bits = BitWriter()
    bits.add(0b011, 3)  // the last block, of fixed codes
    bits.addCode(0b0011_0000, 8)  // one zero
    let matches = (count - 1) / 258
    for _ in 0..<matches {
      bits.addCode(0b1100_0101, 8)  // 258 bytes more
      bits.addCode(0, 5)  // of one byte ago
    }
    for _ in 0..<(count - 1) % 258 { bits.addCode(0b0011_0000, 8) }
    bits.addCode(0, 7)
    return frame(bits.data, crc: crc(Data(count: count)), count: count)
  }

  private static func frame(_ body: Data, crc: UInt32, count: Int) -> Data {
    var data = Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]) + body
    for word in [crc, UInt32(truncatingIfNeeded: count)] {
      for shift in [0, 8, 16, 24] { data.append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
    }
    return data
  }

  private static func crc(_ data: Data) -> UInt32 {
    let table = (0..<256).map { byte -> UInt32 in
      (0..<8).reduce(UInt32(byte)) { word, _ in word & 1 == 1 ? 0xedb8_8320 ^ word >> 1 : word >> 1 }
    }
    return ~data.reduce(~UInt32(0)) { word, byte in table[Int((word ^ UInt32(byte)) & 0xff)] ^ word >> 8 }
  }

  private struct BitWriter {
    private var bytes: [UInt8] = []
    private var used = 8

    var data: Data { Data(bytes) }

    /// The lowest bit first.
    mutating func add(_ value: Int, _ count: Int) {
      for bit in 0..<count { append(UInt8(value >> bit & 1)) }
    }

    /// The highest bit first, as codes are written.
    mutating func addCode(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() { append(UInt8(value >> bit & 1)) }
    }

    private mutating func append(_ bit: UInt8) {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      bytes[bytes.count - 1] |= bit << UInt8(used)
      used += 1
    }
  }
}
