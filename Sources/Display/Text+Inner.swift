import Wire

extension Text {
  /// What stands before the name in a place that takes a whole sentence: `{sentence.mistake}`.
  static let innerFamily = "sentence."

  /// The same with a sentence inside of it, at the place `{sentence.name}`. Its arguments are told apart by its key.
  package func saying(_ inner: Text, at name: String) -> Text {
    var text = self
    text.arguments[name] = inner.key
    for (argument, value) in inner.arguments { text.arguments["\(inner.key)/\(argument)"] = value }
    return text
  }

  /// The sentence inside of it that has this key.
  func inner(_ key: String) -> Text {
    let prefix = "\(key)/"
    var inner = Text(key)
    for (argument, value) in arguments where argument.hasPrefix(prefix) {
      inner.arguments[String(argument.dropFirst(prefix.count))] = value
    }
    return inner
  }
}
