/// Untrusted texts, without terminal control sequences.
enum TerminalText {
  /// On one line, each run of blanks as a single space.
  static func line(_ text: String, longest: Int = 1_000) -> String { ShownText(text, longest: longest).text }

  /// Line by line as written, and wrapped between words if a line is wider than this.
  static func lines(_ text: String, width: Int) -> [String] {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).flatMap { line in
      wrapped(clean(line), width: max(width, 1))
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return Array(lines.drop(while: \.isEmpty))
  }

  /// The whole text with its line breaks, for other programs.
  static func verbatim(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { clean($0) }.joined(separator: "\n")
  }

  /// The replacement of a scalar; nil for direction marks, whose effect would continue after it.
  static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: " "
    case .format where scalar.value != 0x200D: nil
    default: scalar
    }
  }

  private static func clean(_ line: Substring) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in line.unicodeScalars {
      if scalar == "\t" {
        clean.append(contentsOf: "    ".unicodeScalars)
      } else if let shown = shown(scalar) {
        clean.append(shown)
      }
    }
    while clean.last == " " { clean.removeLast() }
    return String(clean)
  }

  private static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var current: String?
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if let line = current {
        if TextWidth.columns(of: line) + 1 + TextWidth.columns(of: word) <= width {
          current = line + " " + word
          continue
        }
        if line.contains(where: { $0 != " " }) { lines.append(line) }
      }
      // A word that is wider than a line, such as a whole text in a script without blanks.
      var rest = word
      var part = TextWidth.beginning(of: rest, width: width)
      while part.endIndex < rest.endIndex {
        lines.append(String(part))
        rest = rest[part.endIndex...]
        part = TextWidth.beginning(of: rest, width: width)
      }
      current = String(rest)
    }
    return lines + [current ?? ""]
  }
}
