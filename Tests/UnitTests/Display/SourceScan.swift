import Foundation

/// The keys in the source files: named by `Text("…")`, or by any literal that begins as the keys of errors and of
/// parameters do.
struct SourceScan {
  private(set) var files = 0
  private(set) var named: Set<String> = []
  /// The argument names of each text whose arguments are written out beside its key, for each place that names it.
  private(set) var arguments: [(key: String, names: Set<String>)] = []
  /// What stands before the first interpolation of a key.
  private(set) var prefixes: Set<String> = []

  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    for path in paths where path.hasSuffix(".swift") {
      let source = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      read(
        source.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
          .joined(separator: "\n"))
      files += 1
    }
  }

  private mutating func read(_ source: String) {
    for match in source.matches(of: #/(?:\bText\(\s*"|"(?=(?:error|param)\.))([^"]*)"/#) {
      let key = String(match.output.1)
      if let interpolation = key.range(of: #"\("#) {
        prefixes.insert(String(key[..<interpolation.lowerBound]))
      } else {
        named.insert(key)
      }
    }
    for match in source.matches(of: #/\binvalidRequest\("(\w+)"/#) {
      named.insert("error.invalidRequest.\(match.output.1)")
    }
    for match in source.matches(of: #/\bText\(\s*"([^"\\]*)"\s*(?:\)|,\s*\[(.*?)\]\s*\))/#.dotMatchesNewlines()) {
      let names = (match.output.2 ?? "").matches(of: #/"(\w+)":/#).map { String($0.output.1) }
      arguments.append((String(match.output.1), Set(names)))
    }
  }
}
