import Foundation
import Synchronization

/// The sources of this package, for tests that read them.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// The imports of the sources by path: they are asked for again by each test of a target.
  private static let imports = Mutex<[String: Set<String>]>([:])

  struct Source: Sendable {
    /// From the top level, such as `Sources/Wire/Text.swift`.
    var path: String
    var text: String
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    var imports: Set<String> {
      if let known = Repository.imports.withLock({ $0[path] }) { return known }
      let imports = foundImports
      Repository.imports.withLock { $0[path] = imports }
      return imports
    }

    private var foundImports: Set<String> {
      Set(
        text.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line in
          // Few lines begin so, and the others need not be read as letters.
          guard let first = line.first(where: { $0 != UInt8(ascii: " ") }), "@ip".utf8.contains(first) else {
            return nil
          }
          let line = Substring(line)
          let words = line.split(separator: " ")
          guard let place = words.firstIndex(of: "import"), words.count > place + 1,
            words[..<place].allSatisfy({
              $0.hasPrefix("@") || ["package", "public", "internal", "private"].contains($0)
            })
          else { return nil }
          // `import struct Foundation.Data` names the module before the point.
          let kinds = ["struct", "class", "enum", "func", "protocol", "typealias", "var", "let"]
          let name =
            kinds.contains(String(words[place + 1])) && words.count > place + 2 ? words[place + 2] : words[place + 1]
          return String(name.prefix { $0 != "." })
        })
    }

    /// The text without comments and string literals, where names are only names.
    var code: String {
      var code: [UInt8] = []
      code.reserveCapacity(text.utf8.count)
      for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        Self.add(Array(line), to: &code)
        code.append(UInt8(ascii: "\n"))
      }
      return String(decoding: code, as: UTF8.self)
    }

    /// Adds the code of a line, by bytes: there are tens of thousands of lines.
    private static func add(_ line: [UInt8], to code: inout [UInt8]) {
      let (blank, slash, quote) = (UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: "\""))
      var place = line.firstIndex { $0 != blank } ?? line.count
      guard !line[place...].starts(with: [slash, slash]) else { return }
      let end = line.firstRange(of: [blank, slash, slash, blank])?.lowerBound ?? line.count
      place = 0
      while place < end {
        code.append(line[place])
        if line[place] == quote {
          var close = place + 1
          while close < end, line[close] != quote { close += line[close] == UInt8(ascii: "\\") ? 2 : 1 }
          if close < end {
            code.append(quote)
            place = close
          }
        }
        place += 1
      }
    }
  }

  static func sources(under folder: String) -> [Source] {
    let files = FileManager.default.enumerator(atPath: root + "/" + folder)
    return (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
      (try? String(contentsOfFile: "\(root)/\(folder)/\(path)", encoding: .utf8)).map {
        Source(path: folder + "/" + path, text: $0)
      }
    }
  }

  static func text(_ path: String) -> String? {
    try? String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }

  /// Whether files that are made from the code are to be written instead of compared: `REGENERATE=1 scripts/test`.
  static var isRegenerating: Bool { ProcessInfo.processInfo.environment["REGENERATE"] == "1" }

  static func write(_ text: String, to path: String) throws {
    try text.write(toFile: root + "/" + path, atomically: true, encoding: .utf8)
  }
}
