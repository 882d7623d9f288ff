extension Configuration {
  /// A `config.toml` with every key and its default, or commented out with an example if there is none. Unchanged, it
  /// has no effect.
  package static let page: String = {
    var lines: [String] = []
    var section: [String] = []
    for setting in Setting.all {
      let (name, path) = (setting.path.last ?? "", Array(setting.path.dropLast()))
      let isChosen = path.contains("*")
      if path != section {
        let heading = "[\(path.joined(separator: ".").replacing("*", with: "work"))]"
        lines += [lines.isEmpty ? "" : "\n", isChosen ? "# \(heading)  # a name that you choose" : heading, "\n"]
        section = path
      }
      let note = setting.note + (setting.counting == .atNextStart ? "; applies at the next start" : "")
      switch setting.shown {
      case .usually(let text): lines += entry("\(name) = \(text)", note)
      case .example(let text): lines += entry("# \(name) = \(text)", note)
      }
    }
    return lines.joined()
  }()

  /// The key followed by its note, or preceded by it if the line would be long.
  private static func entry(_ text: String, _ note: String) -> [String] {
    let width = 34
    guard text.count < width, width + note.count < 115 else { return wrapped(note).map { "# \($0)\n" } + [text, "\n"] }
    return [text, String(repeating: " ", count: width - text.count), "# ", note, "\n"]
  }

  private static func wrapped(_ note: String) -> [String] {
    note.split(separator: " ").reduce(into: []) { lines, word in
      if let last = lines.last, last.count + word.count < 110 {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
  }
}
