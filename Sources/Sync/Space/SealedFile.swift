import Crypto

/// The container of all files but `space` (the STREAM construction, as age has it). Integers are big-endian.
///
///     0–3    CPSY
///     4      format, 1
///     5      1 log, 2 piece
///     6–7    generation of the secret
///     8–39   random salt, which makes the file's key
///     40–    chunks of 65,536 bytes, the last one shorter, each with its tag of 16 bytes: ChaCha20-Poly1305.
///            Nonce: 11 bytes number of the chunk, 1 byte 1 for the last one, else 0. Associated data: bytes 0–39,
///            and for a log file 8 bytes writer and 8 bytes number
///
/// In the chunks: u32 length, the content, zeros up to the size of Padmé, so that sizes say little of contents.
struct SealedFile {
  enum Kind: UInt8 {
    case log = 1
    case piece = 2

    /// What the key is for.
    var info: String {
      switch self {
      case .log: "commonplace sync 1 log"
      case .piece: "commonplace sync 1 piece"
      }
    }
  }

  static let magic = Array("CPSY".utf8)
  static let format: UInt8 = 1
  private static let saltCount = 32
  private static let headCount = 40
  private static let chunkBytes = 65_536

  let kind: Kind
  let space: [UInt8]
  let generation: Int
  let secret: SpaceSecret

  /// - Parameters:
  ///   - place: what else the file is opened by.
  ///   - salt: random; the same only in tests.
  func seal(_ content: [UInt8], as place: [UInt8] = [], salt: [UInt8] = randomBytes(saltCount)) -> [UInt8] {
    var plain = Self.bigEndian(UInt64(content.count), count: 4) + content
    plain += [UInt8](repeating: 0, count: Self.padded(plain.count) - plain.count)
    let head = Self.magic + [Self.format, kind.rawValue] + Self.bigEndian(UInt64(generation), count: 2) + salt
    let key = key(salt)
    var result = head
    result.reserveCapacity(Self.sealedBytes(content.count))
    for (number, start) in stride(from: 0, to: plain.count, by: Self.chunkBytes).enumerated() {
      let end = min(plain.count, start + Self.chunkBytes)
      SealedChunk.seal(
        plain[start..<end], key: key, nonce: Self.nonce(number, isLast: end == plain.count), associated: head + place,
        to: &result)
    }
    return result
  }

  /// - Throws: `LogFileError`.
  func open(_ bytes: [UInt8], as place: [UInt8] = []) throws(LogFileError) -> [UInt8] {
    guard bytes.starts(with: Self.magic), bytes.count > 4, bytes[4] > 0 else { throw .damaged }
    guard bytes[4] == Self.format else { throw .newerFormat }
    guard bytes.count > Self.headCount, bytes[5] == kind.rawValue else { throw .damaged }
    let other = Int(bytes[6]) << 8 | Int(bytes[7])
    guard other == generation else { throw other > 0 && other < generation ? .olderKey : .damaged }
    let head = Array(bytes[..<Self.headCount])
    let key = key(Array(head.suffix(Self.saltCount)))
    let step = Self.chunkBytes + SealedChunk.tagBytes
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    for (number, start) in stride(from: Self.headCount, to: bytes.count, by: step).enumerated() {
      let end = min(bytes.count, start + step)
      let isOpen = SealedChunk.open(
        bytes[start..<end], key: key, nonce: Self.nonce(number, isLast: end == bytes.count), associated: head + place,
        to: &plain)
      guard isOpen else { throw .damaged }
    }
    guard plain.count >= 4 else { throw .damaged }
    let count = plain[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard count <= plain.count - 4, Self.padded(4 + count) == plain.count, plain[(4 + count)...].allSatisfy({ $0 == 0 })
    else { throw .damaged }
    return Array(plain[4..<4 + count])
  }

  /// The size of a file with so many bytes of content.
  static func sealedBytes(_ count: Int) -> Int {
    let plain = padded(4 + count)
    return headCount + plain + (plain + chunkBytes - 1) / chunkBytes * SealedChunk.tagBytes
  }

  /// Padmé (Nikitin and others, 2019): at most 12 % more, and few different sizes.
  static func padded(_ count: Int) -> Int {
    guard count > 1 else { return count }
    let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
    let digits = Int.bitWidth - exponent.leadingZeroBitCount
    let mask = 1 << max(0, exponent - digits) - 1
    return (count + mask) & ~mask
  }

  private func key(_ salt: [UInt8]) -> [UInt8] { derivedKey(from: secret.bytes, salt: space + salt, info: kind.info) }

  private static func nonce(_ number: Int, isLast: Bool) -> [UInt8] {
    bigEndian(UInt64(number), count: 11) + [isLast ? 1 : 0]
  }

  static func bigEndian(_ value: UInt64, count: Int) -> [UInt8] {
    (0..<count).reversed().map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) : 0 }
  }
}
