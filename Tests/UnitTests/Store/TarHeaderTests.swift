import Testing

@testable import Store

@Suite struct TarHeaderTests {
  @Test(
    "a member's size is read as it was written, over 8 GiB too",
    arguments: [0, 1, (1 << 33) - 1, 1 << 33, 9 << 30, 1 << 40] as [Int64])
  func size(_ size: Int64) throws {
    let bytes = TarHeader(name: "derived/pdfPage.jsonl", size: size).bytes
    #expect(bytes.count == 512)
    let header = try #require(TarHeader(bytes))
    #expect(header.size == size && header.name == "derived/pdfPage.jsonl")
    // Eleven octal digits where they hold it, which every tar reads.
    #expect((bytes[124] == 0x80) == (size >= 1 << 33))
  }
}
