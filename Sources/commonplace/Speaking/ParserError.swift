import Display
import Wire

/// What the parser of arguments says of a mistake, which it says in English alone, in the words of the catalogue.
struct ParserError {
  let message: String

  /// The sentence and how the command is used; as it came, where this knows no word for it.
  func told(_ say: (Text) -> String) -> String {
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for index in lines.indices {
      if let text = Self.text(of: lines[index]) { lines[index] = say(text) }
    }
    return lines.joined(separator: "\n")
  }

  private static func text(of line: String) -> Text? {
    if let usage = behind("Usage: ", line) { return Text("parser.usage", ["usage": usage]) }
    if let more = behind("  See '", line), let command = more.split(separator: "'").first {
      return Text("parser.see", ["command": String(command)])
    }
    if let help = behind("Help:  ", line) { return Text("parser.help", ["help": help]) }
    guard let mistake = behind("Error: ", line) else { return nil }
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

  private static func behind(_ beginning: String, _ line: String) -> String? {
    line.hasPrefix(beginning) ? String(line.dropFirst(beginning.count)) : nil
  }

  static let texts: [Catalogue.Entry] =
    [
      .init("parser.usage", en: "Usage: {usage}", ko: "사용법: {usage}"),
      .init(
        "parser.see", en: "  See '{command}' for more information.", ko: "  자세한 것은 ‘{command}’에서 볼 수 있습니다."),
      .init("parser.help", en: "Help:  {help}", ko: "설명:  {help}"),
      .init("parser.mistake", en: "Error: {mistake.mistake}", ko: "오류: {mistake.mistake}"),
      .init("parser.unknownOption", en: "Error: Unknown option '{name}'", ko: "오류: ‘{name}’ 옵션은 없습니다."),
      .init(
        "parser.unknownOptionNearest", en: "Error: Unknown option '{name}'. Did you mean '{nearest}'?",
        ko: "오류: ‘{name}’ 옵션은 없습니다. 혹시 ‘{nearest}’입니까?"),
      .init("parser.missingValue", en: "Error: Missing value for '{name}'", ko: "오류: ‘{name}’의 값이 없습니다."),
      .init(
        "parser.missingArgument", en: "Error: Missing expected argument '{name}'", ko: "오류: ‘{name}’이(가) 빠졌습니다."),
      .init(
        "parser.unexpectedArgument", en: "Error: Unexpected argument '{name}'",
        ko: "오류: ‘{name}’은(는) 쓸 데가 없습니다."),
    ] + ownMistakes

  /// The sentences of our own `ValidationError`s, which come through the parser, by themselves.
  private static let ownMistakes: [Catalogue.Entry] = [
    .init(
      "mistake.Name a method; “commonplace describe” lists them.",
      en: "Name a method; “commonplace describe” lists them.",
      ko: "메서드를 쓰십시오. ‘commonplace describe’로 목록을 볼 수 있습니다."),
    .init(
      "mistake.A document is of the whole protocol; leave out the name.",
      en: "A document is of the whole protocol; leave out the name.", ko: "문서는 프로토콜 전체의 것이니 이름을 빼십시오."),
    .init(
      "mistake.--private goes with --stdio.", en: "--private goes with --stdio.", ko: "--private는 --stdio와 함께 쓰십시오."),
    .init(
      "mistake.--background does not go with --stdio.", en: "--background does not go with --stdio.",
      ko: "--background와 --stdio는 함께 쓸 수 없습니다."),
    .init(
      "mistake.A private daemon has no --socket.", en: "A private daemon has no --socket.",
      ko: "한 프로그램만의 데몬에는 --socket을 쓸 수 없습니다."),
  ]
}
