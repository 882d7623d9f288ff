import Wire

extension Text {
  /// The prefix of placeholders for a whole sentence: `{sentence.mistake}`.
  static let innerFamily = "sentence."

  /// The text with a sentence inserted at the placeholder `{sentence.name}`. Its arguments are prefixed with its key.
  package func saying(_ inner: Text, at name: String) -> Text {
    var text = self
    text.arguments[name] = inner.key
    for (argument, value) in inner.arguments { text.arguments["\(inner.key)/\(argument)"] = value }
    return text
  }

  /// The inserted sentence with this key.
  func inner(_ key: String) -> Text {
    let prefix = "\(key)/"
    var inner = Text(key)
    for (argument, value) in arguments where argument.hasPrefix(prefix) {
      inner.arguments[String(argument.dropFirst(prefix.count))] = value
    }
    return inner
  }
}
