import Glibc
import PDF

/// Writes a PNG in one pass, several times faster than zlib at its fastest, for files half again as large.
///
/// Pages are mostly repetition: of the previous pixel and of the row above. So only these two matches are tried, with
/// deflate's fixed codes and without PNG's filters; every decoder supports that. A page without color is written with
/// one byte per pixel.
struct PNGEncoder {
  private let pixels: UnsafeRawPointer
  private let width: Int
  private let height: Int

  /// - Parameter pixels: rows without padding, four bytes per pixel: blue, green, red, any.
  init(pixels: UnsafeRawPointer, width: Int, height: Int) {
    self.pixels = pixels
    self.width = width
    self.height = height
  }

  func encode(into output: inout Output) throws(WorkerFailure) {
    let isGray = isGray
    let channels = isGray ? 1 : 3
    let length = 1 + channels * width
    var header: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13]
    let description =
      Array("IHDR".utf8) + bigEndian(width) + bigEndian(height) + [8, isGray ? 0 : 2, 0, 0, 0]
    header += description + bigEndian(Int(Checksum.shared.crc(description)))
    try output.write(header)

    // Two rows alternate. The filter byte, 0 for none, comes first; reading eight bytes at once may exceed the end.
    let rows = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * (length + 32))
    rows.initialize(repeating: 0, count: 2 * (length + 32))
    defer { rows.deallocate() }
    var row = rows
    var above = rows + (length + 32)
    var stream = DeflateStream(longestRow: length, pixel: channels)
    defer { stream.free() }
    var sum = Checksum.RowSum()
    for y in 0..<height {
      let source = pixels + 4 * width * y
      if y > 0, memcmp(source, source - 4 * width, 4 * width) == 0 {
        // The same row again: its sums are known, and it is one long match.
        stream.repeatRow(length)
      } else {
        swap(&row, &above)
        pack(source, into: row + 1, isGray: isGray)
        sum = Checksum.sum(of: row, count: length)
        stream.append(row, above: y > 0 ? above : nil, count: length)
      }
      stream.adler.append(sum, count: length)
      if stream.isFull {
        try stream.writeChunk(into: &output)
      }
    }
    stream.finish()
    try stream.writeChunk(into: &output)
    let end = Array("IEND".utf8)
    try output.write([0, 0, 0, 0] + end + bigEndian(Int(Checksum.shared.crc(end))))
  }

  private var isGray: Bool {
    let words = pixels.assumingMemoryBound(to: UInt32.self)
    for y in 0..<height {
      let row = words + y * width
      var difference: UInt32 = 0
      for x in 0..<width {
        difference |= row[x] ^ (row[x] >> 8)
      }
      if difference & 0xffff != 0 { return false }
    }
    return true
  }

  private func pack(_ source: UnsafeRawPointer, into row: UnsafeMutablePointer<UInt8>, isGray: Bool) {
    let words = source.assumingMemoryBound(to: UInt32.self)
    if isGray {
      for x in 0..<width {
        row[x] = UInt8(truncatingIfNeeded: words[x])
      }
    } else {
      // Four bytes are stored, the last of which is overwritten by the next pixel; the row has space after its end.
      let target = UnsafeMutableRawPointer(row)
      for x in 0..<width {
        target.storeBytes(of: words[x].byteSwapped >> 8, toByteOffset: 3 * x, as: UInt32.self)
      }
    }
  }
}

/// The data of a PNG: a zlib stream with fixed codes, split into chunks as it grows.
private struct DeflateStream {
  private static let chunk = 128 * 1_024
  private static let longestMatch = 258
  private static let farthest = 32_768

  private let buffer: UnsafeMutablePointer<UInt8>
  private var count: Int
  private var bits: UInt64 = 0
  private var bitCount: UInt64 = 0
  private let codes = FixedCodes.shared
  private let pixel: Int
  private let before: FixedCodes.Code
  private let row: FixedCodes.Code?
  var adler = Checksum.Adler()

  init(longestRow: Int, pixel: Int) {
    // A row takes at most nine bits per byte.
    buffer = .allocate(capacity: 64 + Self.chunk + longestRow + longestRow / 8)
    self.pixel = pixel
    before = FixedCodes.distance(pixel)
    row = longestRow <= Self.farthest ? FixedCodes.distance(longestRow) : nil
    count = 8
    put(.init(bits: 0x0178, count: 16))
    // The only block, with fixed codes.
    put(.init(bits: 0b011, count: 3))
  }

