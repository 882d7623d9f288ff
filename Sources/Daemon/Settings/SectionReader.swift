import Contract
import HTTP
import Wire

/// One section of `config.toml`, whose values are asked for by key and type; each mistake names line and key.
struct SectionReader {
  private let document: TOMLDocument
  private let table: [String: TOMLNode]
  private let path: [String]

  /// The document itself.
  init(_ document: TOMLDocument, keys: [String]) throws(ConfigurationError) {
    try self.init(document, table: document.root, path: [], keys: keys)
  }

  private init(
    _ document: TOMLDocument, table: [String: TOMLNode], path: [String], keys: [String]?
  ) throws(ConfigurationError) {
    self.document = document
    self.table = table
    self.path = path
    guard let keys else { return }
    // A misspelled option that is silently ignored costs its author an evening.
    for name in names where !keys.contains(name) {
      var text = Text("configuration.unknownKey")
      text.arguments["nearest"] = nearestName(to: name, among: keys)
      throw mistake(name, text)
    }
  }

  /// The keys in the order of their lines.
  var names: [String] {
    let lines = table.keys.map { (line: document.line(of: path + [$0]) ?? 0, name: $0) }
    return lines.sorted { ($0.line, $0.name) < ($1.line, $1.name) }.map(\.name)
  }

  /// A section in this one. `keys` are all that it may hold; nil if they are names that the user chose.
  func section(_ key: String, keys: [String]?) throws(ConfigurationError) -> SectionReader? {
    guard let node = table[key] else { return nil }
    guard case .table(let table) = node else { throw mistake(key, Text("configuration.wantsSection")) }
    return try SectionReader(document, table: table, path: path + [key], keys: keys)
  }

  func text(_ key: String) throws(ConfigurationError) -> String? {
    guard let node = table[key] else { return nil }
    guard case .text(let text) = node else { throw mistake(key, Text("configuration.wantsText")) }
    return text
  }

  func boolean(_ key: String) throws(ConfigurationError) -> Bool? {
    guard let node = table[key] else { return nil }
    guard case .boolean(let value) = node else { throw mistake(key, Text("configuration.wantsBoolean")) }
    return value
  }

  func integer(_ key: String, in range: ClosedRange<Int>) throws(ConfigurationError) -> Int? {
    guard let node = table[key] else { return nil }
    guard case .integer(let value) = node, range.contains(value) else {
      let arguments = ["least": String(range.lowerBound), "most": String(range.upperBound)]
      throw mistake(key, Text("configuration.wantsInteger", arguments))
    }
    return value
  }

  func texts(_ key: String) throws(ConfigurationError) -> [String]? {
    guard let node = table[key] else { return nil }
    guard case .list(let nodes) = node else { throw mistake(key, Text("configuration.wantsTexts")) }
    var texts: [String] = []
    for (index, node) in nodes.enumerated() {
      guard case .text(let text) = node else {
        throw mistake(key, element: index, Text("configuration.wantsTexts"))
      }
      texts.append(text)
    }
    return texts
  }

  /// The base URL of a service, without a slash at its end.
  func url(_ key: String) throws(ConfigurationError) -> String? {
    guard let text = try text(key) else { return nil }
    guard let url = try? WebURL(text), !text.contains("?"), !text.contains("#") else {
      throw mistake(key, Text("configuration.wantsURL"))
    }
    return url.text.hasSuffix("/") ? String(url.text.dropLast()) : url.text
  }

  /// An origin alone: with a path it would promise a narrower rule than there is.
  func origin(_ key: String, _ text: String, element: Int? = nil) throws(ConfigurationError) -> Origin {
    guard let url = try? WebURL(text), url.target == "/", !text.contains("#") else {
      throw mistake(key, element: element, Text("configuration.wantsOrigin"))
    }
    return url.origin
  }

  /// A mistake at a key of this section, or at an element of its list. Adds line and key to the text's arguments.
  func mistake(_ key: String, element: Int? = nil, _ text: Text) -> ConfigurationError {
    let name = (path + [key]).joined(separator: ".")
    let place = path + [key] + (element.map { [TOMLDocument.element($0)] } ?? [])
    let line = document.line(of: place)
    var text = text
    text.arguments["key"] = name
    text.arguments["line"] = line.map(String.init) ?? "?"
    return ConfigurationError(line: line, path: path + [key], text: text)
  }
}
