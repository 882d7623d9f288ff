/// Writes small zips by hand, as they should be and as nobody should send them.
package struct SampleZip {
  private var files: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0

  package init() {}

  /// A file as it is. `mode` is what Unix knows of it: 0o120777 is a link. `isEncrypted` only says so.
  package mutating func add(_ name: String, _ bytes: [UInt8], mode: Int = 0o100644, isEncrypted: Bool = false) {
    add(
      Array(name.utf8), method: 0, packed: bytes, checksum: Self.checksum(bytes), size: bytes.count, mode: mode,
      isEncrypted)
  }

  /// A file whose name is in an encoding that the zip does not tell, as those of old programs are.
  package mutating func add(named name: [UInt8], _ text: String) {
    let bytes = Array(text.utf8)
    add(
      name, isUTF8: false, method: 0, packed: bytes, checksum: Self.checksum(bytes), size: bytes.count, mode: 0o100644,
      false)
  }

  package mutating func add(_ name: String, _ text: String) { add(name, Array(text.utf8)) }

  /// 4 MiB of zeros in 4,080 bytes: one block of DEFLATE (RFC 1951) with codes of its own, in which a byte stands for four
  /// matches of 258 bytes. As zlib writes it: the codes and the first zero, the matches, the end of the block.
  package mutating func addZeros(_ name: String) {
    let head: [UInt8] = [0xED, 0xC1, 0x01, 0x01, 0x00, 0x00, 0x00, 0x82, 0x20, 0xFF, 0xAF, 0x6E, 0x48, 0x40, 0x01]
    let packed = head + [UInt8](repeating: 0, count: 4_080 - head.count - 2) + [0x7C, 0x1B]
    let zeros = [UInt8](repeating: 0, count: 4 << 20)
    add(
      Array(name.utf8), method: 8, packed: packed, checksum: Self.checksum(zeros), size: zeros.count, mode: 0o100644,
      false)
  }

  private mutating func add(
    _ name: [UInt8], isUTF8: Bool = true, method: Int, packed: [UInt8], checksum: UInt32, size: Int, mode: Int,
    _ isEncrypted: Bool
  ) {
    let place = files.count
    // Bit 0: encrypted; bit 11: the name is UTF-8.
    let common =
      Self.word(20) + Self.word((isUTF8 ? 0x800 : 0) | (isEncrypted ? 1 : 0)) + Self.word(method) + Self.word(0)
      + Self.word(0x21) + Self.long(Int(checksum)) + Self.long(packed.count) + Self.long(size) + Self.word(name.count)
      + Self.word(0)
    files += Self.long(0x0403_4B50) + common + name + packed
    directory +=
      Self.long(0x0201_4B50) + Self.word(0x031E) + common + Self.word(0) + Self.word(0) + Self.word(0)
      + Self.long(mode << 16) + Self.long(place) + name
    count += 1
  }

  package var bytes: [UInt8] {
    files + directory + Self.long(0x0605_4B50) + Self.word(0) + Self.word(0) + Self.word(count) + Self.word(count)
      + Self.long(directory.count) + Self.long(files.count) + Self.word(0)
  }

  private static func word(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
  }

  private static func long(_ number: Int) -> [UInt8] { word(number) + word(number >> 16) }

  /// CRC-32 of ISO 3309, by bytes.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var checksum: UInt32 = 0xFFFF_FFFF
    for byte in bytes { checksum = table[Int((checksum ^ UInt32(byte)) & 255)] ^ checksum >> 8 }
    return ~checksum
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }
}
