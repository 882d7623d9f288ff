import Wire

/// A shell's completions for the conditions of a query: `tag:` with the tags of the library, `in:` with its
/// collections.
extension ItemCompletion {
  /// The completions of a short form: items where it takes one, conditions where it takes a query.
  func words(_ prefix: String, in words: [String]) -> [String] {
    let takesItem = words.dropFirst().first.flatMap { ShortForm.all[$0]?.takesItem } ?? false
    return takesItem ? matching(prefix) : conditions(prefix, in: words)
  }

  /// - Parameters:
  ///   - prefix: what was typed of the word.
  ///   - words: the words of the command line. For some shells the field, the colon and the value are words of their
  ///     own.
  func conditions(_ prefix: String, in words: [String]) -> [String] {
    guard words.contains("search"), let place else { return [] }
    if let colon = prefix.firstIndex(of: ":"), colon > prefix.startIndex {
      let field = prefix[...colon]
      return values(of: String(prefix), place).map { field + $0 }
    }
    guard let field = Self.field(before: prefix, in: words) else { return [] }
    return values(of: "\(field):" + (prefix == ":" ? "" : prefix), place)
  }

  /// The tags of the library with this beginning.
  func tags(beginningWith prefix: String) -> [String] {
    place.map { values(of: "tag:" + prefix, $0) } ?? []
  }

  private static func field(before prefix: String, in words: [String]) -> String? {
    var words = words[...]
    if let last = words.last, sameBytes(last, prefix), !sameBytes(prefix, ":") { words.removeLast() }
    guard words.count > 1, words.last == ":" else { return nil }
    return words.dropLast().last
  }

  /// The values with which the daemon completes a condition such as `tag:tra`, without those that a shell would expand.
  private func values(of condition: String, _ place: Place) -> [String] {
    let params: JSONValue = ["scope": "library", "text": .string(condition), "limit": 50]
    guard let reply = ask(KnownMethod.suggest, params, place) else { return [] }
    let texts = (reply["tags"]?.arrayValue ?? []) + (reply["conditions"]?.arrayValue ?? [])
    return texts.compactMap { text in
      guard let text = text["text"]?.stringValue, let colon = text.firstIndex(of: ":") else { return nil }
      let value = String(text[text.index(after: colon)...])
      return value.split(separator: "/", omittingEmptySubsequences: false).allSatisfy({ Self.isPlain(String($0)) })
        ? value : nil
    }
  }
}
