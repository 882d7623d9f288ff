import Foundation
import Store
import TestSupport
import Testing

@testable import Exchange

@Suite("Unfinished exports of an earlier daemon") struct LeftoversTests {
  private let outside = TemporaryFolder()
  private let folder: LibraryFolder
  private static let id = "0192F0C1-6A00-7000-8000-000000000000"

  init() throws {
    folder = LibraryFolder(outside.file("library"))
    try folder.prepare()
    try FileManager.default.createDirectory(atPath: folder.parts, withIntermediateDirectories: true)
    try setStart(after: 3_600)
  }

  /// The daemon's lock: what is older is of an earlier one.
  private func setStart(after seconds: TimeInterval) throws {
    if !FileManager.default.fileExists(atPath: folder.lock) { try Data().write(to: URL(filePath: folder.lock)) }
    try FileManager.default.setAttributes(
      [.modificationDate: Date.now.addingTimeInterval(seconds)], ofItemAtPath: folder.lock)
  }

  private func exists(_ path: String) -> Bool { (try? FileManager.default.attributesOfItem(atPath: path)) != nil }

  /// Makes a file with a note on it; gives both paths.
  private func export(_ name: String, noted id: String = id) throws -> (file: String, note: String) {
    let (file, note) = (outside.file(name), folder.parts + "/\(id).export")
    try Data("kept".utf8).write(to: URL(filePath: file))
    try FileManager.default.createSymbolicLink(atPath: note, withDestinationPath: file)
    return (file, note)
  }

  @Test("a file with the name of its note is removed, and so is the note")
  func removed() throws {
    let export = try export(".out.\(Self.id).part")
    Leftovers.removeExports(of: folder)
    #expect(!exists(export.file) && !exists(export.note))
  }

  @Test(
    "a file of any other name stays, whatever a note says",
    arguments: [
      ".out.part", ".out.\(id)", "\(id).part", ".out.0192F0C1-6A00-7000-8000-000000000001.part", ".out.\(id).part.txt",
    ])
  func others(name: String) throws {
    let export = try export(name)
    Leftovers.removeExports(of: folder)
    #expect(exists(export.file) && !exists(export.note))
  }

  @Test("a note of a name that no daemon gives, or with a relative path, removes nothing but itself")
  func notes() throws {
    let named = try export(".out.mine.part", noted: "mine")
    let relative = folder.parts + "/\(Self.id).export"
    let beside = folder.parts + "/.out.\(Self.id).part"
    try Data().write(to: URL(filePath: beside))
    try FileManager.default.createSymbolicLink(atPath: relative, withDestinationPath: ".out.\(Self.id).part")
    Leftovers.removeExports(of: folder)
    #expect(exists(named.file) && !exists(named.note) && exists(beside) && !exists(relative))
  }

  @Test("of a folder only its files are removed, and a folder within it stays")
  func folders() throws {
    for hasInner in [false, true] {
      let id = hasInner ? "0192F0C1-6A00-7000-8000-000000000002" : Self.id
      let part = outside.file(".out.\(id).part")
      try FileManager.default.createDirectory(
        atPath: part + (hasInner ? "/inner" : ""), withIntermediateDirectories: true)
      for name in ["a.md", "b.md"] { try Data().write(to: URL(filePath: part + "/" + name)) }
      if hasInner { try Data().write(to: URL(filePath: part + "/inner/c.md")) }
      try FileManager.default.createSymbolicLink(atPath: folder.parts + "/\(id).export", withDestinationPath: part)
      Leftovers.removeExports(of: folder)
      #expect(exists(part) == hasInner && !exists(part + "/a.md") && exists(part + "/inner/c.md") == hasInner)
    }
  }

  @Test("what is younger than this daemon is its own, and other names are none of these")
  func younger() throws {
    let export = try export(".out.\(Self.id).part")
    try Data().write(to: URL(filePath: folder.parts + "/x.tmp"))
    #expect(Leftovers.names(ending: ".tmp", in: folder) == ["x.tmp"])
    try setStart(after: -3_600)
    #expect(Leftovers.names(ending: ".tmp", in: folder) == [] && Leftovers.names(ending: ".export", in: folder) == [])
    Leftovers.removeExports(of: folder)
    #expect(exists(export.file) && exists(export.note))
    // Without a lock nobody knows what is older.
    try FileManager.default.removeItem(atPath: folder.lock)
    #expect(Leftovers.names(ending: ".tmp", in: folder) == [])
  }
}
