import Foundation
import TestSupport
import Testing

@testable import Documents

@Suite("Documents: scans of folders") struct FolderScanTests {
  private let root = TemporaryFolder()

  private func folder() throws -> FileFolder {
    let folder = try FileFolder("papers", in: root)
    for name in ["a.pdf", "b.pdf", "sub/c.pdf", "sub/deep/d.pdf"] { try folder.write(name, Data("%PDF-".utf8)) }
    return folder
  }

  private func scan(_ paths: [String], _ limits: FolderScan.Limits = .init()) throws -> FoundFiles {
    try FolderScan.files(
      at: paths, recursive: true, patterns: NamePatterns(NamePatterns.usual), limits: limits, checkCancelled: {})
  }

  private func names(_ found: FoundFiles) -> [String] { found.files.map { ($0.path as NSString).lastPathComponent } }

  @Test("files are found by name, and a file that has changed has another signature")
  func signatures() throws {
    let folder = try folder()
    let found = try scan([folder.path + "/"])
    #expect(names(found) == ["a.pdf", "b.pdf", "c.pdf", "d.pdf"] && found.problems.isEmpty)
    #expect(found.files[0].path == folder.file("a.pdf"))
    try folder.write("b.pdf", Data("%PDF-1".utf8))
    let again = try scan([folder.path])
    #expect(zip(found.files, again.files).map { $0.signature == $1.signature } == [true, false, true, true])
  }

  @Test("a file that was rewritten in place with its old size and time has another signature")
  func rewritten() throws {
    let folder = try folder()
    let found = try scan([folder.file("a.pdf")])
    var information = stat()
    #expect(stat(folder.file("a.pdf"), &information) == 0)
    // Times of inodes have the resolution of the kernel's tick.
    repeat {
      let file = try FileHandle(forWritingTo: URL(filePath: folder.file("a.pdf")))
      try file.write(contentsOf: Data("%PDX-".utf8))
      try file.close()
      #expect(utimensat(AT_FDCWD, folder.file("a.pdf"), [information.st_atim, information.st_mtim], 0) == 0)
    } while try changeTime(folder.file("a.pdf")) == information.st_ctim.tv_nsec
    #expect(try scan([folder.file("a.pdf")]).files[0].signature != found.files[0].signature)
  }

  private func changeTime(_ path: String) throws -> Int {
    var information = stat()
    try #require(stat(path, &information) == 0)
    return information.st_ctim.tv_nsec
  }

