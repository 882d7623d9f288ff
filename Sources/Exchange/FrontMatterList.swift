import Wire

/// A list in front matter, from the lines of its key.
///
///     tags: ["novel","to read"]
///     tags: [novel, to read]
///     tags: novel, to read
///     tags:
///       - novel
package enum FrontMatterList {
  /// The elements of a list in JSON on one line, as exports write it; nil for any other value.
  package static func flow(_ line: Substring) -> [String]? {
    let value = line.drop { $0 != ":" }.dropFirst().trimmed
    guard value.hasPrefix("[") else { return nil }
    guard let elements = (try? JSONParser.parse(value))?.arrayValue else { return nil }
    let texts = elements.compactMap(\.stringValue)
    // `[2024, 2025]` is a list of YAML, whose elements are read as they are written.
    return texts.count == elements.count ? texts : nil
  }

  /// - Parameters:
  ///   - lines: at least the line of the key.
  ///   - isTags: also separates elements by spaces, and removes `#` before them.
  package static func elements(_ lines: [Substring], isTags: Bool) -> [String] {
    if let flow = flow(lines[0]) { return flow }
    let first = lines[0].drop { $0 != ":" }.dropFirst().trimmed
    var elements: [String]
    if first.hasPrefix("[") {
      let flow = ([first] + lines.dropFirst().map { $0.trimmed }).joined(separator: " ")
      elements = flow.dropFirst().prefix { $0 != "]" }.split(separator: ",").map(String.init)
    } else if first.isEmpty {
      elements = lines.dropFirst().compactMap { line in
        let line = line.trimmed
        return line.hasPrefix("-") ? String(line.dropFirst()) : nil
      }
    } else if isTags {
      elements = first.split { first.contains(",") ? $0 == "," : $0.isWhitespace }.map(String.init)
    } else {
      elements = [first]
    }
    return elements.compactMap { element in
      var element = element[...].trimmed
      if element.count > 1, let quote = element.first, quote == "\"" || quote == "'", element.last == quote {
        element = String(element.dropFirst().dropLast())
      }
      if isTags { element = String(element.drop { $0 == "#" }) }
      return element.isEmpty ? nil : element
    }
  }
}

extension Substring {
  /// Without the white space at both ends.
  package var trimmed: String {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
