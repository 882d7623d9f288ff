/// The beginning of a body for a list: its first lines as they are, without blank lines at its beginning.
enum BodyPreview {
  /// Unicode scalars of all lines together.
  private static let length = 300

  static func text(of body: String, lines limit: Int) -> String {
    var preview = String.UnicodeScalarView()
    var line = String.UnicodeScalarView()
    var lines = 0
    var count = 0
    var previous: Unicode.Scalar = " "
    func isBlank(_ line: String.UnicodeScalarView) -> Bool { line.allSatisfy(\.properties.isWhitespace) }
    func end() {
      if lines == 0, isBlank(line) { return line.removeAll() }
      if lines > 0 { preview.append("\n") }
      preview.append(contentsOf: line)
      line.removeAll()
      lines += 1
    }
    for scalar in body.unicodeScalars {
      if lines == limit { return trimmed(preview) }
      if count == length { break }
      defer { previous = scalar }
      switch scalar {
      case "\n" where previous == "\r": continue
      case "\n", "\r": end()
      default:
        line.append(scalar)
        count += 1
      }
    }
    if lines < limit { end() }
    return trimmed(preview)
  }

  private static func trimmed(_ preview: String.UnicodeScalarView) -> String {
    var preview = preview
    while let last = preview.last, last.properties.isWhitespace { preview.removeLast() }
    return String(preview)
  }
}
