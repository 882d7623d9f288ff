import Foundation
import TestSupport
import Testing

/// README.md, whose pieces of program are run as they stand there.
enum Readme {
  static let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
  static let text = (try? String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)) ?? ""

  /// The blocks in a language, of the section under a heading or of the whole text.
  static func blocks(in language: String, under heading: String? = nil) -> [String] {
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

  /// Starts a program of Debian's. One that is missing fails the test and names its package.
  func startProgram(_ name: String, _ arguments: [String], package: String) throws -> ChildProcess {
    let path = "/usr/bin/" + name
    try #require(FileManager.default.isExecutableFile(atPath: path), "apt-get install \(package)")
    return try ChildProcess(path, arguments, environment: readersEnvironment, folder: work)
  }
}
