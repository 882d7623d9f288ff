import Testing
import Zip

@Suite("Raw deflate") struct DeflateTests {
  private static let samples: [[UInt8]] = [
    [], [0], Array("Tea, tea, tea, tea, tea.".utf8), [UInt8](repeating: 7, count: 100_000),
    (0..<70_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) },
  ]

  @Test("what is compressed expands to the same bytes, up to a limit that they may just have", arguments: samples)
  func whole(bytes: [UInt8]) {
    let compressed = Deflate.compressed(bytes)
    #expect(Deflate.expanded(compressed, limit: bytes.count) == bytes)
    #expect(Deflate.expanded(compressed, limit: 200_000) == bytes)
    #expect(bytes.isEmpty || Deflate.expanded(compressed, limit: bytes.count - 1) == nil)
    #expect(compressed.count <= bytes.count + 64)
  }

  @Test("half a stream, a stream with more behind it, and no stream expand to nothing")
  func broken() {
    let compressed = Deflate.compressed(Self.samples[2])
    for count in 0..<compressed.count { #expect(Deflate.expanded(Array(compressed[..<count]), limit: 1_000) == nil) }
    #expect(Deflate.expanded(compressed + [0], limit: 1_000) == nil)
    #expect(Deflate.expanded([0xFF, 0xFF, 0xFF], limit: 1_000) == nil)
  }

  @Test("another program's stream is read, and no header stands before ours")
  func others() {
    // By Python's zlib.compressobj(9, zlib.DEFLATED, -15).
    #expect(Deflate.expanded([0x0B, 0x49, 0x4D, 0x04, 0x00], limit: 9) == Array("Tea".utf8))
    #expect(Deflate.compressed(Array("Tea".utf8)) == [0x0B, 0x49, 0x4D, 0x04, 0x00])
  }
}

@Suite("Files of gzip") struct GzipMemberTests {
  private static let content = Array("Tea, tea, tea.".utf8)

  private static func file(flags: UInt8 = 0, _ more: [UInt8] = [], size: Int? = nil) -> [UInt8] {
    let length = UInt32(size ?? content.count)
    let end = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    return [0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3] + more + Deflate.compressed(content) + [0, 0, 0, 0] + end
  }

  @Test("a member is expanded, whatever its header has before the content")
  func headers() {
    #expect(Gzip.expanded(Self.file(), limit: 14) == Self.content)
    #expect(Gzip.expanded(Self.file(flags: 8, Array("a.synctex\0".utf8)), limit: 100) == Self.content)
    #expect(Gzip.expanded(Self.file(flags: 30, [2, 0, 9, 9, 0x61, 0, 0x62, 0, 1, 1]), limit: 100) == Self.content)
  }

  @Test("what is larger than the limit, states another size, is cut off or is something else, expands to nothing")
  func broken() {
    #expect(Gzip.expanded(Self.file(), limit: 13) == nil)
    #expect(Gzip.expanded(Self.file(size: 13), limit: 100) == nil)
    #expect(Gzip.expanded(Self.file(size: 15), limit: 100) == nil)
    let whole = Self.file(flags: 24, Array("a\0b\0".utf8))
    for count in 0..<whole.count { #expect(Gzip.expanded(Array(whole[..<count]), limit: 100) == nil) }
    #expect(Gzip.expanded(Self.file(flags: 4, [0xFF, 0xFF]), limit: 100) == nil)
  }
}
