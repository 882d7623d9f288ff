import Foundation
import Glibc
import TestSupport
import Testing
import Zip

@Suite("Written zips") struct ZipWriterTests {
  private func sum(_ bytes: [UInt8]) -> ZipWriter.Sum {
    var sum = ZipWriter.Sum()
    bytes.withUnsafeBytes { sum.add($0) }
    return sum
  }

  @Test("another reader finds every file, compressed in parts or stored, under its name in UTF-8")
  func read() throws {
    var bytes: [UInt8] = []
    let write: ZipWriter.Writing = { bytes += $0 }
    var zip = ZipWriter()
    // More than two parts, of which the last is none of its own.
    let line = Array("It rained, and we stayed at home. 비가 왔다.\n".utf8)
    let text = Array(repeatElement(line, count: 20_000).joined())
    try zip.begin("일기.json", write)
    for _ in 0..<20_000 { try zip.append(line, write) }
    try zip.end(write)
    try zip.begin("empty.json", write)
    try zip.end(write)
    let photo: [UInt8] = (0..<70_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    try zip.add("photos/a.jpeg", sum(photo), write)
    bytes += photo
    try zip.add("photos/b.jpeg", sum([]), write)
    try zip.finish(write)
    var found: [String: [UInt8]] = [:]
    try ZipReader().forEachEntry(of: bytes) { found[$0.name] = try $0.bytes() }
    #expect(found == ["일기.json": text, "empty.json": [], "photos/a.jpeg": photo, "photos/b.jpeg": []])
    #expect(bytes.count < text.count / 8 + photo.count + 1_000)
  }

  @Test("a checksum that is not the bytes' is noticed by another reader, so ours is that of RFC 1952")
  func checksum() throws {
    var bytes: [UInt8] = []
    var zip = ZipWriter()
    try zip.add("a", sum(Array("Tea".utf8))) { bytes += $0 }
    bytes += Array("Tee".utf8)
    try zip.finish { bytes += $0 }
    #expect(throws: ZipFailure.self) { try ZipReader().forEachEntry(of: bytes) { _ = try $0.bytes() } }
  }

  @Test("a zip of more than 65,535 files, and one of more than 4 GiB, are read as Zip64")
  func large() throws {
    var bytes: [UInt8] = []
    var many = ZipWriter()
    let nothing = sum([])
    for number in 0..<65_600 { try many.add("\(number)", nothing) { bytes += $0 } }
    try many.finish { bytes += $0 }
    var last = ""
    try ZipReader().forEachEntry(of: bytes) { last = $0.name }
    #expect(last == "65599")

    let place = TemporaryFolder()
    let path = place.file("large.zip")
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    defer {
      close(descriptor)
      withExtendedLifetime(place) {}
    }
    let write: ZipWriter.Writing = { #expect(Glibc.write(descriptor, $0.baseAddress, $0.count) == $0.count) }
    let zeros = [UInt8](repeating: 0, count: 64 << 20)
    var half = ZipWriter.Sum()
    zeros.withUnsafeBytes { for _ in 0..<40 { half.add($0) } }
    var zip = ZipWriter()
    for name in ["a.mov", "b.mov"] {
      try zip.add(name, half, write)
      // The file has holes, and occupies no disk.
      lseek(descriptor, off_t(half.size), SEEK_CUR)
    }
    try zip.add("c.txt", sum(Array("Tea".utf8)), write)
    try Array("Tea".utf8).withUnsafeBytes(write)
    try zip.finish(write)
    let size = Int(lseek(descriptor, 0, SEEK_END))
    lseek(descriptor, 0, SEEK_SET)
    var found: [String] = []
    var text: [UInt8] = []
    try ZipReader().forEachEntry(ofDescriptor: descriptor, size: size) { entry in
      found.append(entry.name)
      if entry.name == "c.txt" { text = try entry.bytes() }
    }
    #expect(size > 5 << 30 && found == ["a.mov", "b.mov", "c.txt"] && text == Array("Tea".utf8))
  }
}