  func free() {
    buffer.deallocate()
  }

  var isFull: Bool {
    count >= Self.chunk
  }

  /// Writes a row equal to the one above.
  mutating func repeatRow(_ length: Int) {
    guard let row, length >= 3 else {
      // Too wide for deflate to refer to the row above: the caller's row is still available, but it only compresses
      // well if it is uniform. Such pages are wider than 10,000 pixels.
      return appendAgain()
    }
    var rest = length
    while rest > 0 {
      // The rest must not be shorter than the minimum length of a match.
      var step = min(rest, Self.longestMatch)
      if rest - step == 1 || rest - step == 2 { step -= 3 }
      put(codes.lengths[step], row)
      rest -= step
    }
  }

  private var last: (row: UnsafePointer<UInt8>, count: Int)?

  private mutating func appendAgain() {
    if let last {
      append(last.row, above: nil, count: last.count)
    }
  }

  mutating func append(_ bytes: UnsafePointer<UInt8>, above: UnsafePointer<UInt8>?, count length: Int) {
    last = (bytes, length)
    let above = row == nil ? nil : above
    var position = 0
    while position < length {
      let limit = min(length - position, Self.longestMatch)
      let here = bytes + position
      let fromAbove = above.map { Self.match(here, $0 + position, limit) } ?? 0
      let fromBefore = position >= pixel && fromAbove < limit ? Self.match(here, here - pixel, limit) : 0
      // The previous pixel is nearer, so its code is shorter.
      if fromBefore >= 3, fromBefore >= fromAbove {
        put(codes.lengths[fromBefore], before)
        position += fromBefore
      } else if fromAbove >= 3, let row {
        put(codes.lengths[fromAbove], row)
        position += fromAbove
      } else {
        put(codes.literals[Int(here.pointee)])
        position += 1
      }
    }
  }

  @inline(__always)
  private static func match(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ limit: Int) -> Int {
    let a = UnsafeRawPointer(a)
    let b = UnsafeRawPointer(b)
    var length = 0
    while length < limit {
      let difference =
        a.loadUnaligned(fromByteOffset: length, as: UInt64.self)
        ^ b.loadUnaligned(fromByteOffset: length, as: UInt64.self)
      if difference != 0 {
        return min(limit, length + difference.littleEndian.trailingZeroBitCount >> 3)
      }
      length += 8
    }
    return limit
  }

  mutating func finish() {
    put(.init(bits: 0, count: 7))
    // Padding to the next byte, then the checksum.
    put(.init(bits: 0, count: (8 - bitCount % 8) % 8))
    for byte in bigEndian(Int(adler.value)) {
      put(.init(bits: UInt32(byte), count: 8))
    }
    while bitCount > 0 {
      buffer[count] = UInt8(truncatingIfNeeded: bits)
      count += 1
      bits >>= 8
      bitCount -= 8
    }
  }

  /// Writes the complete bytes so far as one chunk.
  mutating func writeChunk(into output: inout Output) throws(WorkerFailure) {
    let frame = bigEndian(count - 8) + Array("IDAT".utf8)
    for index in 0..<8 {
      buffer[index] = frame[index]
    }
    let checked = UnsafeRawBufferPointer(start: buffer + 4, count: count - 4)
    let sum = bigEndian(Int(Checksum.shared.crc(checked)))
    try output.write(UnsafeRawBufferPointer(start: buffer, count: count))
    try output.write(sum)
    count = 8
  }

  @inline(__always)
  private mutating func put(_ code: FixedCodes.Code) {
    bits |= UInt64(code.bits) << bitCount
    bitCount += code.count
    if bitCount >= 32 {
      UnsafeMutableRawPointer(buffer).storeBytes(
        of: UInt32(truncatingIfNeeded: bits).littleEndian, toByteOffset: count, as: UInt32.self)
      count += 4
      bits >>= 32
      bitCount -= 32
    }
  }

  @inline(__always)
  private mutating func put(_ length: FixedCodes.Code, _ distance: FixedCodes.Code) {
    put(.init(bits: length.bits | distance.bits << UInt32(length.count), count: length.count + distance.count))
  }
}

private func bigEndian(_ value: Int) -> [UInt8] {
  (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
}
