import Wire

/// An error in `config.toml`.
package struct ConfigurationError: Error, Equatable {
  /// From 1; nil if it concerns the file as a whole.
  package let line: Int?
  /// The full path of the key, such as `pdf.workers`; nil if it concerns no key.
  package let key: String?
  /// The message, which names line and key; some have an advice (`Catalogue.advice`). Never contains a secret.
  package let text: Text
  /// The key's path, name by name; empty if it concerns no key.
  let path: [String]
  /// The other errors of the file.
  package private(set) var others: [ConfigurationError] = []

  init(line: Int?, path: [String] = [], text: Text) {
    self.line = line
    self.path = path
    key = path.isEmpty ? nil : path.joined(separator: ".")
    self.text = text
  }

  init(_ first: ConfigurationError, with others: [ConfigurationError]) {
    self = first
    self.others = others
  }

  /// The messages of this error and all others.
  package var texts: [Text] { [text] + others.map(\.text) }
}
