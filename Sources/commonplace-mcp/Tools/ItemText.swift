import Wire

/// Items as lines of text, and the cut of their long texts.
enum ItemText {
  static func name(_ item: JSONValue) -> String {
    let candidates = [item["display"]?["title"], item["title"], item["name"], item["text"], item["id"]]
    let text = candidates.compactMap { $0?.stringValue }.first { !$0.isBlank } ?? ""
    // One character may have any number of combining marks.
    return String(String.UnicodeScalarView((text.split { $0.isNewline }.first ?? "").unicodeScalars.prefix(120)))
  }

  static func line(_ item: JSONValue, collection: String? = nil) -> String {
    let place = link(item, collection: collection)
    var line = "- \(name(item))"
    if let date = item["display"]?["date"]?.stringValue, !date.isEmpty { line += " (\(date))" }
    if let page = item["page"]?.integerValue { line += ", p. \(page)" }
    if let place { line += " <\(place)>" }
    let snippet = item["snippet"] ?? item["preview"] ?? item["note"]
    if let text = snippet?.stringValue, !text.isBlank {
      line += ": " + text.split { $0.isNewline }.joined(separator: " ")
    }
    return line
  }

  /// The link to an item of the library. The member `link` of a post, which has no member `collection`, leads to where
  /// it was published, and is anybody's.
  static func link(_ item: JSONValue, collection: String?) -> String? {
    if let link = item["link"]?.stringValue, let place = ResourceLink(link),
      item["collection"] != nil || [item["id"], item["document"]].contains(.string(place.id))
    {
      return link
    }
    guard let collection = item["collection"]?.stringValue ?? collection, let id = item["id"]?.stringValue else {
      return nil
    }
    return "commonplace:/\(collection)/\(id)"
  }

  /// Shortens the longest texts of a value until it fits, at the end of a sentence. `cut` has the path of each, where
  /// its rest begins and its length, in Unicode scalars.
  static func fitted(_ value: JSONValue, tokens: Int) -> (value: JSONValue, cut: [JSONValue]) {
    var value = value
    var cut: [JSONValue] = []
    for round in 0..<64 where TextBudget.tokens(of: value) > tokens {
      guard let longest = longestText(in: value, at: []), longest.tokens > 40 else { break }
      let excess = TextBudget.tokens(of: value) - tokens
      // At first by halves, so that of two long texts none loses nearly all.
      let left = max(20, longest.tokens - excess - 20, round < 32 ? longest.tokens / 2 : 0)
      let short = TextBudget.cut(longest.text[...], tokens: left)
      guard let rest = short.rest else { break }
      value = replaced(value, at: longest.path[...], by: .string(String(short.text)))
      let field = longest.path.map(\.text).joined(separator: ".")
      let length = cut.first { $0["field"]?.stringValue == field }?["length"]
      cut.removeAll { $0["field"]?.stringValue == field }
      cut.append([
        "field": .string(field), "next": .integer(Int64(rest)),
        "length": length ?? .integer(Int64(longest.text.unicodeScalars.count)),
      ])
    }
    return (value, cut)
  }

  /// Takes the ends off the longest lists of a value, at any depth, until it fits; each keeps an element. `cut` has the
  /// path of each, how many elements are left and how many there were.
  static func shortened(_ value: JSONValue, tokens: Int) -> (value: JSONValue, cut: [JSONValue]) {
    var value = value
    var lengths: [(field: String, shown: Int, length: Int)] = []
    while true {
      let excess = TextBudget.tokens(of: value) - tokens
      guard excess > 0, let longest = longestList(in: value, at: []), longest.elements.count > 1 else { break }
      let count = longest.elements.count
      let size = max(1, TextBudget.tokens(of: .array(longest.elements)))
      // At least a tenth goes, so that few rounds suffice.
      let left = max(1, min(count - 1, count * 9 / 10, count * max(0, size - excess) / size))
      value = replaced(value, at: longest.path[...], by: .array(Array(longest.elements.prefix(left))))
      let field = longest.path.map(\.text).joined(separator: ".")
      let length = lengths.first { $0.field == field }?.length ?? count
      // Parts after the end of the list are gone.
      lengths.removeAll { entry in
        entry.field == field || (left..<count).contains { entry.field.hasPrefix("\(field).\($0).") }
      }
      lengths.append((field, left, length))
    }
    let cut = lengths.map { entry -> JSONValue in
      ["field": .string(entry.field), "shown": .integer(Int64(entry.shown)), "length": .integer(Int64(entry.length))]
    }
    return (value, cut)
  }

  /// The list of the most elements.
  private static func longestList(in value: JSONValue, at path: [Step]) -> (path: [Step], elements: [JSONValue])? {
    var longest: (path: [Step], elements: [JSONValue])?
    func consider(_ other: (path: [Step], elements: [JSONValue])?) {
      if let other, other.elements.count > longest?.elements.count ?? 0 { longest = other }
    }
    switch value {
    case .array(let elements):
      consider((path, elements))
      for (index, element) in elements.enumerated() { consider(longestList(in: element, at: path + [.element(index)])) }
    case .object(let object):
      for member in object.members { consider(longestList(in: member.value, at: path + [.member(member.key)])) }
    default: break
    }
    return longest
  }

  private enum Step {
    case member(String)
    case element(Int)

    var text: String {
      switch self {
      case .member(let name): name
      case .element(let index): String(index)
      }
    }
  }

  private static func longestText(
    in value: JSONValue, at path: [Step]
  ) -> (path: [Step], text: String, tokens: Int)? {
    switch value {
    case .string(let text): return (path, text, TextBudget.tokens(of: text))
    case .array(let elements):
      return elements.enumerated().compactMap { longestText(in: $1, at: path + [.element($0)]) }
        .max { $0.tokens < $1.tokens }
    case .object(let object):
      return object.members.compactMap { longestText(in: $0.value, at: path + [.member($0.key)]) }
        .max { $0.tokens < $1.tokens }
    default: return nil
    }
  }

  private static func replaced(_ value: JSONValue, at path: ArraySlice<Step>, by new: JSONValue) -> JSONValue {
    guard let step = path.first else { return new }
    switch (value, step) {
    case (.array(var elements), .element(let index)):
      elements[index] = replaced(elements[index], at: path.dropFirst(), by: new)
      return .array(elements)
    case (.object(var object), .member(let name)):
      object[name] = replaced(object[name] ?? .null, at: path.dropFirst(), by: new)
      return .object(object)
    default: return value
    }
  }
}
