import Wire

/// An error of the argument parser, which is in English only, translated by the catalogue.
struct ParserError {
  let message: String

  /// The sentence and the command's usage; unchanged if there is no translation.
  func sentences(_ say: (Text) -> String) -> String {
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for index in lines.indices {
      if let text = Self.text(of: lines[index]) { lines[index] = say(text) }
    }
    return lines.joined(separator: "\n")
  }

  private static func text(of line: String) -> Text? {
    if let usage = rest(after: "Usage: ", of: line) { return Text("parser.usage", ["usage": usage]) }
    if let more = rest(after: "  See '", of: line), let command = more.split(separator: "'").first {
      return Text("parser.see", ["command": String(command)])
    }
    if let help = rest(after: "Help:  ", of: line) { return Text("parser.help", ["help": help]) }
    guard let mistake = rest(after: "Error: ", of: line) else { return nil }
    let names = mistake.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
    guard names.count >= 3 else { return Text("parser.mistake", ["mistake": mistake]) }
    if names[0] == "Unknown option " {
      return names.count >= 5
        ? Text("parser.unknownOptionNearest", ["name": names[1], "nearest": names[3]])
        : Text("parser.unknownOption", ["name": names[1]])
    }
    if names[0] == "Missing value for " { return Text("parser.missingValue", ["name": names[1]]) }
    if names[0] == "Missing expected argument " { return Text("parser.missingArgument", ["name": names[1]]) }
    if names[0] == "Unexpected argument " { return Text("parser.unexpectedArgument", ["name": names[1]]) }
    return Text("parser.mistake", ["mistake": mistake])
  }

  private static func rest(after beginning: String, of line: String) -> String? {
    line.hasPrefix(beginning) ? String(line.dropFirst(beginning.count)) : nil
  }
}
