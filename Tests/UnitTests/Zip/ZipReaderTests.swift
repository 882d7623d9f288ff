import Foundation
import TestSupport
import Testing
import Zip

@Suite("zips") struct ZipReaderTests {
  private func entries(_ bytes: [UInt8], limits: ZipReader.Limits = .init()) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    try ZipReader(limits: limits).forEachEntry(of: bytes) { found[$0.name] = try $0.bytes() }
    return found
  }

  private func failure(_ bytes: [UInt8], limits: ZipReader.Limits = .init()) -> ZipFailure? {
    do {
      _ = try entries(bytes, limits: limits)
      return nil
    } catch {
      return error as? ZipFailure
    }
  }

  @Test("the files of a zip are read from memory and from an open file, by their names in UTF-8")
  func read() throws {
    var zip = SampleZip()
    zip.add("일기.json", "본문")
    zip.add("photos/", [], mode: 0o040755)
    zip.add("photos/a.jpeg", [0xFF, 0xD8])
    let expected = ["일기.json": Array("본문".utf8), "photos/a.jpeg": [0xFF, 0xD8]]
    #expect(try entries(zip.bytes) == expected)
    let folder = TemporaryFolder()
    let path = folder.file("a.zip")
    try Data(zip.bytes).write(to: URL(filePath: path))
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var names: Set<String> = []
    try ZipReader().forEachEntry(ofDescriptor: descriptor, size: zip.bytes.count) { names.insert($0.name) }
    #expect(names == Set(expected.keys))
  }

  @Test("a name in an encoding that the zip does not tell is shown as far as it can be read, and its file is read")
  func foreignNames() throws {
    var zip = SampleZip()
    // Latin-1.
    zip.add(named: Array("caf".utf8) + [0xE9] + Array(".json".utf8), "{}")
    #expect(try entries(zip.bytes) == ["caf\u{FFFD}.json": Array("{}".utf8)])
    var hostile = SampleZip()
    hostile.add(named: Array("../caf".utf8) + [0xE9], "x")
    #expect(failure(hostile.bytes) == .unsafeName(entry: "../caf\u{FFFD}"))
  }

  @Test(
    "a name that leads out of the zip is refused",
    arguments: ["../a", "a/../../b", "/etc/passwd", "a\\..\\b", "\\\\server\\a", "C:\\a", "a/..", ".."])
  func names(name: String) {
    var zip = SampleZip()
    zip.add("good.json", "{}")
    zip.add(name, "x")
    // What has no other separator was packed on Windows, and libarchive reads it so.
    #expect(failure(zip.bytes) == .unsafeName(entry: name.contains("/") ? name : name.replacing("\\", with: "/")))
  }

  @Test("two dots in a name are no way up")
  func dots() throws {
    var zip = SampleZip()
    zip.add("a..b/...c.json", "x")
    #expect(try entries(zip.bytes).count == 1)
  }

  @Test("links and encrypted entries are refused by name")
  func kinds() {
    var links = SampleZip()
    links.add("link", Array("/etc/passwd".utf8), mode: 0o120777)
    #expect(failure(links.bytes) == .noFile(entry: "link"))
    var encrypted = SampleZip()
    encrypted.add("secret.json", Array(repeating: 7, count: 40), isEncrypted: true)
    #expect(failure(encrypted.bytes) == .encrypted(entry: "secret.json"))
  }

  @Test("what expands a thousandfold is refused, and so are too many bytes and too many entries, by their limits")
  func bounds() {
    var bomb = SampleZip()
    bomb.addZeros("bomb.json")
    #expect(failure(bomb.bytes) == .tooDense(limit: 200))
    #expect(failure(bomb.bytes, limits: .init(ratio: 2_000)) == nil)
    #expect(failure(bomb.bytes, limits: .init(bytes: 1 << 20, ratio: 2_000)) == .tooManyBytes(limit: 1 << 20))
    var many = SampleZip()
    for index in 0..<11 { many.add("\(index)", "") }
    #expect(failure(many.bytes, limits: .init(entries: 10)) == .tooManyEntries(limit: 10))
    #expect(failure(many.bytes, limits: .init(entries: 11)) == nil)
  }

  @Test("what comes out of all files of a zip counts together")
  func boundsOfAll() {
    var zip = SampleZip()
    for name in ["a", "b", "c"] { zip.add(name, [UInt8](repeating: 1, count: 600)) }
    #expect(failure(zip.bytes, limits: .init(bytes: 1_799)) == .tooManyBytes(limit: 1_799))
    #expect(failure(zip.bytes, limits: .init(bytes: 1_800)) == nil)
  }

  @Test("what nobody reads costs nothing: a bomb beside what is wanted is passed over")
  func passedOver() throws {
    var zip = SampleZip()
    zip.addZeros("photo.jpeg")
    zip.add("Journal.json", "{}")
    var text: [UInt8] = []
    try ZipReader().forEachEntry(of: zip.bytes) { if $0.name == "Journal.json" { text = try $0.bytes() } }
    #expect(text == Array("{}".utf8))
  }

  @Test("a zip that was cut off anywhere, or whose bytes have changed, is refused")
  func damaged() {
    var zip = SampleZip()
    zip.add("a.json", String(repeating: "text ", count: 40))
    let bytes = zip.bytes
    for count in [0, 4, 30, 100, bytes.count - 60, bytes.count - 22, bytes.count - 1] {
      guard case .damaged? = failure(Array(bytes[..<count])) else {
        Issue.record("\(count) bytes were taken for a zip")
        continue
      }
    }
    var changed = bytes
    changed[60] ^= 1
    guard case .damaged(let reason)? = failure(changed) else {
      Issue.record("a changed byte was not seen")
      return
    }
    #expect(reason.hasPrefix("a.json: "))
  }

  @Test("who is not wanted any more stops within a file")
  func cancelled() {
    struct Enough: Error {}
    var zip = SampleZip()
    zip.addZeros("a")
    var checks = 0
    let reader = ZipReader(limits: .init(ratio: 2_000)) {
      checks += 1
      if checks == 5 { throw Enough() }
    }
    #expect(throws: Enough.self) { try reader.forEachEntry(of: zip.bytes) { _ = try $0.bytes() } }
    #expect(checks == 5)
  }
}
