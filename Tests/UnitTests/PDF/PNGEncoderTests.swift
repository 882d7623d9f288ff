import Foundation
import PDF
import TestSupport
import Testing

@testable import commonplace_pdf

@Suite("Pictures written as PNG") struct PNGEncoderTests {
  private func encoded(_ pixels: [UInt32], _ width: Int, _ height: Int) throws -> [UInt8] {
    let folder = TemporaryFolder()
    let path = folder.file("a.png")
    var output = Output(Descriptor(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)))
    try pixels.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      try PNGEncoder(pixels: start, width: width, height: height).encode(into: &output)
    }
    let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
    #expect(output.count == file.count)
    return file
  }

  private func expectSame(
    _ width: Int, _ height: Int, isGray: Bool, _ name: String, _ pixel: (Int, Int) -> UInt32
  ) throws {
    let pixels = (0..<height).flatMap { y in (0..<width).map { x in pixel(x, y) } }
    let raster = try Raster(png: try encoded(pixels, width, height))
    #expect(raster.channels == (isGray ? 1 : 3), "\(name) \(width) × \(height)")
    let raw = pixels.withUnsafeBytes { Array($0) }
    #expect(raster == Raster(raw: raw, width: width, height: height), "\(name) \(width) × \(height)")
  }

  private func noise(_ x: Int, _ y: Int) -> UInt32 {
    var value = UInt32(truncatingIfNeeded: x &* 7_919 &+ y &* 104_729 &+ 1)
    for _ in 0..<3 { value = (value ^ value >> 15) &* 0x2C1B_3C6D }
    return value
  }

  private func gray(_ value: UInt32) -> UInt32 { 0xFF00_0000 | (value & 0xFF) * 0x01_0101 }

  @Test(
    "every pixel comes back, whatever repeats and whatever does not",
    arguments: [1, 2, 3, 4, 7, 8, 9, 16, 85, 86, 87, 128, 256, 257, 258, 259, 260, 261, 262, 515, 600])
  func pixels(width: Int) throws {
    try expectSame(width, 5, isGray: true, "white") { _, _ in 0xFFFF_FFFF }
    try expectSame(width, 5, isGray: false, "red") { _, _ in 0xFF00_00FF << 8 | 0xFF }
    try expectSame(width, 4, isGray: true, "grey noise") { x, y in gray(noise(x, y)) }
    try expectSame(width, 4, isGray: false, "noise") { x, y in noise(x, y) | 0x10 }
    try expectSame(width, 6, isGray: true, "the same rows") { x, y in gray(noise(x, y / 3)) }
    try expectSame(width, 6, isGray: false, "rows alike") { x, y in noise(x % 5, x == width - 1 ? y : 0) | 0x20 }
    try expectSame(width, 6, isGray: true, "runs") { x, y in gray(UInt32(x / 3 * 40 + y)) }
    try expectSame(width, 3, isGray: false, "one pixel of colour") { x, y in
      x == width - 1 && y == 2 ? 0xFF01_0000 : 0xFF00_0000
    }
  }

  @Test("rows that are wider than deflate looks back come back too")
  func wide() throws {
    for width in [10_922, 10_923, 12_000] {
      try expectSame(width, 3, isGray: false, "wide") { x, _ in noise(x / 2, 0) | 0x40 }
    }
    for width in [32_766, 32_767, 32_768, 33_000] {
      try expectSame(width, 3, isGray: true, "wide") { x, y in gray(noise(x / 2, y / 2)) }
    }
  }

  @Test("a large picture comes in several parts")
  func large() throws {
    try expectSame(700, 300, isGray: false, "large") { x, y in noise(x, y) | 0x80 }
  }

  @Test("a file that takes no more says why")
  func full() throws {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    var output = Output(Descriptor(descriptor))
    #expect(throws: WorkerFailure.outputError(errno: ENOSPC)) { try output.write([1]) }
    #expect(output.count == 0)
  }

  @Test("the sums are those of their definitions, for every length")
  func sums() {
    let bytes = (0..<98_302).map { UInt8(truncatingIfNeeded: noise($0, 3)) }
    func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
      var value = UInt32.max
      for byte in bytes {
        value ^= UInt32(byte)
        for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
      }
      return ~value
    }
    func adler(_ bytes: ArraySlice<UInt8>) -> UInt32 {
      var (first, second) = (UInt32(1), UInt32(0))
      for byte in bytes {
        first = (first + UInt32(byte)) % 65_521
        second = (second + first) % 65_521
      }
      return second << 16 | first
    }
    for count in Array(0...40) + [4_095, 4_096, 4_097, 8_192, 10_000, 98_302] {
      let part = bytes.prefix(count)
      #expect(Checksum.shared.crc(Array(part)) == crc(part), "\(count)")
      var sum = Checksum.Adler()
      Array(part).withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return }
        sum.append(Checksum.sum(of: start, count: count), count: count)
        sum.append(Checksum.sum(of: start, count: count), count: count)
      }
      if count > 0 { #expect(sum.value == adler(part + part), "\(count)") }
    }
    // The largest sums there can be.
    let most = [UInt8](repeating: 255, count: 98_302)
    var sum = Checksum.Adler()
    most.withUnsafeBufferPointer { sum.append(Checksum.sum(of: $0.baseAddress!, count: most.count), count: most.count) }
    #expect(sum.value == adler(most[...]))
  }
}
