import Foundation
import TestSupport
import Testing

@testable import Documents

/// Only files that daemons made are removed from their caches.
@Suite("Caches: whose files are removed") struct DaemonFilesTests {
  private static let picture = "\(String(repeating: "0a", count: 16))-0123456789ab.png"

  /// Puts the same things beside each other: what is ours, and what only looks like it.
  static func fill(_ folder: String, ours name: String, outside: String) throws -> Set<String> {
    try FileManager.default.createDirectory(atPath: folder + "/kept", withIntermediateDirectories: true)
    try Data("theirs".utf8).write(to: URL(filePath: outside))
    let others = ["notes.txt", "x" + name, name + "~", ".\(name)", "kept/" + name]
    for name in others + [name] { try Data("a file".utf8).write(to: URL(filePath: folder + "/" + name)) }
    // Named as ours, but a link and a folder.
    let link = name.replacing("0a", with: "0b")
    try #require(symlink(outside, folder + "/" + link) == 0)
    let nested = name.replacing("0a", with: "0c")
    try FileManager.default.createDirectory(atPath: folder + "/" + nested, withIntermediateDirectories: false)
    try Data("a file".utf8).write(to: URL(filePath: "\(folder)/\(nested)/deep"))
    return Set(others + [link, nested, nested + "/deep", "kept"])
  }

  static func names(in folder: String) throws -> Set<String> {
    Set(try FileManager.default.subpathsOfDirectory(atPath: folder))
  }

  @Test("pictures of an earlier daemon are removed, and nothing else in their folder or at the end of a link")
  func pictures() throws {
    let folder = TemporaryFolder()
    let others = try Self.fill(folder.file("pictures"), ours: Self.picture, outside: folder.file("theirs"))
    _ = Pictures(folder: folder.file("pictures"))
    #expect(try Self.names(in: folder.file("pictures")) == others)
    #expect(FileManager.default.contents(atPath: folder.file("theirs")) == Data("theirs".utf8))
    // A folder that is a link is left alone with all that it leads to.
    let theirs = folder.file("their folder")
    let before = try Self.fill(theirs, ours: Self.picture, outside: folder.file("theirs"))
    try #require(symlink(theirs, folder.file("linked")) == 0)
    _ = Pictures(folder: folder.file("linked"))
    #expect(try Self.names(in: theirs) == before.union([Self.picture]))
  }
}
