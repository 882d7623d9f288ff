/// The two sums of a PNG: CRC-32 over its chunks, Adler-32 over its rows.
struct Checksum: @unchecked Sendable {
  static let shared = Checksum()
  /// Eight tables, with which eight bytes are processed in one step.
  private let tables: UnsafeMutablePointer<UInt32>

  private init() {
    tables = .allocate(capacity: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 {
        value = value & 1 == 1 ? 0xedb8_8320 ^ (value >> 1) : value >> 1
      }
      (tables + byte).initialize(to: value)
    }
    for index in 256..<8 * 256 {
      let value = tables[index - 256]
      (tables + index).initialize(to: tables[Int(value & 0xff)] ^ (value >> 8))
    }
  }

  func crc(_ bytes: [UInt8]) -> UInt32 {
    bytes.withUnsafeBytes(crc)
  }

  func crc(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var value: UInt32 = 0xffff_ffff
    var position = 0
    while position + 8 <= bytes.count {
      let next = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)) ^ UInt64(value)
      value = 0
      for byte in 0..<8 {
        value ^= tables[(7 - byte) << 8 | Int(next >> UInt64(8 * byte) & 0xff)]
      }
      position += 8
    }
    while position < bytes.count {
      value = tables[Int((value ^ UInt32(bytes[position])) & 0xff)] ^ (value >> 8)
      position += 1
    }
    return ~value
  }

  /// The contribution of a row to an Adler-32, independent of the preceding rows: so a repeated row is summed once.
  struct RowSum {
    var first: UInt64 = 0
    var second: UInt64 = 0
  }

  struct Adler {
    private static let modulus: UInt64 = 65_521
    private var first: UInt64 = 1
    private var second: UInt64 = 0

    mutating func append(_ sum: RowSum, count: Int) {
      second = (second + UInt64(count) * first + sum.second) % Self.modulus
      first = (first + sum.first) % Self.modulus
    }

    var value: UInt32 {
      UInt32(second << 16 | first)
    }
  }

  /// Sums sixteen bytes per step. Rows have at most 98,302 bytes, so that no sum exceeds 64 bits, and a block of 4,096
  /// bytes keeps the lanes within their 32 bits.
  static func sum(of bytes: UnsafePointer<UInt8>, count: Int) -> RowSum {
    var total = RowSum()
    let raw = UnsafeRawPointer(bytes)
    var position = 0
    while position + 16 <= count {
      let steps = min(256, (count - position) / 16)
      var sums = SIMD16<UInt32>(repeating: 0)
      var sumsOfSums = SIMD16<UInt32>(repeating: 0)
      for step in 0..<steps {
        let next = raw.loadUnaligned(fromByteOffset: position + 16 * step, as: SIMD16<UInt8>.self)
        sumsOfSums &+= sums
        sums &+= SIMD16<UInt32>(truncatingIfNeeded: next)
      }
      let weights = SIMD16<UInt32>(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1)
      total.second += UInt64(16 * steps) * total.first
      total.second += 16 * UInt64(sumsOfSums.wrappedSum()) + UInt64((sums &* weights).wrappedSum())
      total.first += UInt64(sums.wrappedSum())
      position += 16 * steps
    }
    while position < count {
      total.first += UInt64(bytes[position])
      total.second += total.first
      position += 1
    }
    return total
  }
}