  @Test("a folder with too many entries, too deep or of too many files is a problem, and the rest is found")
  func bounds() throws {
    let folder = try folder()
    let large = try scan([folder.path], .init(entries: 3))
    #expect(names(large) == ["a.pdf", "b.pdf", "c.pdf", "d.pdf"])
    for number in 1...3 { try folder.write("sub/deep/\(number).pdf", Data("%PDF-".utf8)) }
    let larger = try scan([folder.path], .init(entries: 3))
    #expect(names(larger) == ["a.pdf", "b.pdf", "c.pdf"])
    #expect(larger.problems.map(\.path) == [folder.file("sub/deep")])
    #expect(larger.isUnknown(folder.file("sub/deep/d.pdf")) && !larger.isUnknown(folder.file("sub/c.pdf")))
    let flat = try scan([folder.path], .init(depth: 2))
    #expect(names(flat) == ["a.pdf", "b.pdf", "c.pdf"] && flat.problems.map(\.path) == [folder.file("sub/deep")])
    let few = try scan([folder.path], .init(files: 2))
    #expect(names(few) == ["a.pdf", "b.pdf"] && few.isCutOff && few.problems.count == 1)
    // `papers` has three entries, `sub` two, and `deep` four.
    let entries = try scan([folder.path], .init(allEntries: 4))
    #expect(
      names(entries) == ["a.pdf", "b.pdf"] && entries.isCutOff && entries.problems.map(\.path) == [folder.file("sub")])
    #expect(try scan([folder.path], .init(allEntries: 8)).isCutOff)
    #expect(try !scan([folder.path], .init(allEntries: 9)).isCutOff)
    let gone = (1...5).map { folder.file("gone-\($0)") }
    let problems = try scan(gone, .init(problems: 3))
    #expect(problems.isCutOff && problems.problems.map(\.path) == gone)
    #expect(
      problems.problems.suffix(2).map(\.error.text.key) == ["documents.tooManyProblems", "documents.notScanned"])
  }

  @Test("paths after the bound are reported, each by its name")
  func afterBound() throws {
    let folder = try folder()
    let paths = [folder.path, folder.file("a.pdf"), folder.file("sub")]
    let found = try scan(paths, .init(files: 4))
    #expect(names(found) == ["a.pdf", "b.pdf", "c.pdf", "d.pdf"])
    #expect(found.problems.map(\.path) == Array(paths.dropFirst()))
    #expect(found.problems.map(\.error.text.key) == ["documents.tooManyFiles", "documents.notScanned"])
  }

  private static func device(_ path: String) -> dev_t? {
    var information = stat()
    return stat(path, &information) == 0 ? information.st_dev : nil
  }

  @Test(
    "a folder on another file system is a problem, unless it is named itself",
    .enabled(if: device("/dev") != device("/dev/shm") && device("/dev/shm") != nil, "/dev/shm is no other file system"))
  func fileSystems() throws {
    let other = "/dev/shm/commonplace-scan-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: other) }
    try Data("%PDF-".utf8).write(to: URL(filePath: "\(other)/a.pdf"))
    let found = try scan(["/dev"])
    #expect(found.files.isEmpty && found.problems.map(\.path).contains("/dev/shm"))
    #expect(try names(scan([other])) == ["a.pdf"])
  }

  @Test("paths that cannot be scanned are problems: missing ones, loops of links, folders without permission")
  func problems() throws {
    let folder = try folder()
    try folder.link("one", to: folder.file("two"))
    try folder.link("two", to: folder.file("one"))
    chmod(folder.file("sub"), 0)
    defer { chmod(folder.file("sub"), 0o700) }
    let found = try scan([folder.file("one"), folder.file("gone"), folder.path])
    #expect(names(found).prefix(2) == ["a.pdf", "b.pdf"] && found.ignored == 2)
    // Root may enter any folder.
    let forbidden = geteuid() == 0 ? [] : [folder.file("sub")]
    #expect(found.problems.map(\.path) == [folder.file("one"), folder.file("gone")] + forbidden)
  }

  @Test("a named link is followed, to a file and to a folder; a special file is no file")
  func named() throws {
    let folder = try folder()
    let links = try FileFolder("links", in: root)
    try links.link("papers", to: folder.path)
    try links.link("a", to: folder.file("a.pdf"))
    mkfifo(folder.file("pipe.pdf"), 0o600)
    let found = try scan([links.file("papers"), links.file("a")])
    #expect(names(found) == ["a.pdf", "b.pdf", "c.pdf", "d.pdf", "a"] && found.ignored == 1)
  }

  @Test(
    "patterns know any number of characters and single ones, in any case and composition",
    arguments: [
      ("*.pdf", "a.PDF", true), ("*.pdf", "a.pdf.txt", false), ("*.pdf", ".pdf", true), ("a?c", "abc", true),
      ("a?c", "ac", false), ("*a*b*", "xxaxxbxx", true), ("*a*b", "aXbX", false), ("*", "", true), ("", "", false),
      ("É*", "e\u{301}a", true), ("**x", "x", true),
    ])
  func patterns(pattern: String, name: String, matches: Bool) throws {
    guard !pattern.isEmpty else {
      #expect(throws: (any Error).self) { try NamePatterns([pattern]) }
      return
    }
    #expect(try NamePatterns([pattern]).matches(name) == matches, "\(pattern) \(name)")
  }
}
