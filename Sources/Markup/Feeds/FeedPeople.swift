/// Parses the people of feeds: `ann@example.org (Ann)`, the same the other way round, `Ann <ann@example.org>`, `Ann`,
/// an address alone.
enum FeedPeople {
  static func person(_ text: String, limit: Int) -> FeedEntry.Person? {
    guard let line = FeedText.line(text, limit: limit) else { return nil }
    let (open, close): (Character, Character) = line.hasSuffix(")") ? ("(", ")") : ("<", ">")
    if line.last == close, let start = line.firstIndex(of: open) {
      let inside = FeedText.trimmed(line[line.index(after: start)...].dropLast()) ?? ""
      let outside = FeedText.trimmed(line[..<start]) ?? ""
      let (name, address) = open == "(" ? (inside, outside) : (outside, inside)
      if isAddress(address) { return .init(name: name, address: address) }
      if isAddress(name) { return .init(name: address, address: name) }
    }
    return isAddress(line) ? .init(name: "", address: line) : .init(name: line, address: nil)
  }

  static func person(name: String?, address: String?, limit: Int) -> FeedEntry.Person? {
    let name = name.flatMap { FeedText.line($0, limit: limit) }
    let address = address.flatMap { FeedText.line($0, limit: limit) }
    guard name != nil || address != nil else { return nil }
    return .init(name: name ?? "", address: address)
  }

  private static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".") && !text.contains(" ")
  }
}
