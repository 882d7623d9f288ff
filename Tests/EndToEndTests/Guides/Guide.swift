import Foundation
import TestSupport
import Testing

/// A page for people, whose pieces of program are run as they stand there.
struct Guide {
  static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
  static let readme = Guide(path: "README.md")
  static let catalogue = "Sources/commonplace/Commonplace.docc"

  let path: String
  let text: String

  private init(path: String) {
    self.path = path
    text = (try? String(contentsOf: Self.root.appending(path: path), encoding: .utf8)) ?? ""
  }

  init(_ name: String) { self.init(path: "\(Self.catalogue)/\(name).md") }

  /// The names of all guides but the first page of the catalogue.
  static var names: [String] {
    let files = try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: catalogue).path)
    return (files ?? []).filter { $0.hasSuffix(".md") }.map { String($0.dropLast(3)) }.filter { $0 != "Commonplace" }
      .sorted()
  }

  /// The blocks in a language, of the section under a heading or of the whole text.
  func blocks(in language: String, under heading: String? = nil) -> [String] {
    var blocks: [String] = []
    var isInside = false
    var isWanted = heading == nil
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if !isInside, line.hasPrefix("## "), let heading { isWanted = line == "## \(heading)" }
      if isInside, line == "```" {
        isInside = false
      } else if isInside {
        blocks[blocks.count - 1] += line + "\n"
      } else if isWanted, line == "```\(language)" {
        isInside = true
        blocks.append("")
      }
    }
    return blocks
  }
}

extension CommandLineHome {
  /// As the reader's own: with `commonplace` on the `PATH`, as it was built together with the tests.
  var readersEnvironment: [String: String] {
    let built = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
    return environment.merging(["PATH": "\(built):/usr/bin:/bin"]) { _, new in new }
  }

  func place(_ text: String, as name: String) throws {
    try text.write(toFile: work + "/" + name, atomically: true, encoding: .utf8)
  }

  /// Starts a program of Debian's, or one with a whole path. One that is missing fails the test and names its package.
  func startProgram(
    _ name: String, _ arguments: [String], package: String, changing environment: [String: String] = [:]
  ) throws -> ChildProcess {
    let path = name.hasPrefix("/") ? name : "/usr/bin/" + name
    try #require(FileManager.default.isExecutableFile(atPath: path), "apt-get install \(package)")
    return try ChildProcess(
      path, arguments, environment: readersEnvironment.merging(environment) { $1 }, folder: work)
  }
}
