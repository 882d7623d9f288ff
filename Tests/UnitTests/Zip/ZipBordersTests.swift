import CArchive
import Foundation
import TestSupport
import Testing
import Zip

@Suite("Borders of zips") struct ZipBordersTests {
  private func read(_ bytes: [UInt8], _ limits: ZipReader.Limits = .init()) -> Result<[String], ZipFailure> {
    var names: [String] = []
    do {
      try ZipReader(limits: limits).forEachEntry(of: bytes) { entry in
        _ = try entry.bytes()
        names.append(entry.name)
      }
      return .success(names)
    } catch {
      return .failure(error as? ZipFailure ?? .damaged("\(error)"))
    }
  }

  @Test("a megabyte is free, and from there on a zip may grow less than so many times")
  func ratio() {
    var zip = SampleZip()
    zip.add("a", [UInt8](repeating: 1, count: 1 << 20))
    #expect(read(zip.bytes, .init(ratio: 0)) == .success(["a"]))
    var larger = SampleZip()
    larger.add("a", [UInt8](repeating: 1, count: 1 << 20 | 1))
    #expect(read(larger.bytes, .init(ratio: 0)) == .failure(.tooDense(limit: 0)))
    var bomb = SampleZip()
    bomb.addZeros("a")
    let times = (4 << 20) / bomb.bytes.count
    #expect(read(bomb.bytes, .init(ratio: times + 1)) == .success(["a"]))
    #expect(read(bomb.bytes, .init(ratio: times)) == .failure(.tooDense(limit: times)))
  }

  @Test("by themselves 200,000 entries and 512 MiB are read of a zip, which may hold 200 times its size")
  func usual() {
    let limits = ZipReader.Limits()
    #expect(limits.entries == 200_000 && limits.bytes == 512 << 20 && limits.ratio == 200)
  }

  @Test("folders count as entries")
  func folders() {
    var zip = SampleZip()
    zip.add("a/", [], mode: 0o040755)
    zip.add("a/b", "x")
    #expect(read(zip.bytes, .init(entries: 2)) == .success(["a/b"]))
    #expect(read(zip.bytes, .init(entries: 1)) == .failure(.tooManyEntries(limit: 1)))
    #expect(read(zip.bytes, .init(entries: 0)) == .failure(.tooManyEntries(limit: 0)))
  }

  @Test(
    "what is neither a file nor a folder is refused by name",
    arguments: [0o020644, 0o060644, 0o120777, 0o140755])
  func kinds(mode: Int) {
    var zip = SampleZip()
    zip.add("thing", [], mode: mode)
    #expect(read(zip.bytes) == .failure(.noFile(entry: "thing")))
  }

  @Test("between entries that nobody reads it is asked whether anybody still wants the rest")
  func cancelled() {
    struct Enough: Error {}
    var zip = SampleZip()
    for index in 0..<5 { zip.add("\(index)", "x") }
    var (checks, names) = (0, 0)
    let reader = ZipReader {
      checks += 1
      if checks == 4 { throw Enough() }
    }
    #expect(throws: Enough.self) { try reader.forEachEntry(of: zip.bytes) { _ in names += 1 } }
    #expect(checks == 4 && names == 3)
  }

  @Test("a name may hold colons and points, but may not be empty or begin with a drive")
  func names() {
    for name in ["a:b/c", "a/b:", "...", ".a", "a..", "a/...b", "a.b"] {
      var zip = SampleZip()
      zip.add(name, "x")
      #expect(read(zip.bytes) == .success([name]))
    }
    for name in ["C:/a", "/", "c:"] {
      var zip = SampleZip()
      zip.add(name, "x")
      #expect(read(zip.bytes) == .failure(.unsafeName(entry: name)))
    }
  }

  @Test("what cannot be opened is damaged, with libarchive's reason")
  func unopened() {
    guard case .damaged(let reason)? = failure({ try ZipReader().forEachEntry(ofDescriptor: -1, size: 0) { _ in } })
    else {
      Issue.record("a closed file was read")
      return
    }
    #expect(!reason.isEmpty)
    let folder = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(folder) }
    guard case .damaged? = failure({ try ZipReader().forEachEntry(ofDescriptor: folder, size: 0) { _ in } }) else {
      Issue.record("a folder was read")
      return
    }
  }

  private func failure(_ body: () throws -> Void) -> ZipFailure? {
    do {
      try body()
      return nil
    } catch {
      return error as? ZipFailure
    }
  }

  @Test("the thread's locale is the same before and after, and an entry's bytes can be had once")
  func locale() throws {
    var zip = SampleZip()
    zip.add("책", "text")
    let before = uselocale(nil)
    try ZipReader().forEachEntry(of: zip.bytes) { entry in
      #expect(uselocale(nil) == before)
      let (first, second) = (try entry.bytes(), try entry.bytes())
      #expect(first == Array("text".utf8) && second == [])
    }
    #expect(uselocale(nil) == before)
  }
}
