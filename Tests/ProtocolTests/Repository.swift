import Foundation

/// The sources of this package, for tests that read them.
enum Repository {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  struct Source: Sendable {
    /// From the top level, such as `Sources/Wire/Text.swift`.
    var path: String
    var text: String
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    var imports: Set<String> {
      Set(
        lines.compactMap { line in
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
      lines.map { line in
        var kept = line.trimmingPrefix(while: \.isWhitespace).hasPrefix("//") ? "" : String(line)
        if let comment = kept.range(of: " // ") { kept = String(kept[..<comment.lowerBound]) }
        return kept.replacing(/"(?:[^"\\]|\\.)*"/, with: "\"\"")
      }.joined(separator: "\n")
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

  /// Whether files that are made from the code are to be written instead of compared: `REGENERATE=1 swift test`.
  static var isRegenerating: Bool { ProcessInfo.processInfo.environment["REGENERATE"] == "1" }

  static func write(_ text: String, to path: String) throws {
    try text.write(toFile: root + "/" + path, atomically: true, encoding: .utf8)
  }
}
