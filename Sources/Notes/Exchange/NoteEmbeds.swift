import Store

/// The pictures and other files that a text shows and that the library does not have: `![[a.png]]`,
/// `![](pictures/a.png)`.
enum NoteEmbeds {
  /// The longest reference that is scanned, in characters, and the most of them.
  private static let longest = 1_000
  private static let most = 1_000

  static func hasFiles(_ text: String) -> Bool {
    var rest = text[...]
    var count = 0
    while count < most, let start = rest.firstRange(of: "![") {
      rest = rest[start.upperBound...]
      count += 1
      let reference = rest.prefix(longest)
      if reference.hasPrefix("[") {
        guard let end = reference.firstRange(of: "]]") else { continue }
        // A note has no extension.
        let target = reference[..<end.lowerBound].prefix { $0 != "|" && $0 != "#" }
        if target.contains("."), !target.lowercased().hasSuffix(".md") { return true }
      } else if let middle = reference.firstRange(of: "](") {
        let target = reference[middle.upperBound...].prefix { $0 != ")" }
        if !target.isEmpty, !target.contains("://"), StableLink(String(target)) == nil { return true }
      }
    }
    return false
  }
}
