/// Deflate's fixed codes (RFC 1951, 3.2.6), with their extra bits, in the bit order of the stream.
struct FixedCodes: @unchecked Sendable {
  struct Code {
    var bits: UInt32
    var count: UInt64
  }

  static let shared = FixedCodes()
  /// Indexed by byte.
  let literals: UnsafeMutablePointer<Code>
  /// Indexed by length, from 3 to 258.
  let lengths: UnsafeMutablePointer<Code>

  private init() {
    literals = .allocate(capacity: 256)
    for byte in 0..<256 {
      (literals + byte).initialize(
        to: byte < 144 ? Self.turned(0x30 + byte, 8) : Self.turned(0x190 + byte - 144, 9))
    }
    lengths = .allocate(capacity: 259)
    lengths.initialize(repeating: Code(bits: 0, count: 0), count: 259)
    var code = 257
    var length = 3
    while length < 258 {
      let extra = code < 265 ? 0 : (code - 261) / 4
      for offset in 0..<1 << extra where length + offset < 258 {
        lengths[length + offset] = Self.symbol(code).followed(by: offset, extra)
      }
      length += 1 << extra
      code += 1
    }
    lengths[258] = Self.symbol(285)
  }

  private static func symbol(_ code: Int) -> Code {
    code < 280 ? turned(code - 256, 7) : turned(0xc0 + code - 280, 8)
  }

  /// The code of a distance from 1 to 32,768.
  static func distance(_ distance: Int) -> Code {
    var code = 0
    var base = 1
    while true {
      let extra = code < 4 ? 0 : (code - 2) / 2
      if distance < base + 1 << extra {
        return turned(code, 5).followed(by: distance - base, extra)
      }
      base += 1 << extra
      code += 1
    }
  }

  /// Codes are written from their most significant bit, everything else from the least significant one.
  private static func turned(_ code: Int, _ count: Int) -> Code {
    var bits: UInt32 = 0
    for bit in 0..<count where code >> bit & 1 == 1 {
      bits |= 1 << UInt32(count - 1 - bit)
    }
    return Code(bits: bits, count: UInt64(count))
  }
}

extension FixedCodes.Code {
  fileprivate func followed(by extra: Int, _ extraCount: Int) -> Self {
    Self(bits: bits | UInt32(extra) << UInt32(count), count: count + UInt64(extraCount))
  }
}
