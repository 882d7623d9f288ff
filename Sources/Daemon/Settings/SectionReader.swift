import Contract
import Wire

/// One section of `config.toml`; each error names line and key.
struct SectionReader {
  private let document: TOMLDocument
  private let table: [String: TOMLNode]
  let path: [String]

  /// The section of the whole document.
  init(_ document: TOMLDocument) {
    (self.document, table, path) = (document, document.root, [])
  }

  private init(_ document: TOMLDocument, table: [String: TOMLNode], path: [String]) {
    (self.document, self.table, self.path) = (document, table, path)
  }

  /// The keys in the order of their lines.
  var names: [String] {
    let lines = table.keys.map { (line: document.line(of: path + [$0]) ?? 0, name: $0) }
    return lines.sorted { ($0.line, $0.name) < ($1.line, $1.name) }.map(\.name)
  }

  /// Refuses unknown keys: a misspelled option that is silently ignored costs its author an evening.
  func refuseOthers(than known: [String]) throws(ConfigurationError) {
    for name in names where !known.contains(name) {
      var text = Text("configuration.unknownKey")
      text.arguments["nearest"] = nearestName(to: name, among: known)
      throw mistake(name, text)
    }
  }

  func value(_ name: String) -> SettingValue? {
    table[name].map { SettingValue(node: $0, section: self, name: name) }
  }

  /// A subsection.
  func section(_ name: String) throws(ConfigurationError) -> SectionReader? {
    guard let node = table[name] else { return nil }
    guard case .table(let table) = node else { throw mistake(name, Text("configuration.wantsSection")) }
    return SectionReader(document, table: table, path: path + [name])
  }

  /// An error at a key of this section, or at an element of its list. Adds line and key to the text's arguments.
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
