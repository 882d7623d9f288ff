import Kit

extension String {
  /// The text without surrounding white space and without NUL, which no field accepts; `nil` if nothing is left.
  package var readable: String? {
    func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace || scalar == "\0" }
    // The fast path: most texts are clean.
    if let first = unicodeScalars.first, let last = unicodeScalars.last, !isBlank(first), !isBlank(last),
      !utf8.contains(0)
    {
      return self
    }
    var scalars = unicodeScalars[...]
    while let first = scalars.first, isBlank(first) { scalars.removeFirst() }
    while let last = scalars.last, isBlank(last) { scalars.removeLast() }
    if scalars.isEmpty { return nil }
    if scalars.contains("\0") { return String(String.UnicodeScalarView(scalars.filter { $0 != "\0" })) }
    return String(scalars)
  }

  /// The text with at most `limit` Unicode scalars; a shortened one ends in an ellipsis.
  package func shortened(to limit: Int) -> (text: String, isShortened: Bool) {
    // There are no more scalars than bytes, and the byte count is stored.
    guard utf8.count > limit, unicodeScalars.count > limit else { return (self, false) }
    return (String(String.UnicodeScalarView(unicodeScalars.prefix(limit - 1))) + "…", true)
  }
}
