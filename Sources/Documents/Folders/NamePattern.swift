import Contract
import SearchEngine
import Wire

/// Patterns of file names: `*` matches any number of characters, `?` one. Case, width and composition are ignored.
struct NamePatterns: Sendable {
  static let usual = ["*.pdf"]
  static let most = 20
  static let longest = 100

  private let patterns: [[Unicode.Scalar]]

  /// - Throws: `invalidParams` for a pattern that is blank, too long, or has a slash.
  init(_ patterns: [String], field: String = "patterns") throws(RPCError) {
    self.patterns = patterns.map { Array(foldedText($0).unicodeScalars) }
    for (index, pattern) in patterns.enumerated() {
      guard pattern.unicodeScalars.count <= Self.longest, !pattern.contains("/"), !pattern.isBlank else {
        throw .invalidParams(
          field: "\(field)[\(index)]", reason: Text("documents.badPattern", ["maximum": String(Self.longest)]))
      }
    }
  }

  func matches(_ name: String) -> Bool {
    let name = Array(foldedText(name).unicodeScalars)
    return patterns.contains { Self.matches(name, $0) }
  }

  /// The time is proportional to the product of both lengths: only the last `*` is retried.
  private static func matches(_ name: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
    var (place, index) = (0, 0)
    var star: (index: Int, place: Int)?
    while place < name.count {
      if index < pattern.count, pattern[index] == "*" {
        star = (index, place)
        index += 1
      } else if index < pattern.count, pattern[index] == "?" || pattern[index] == name[place] {
        index += 1
        place += 1
      } else if let last = star {
        star = (last.index, last.place + 1)
        index = last.index + 1
        place = last.place + 1
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == "*" }
  }
}
