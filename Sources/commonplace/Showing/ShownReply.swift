import Contract
import Wire

/// The terminal form of a reply: the text alone if the reply is one, a table of its items, a month as a calendar,
/// else all of its members.
enum ShownReply {
  /// Nil for replies that are shown as JSON to people too: replies to LSP's own methods, and those of unknown shape.
  /// `words` are those of the command line.
  static func text(
    of reply: JSONValue, to method: MethodDescription, asked words: [String] = [], on screen: Screen
  ) -> String? {
    guard !method.isLanguageServer, case .object(let shape) = method.result,
      let object = reply.objectValue.map({ withoutEcho($0, of: words) })
    else { return nil }
    let text =
      textAlone(of: object, shape) ?? MonthGrid(reply)?.text(on: screen) ?? ReplyTable(reply, say: screen.say)?.text(
        on: screen)
      ?? ReplyPage(screen: screen).text(of: object, shape: shape)
    guard let next = NextCall.line(confirming: object, of: method, asked: words) else { return text }
    return text + "\n" + screen.say(Text("table.confirm")) + "\n  " + TerminalText.line(next, longest: .max) + "\n"
  }

  /// A reply that is not an item, without the values that the command itself has given.
  private static func withoutEcho(_ reply: JSONObject, of words: [String]) -> JSONObject {
    guard reply["id"] == nil, reply["path"] == nil else { return reply }
    var rest = reply
    for word in words {
      guard let equals = word.firstIndex(of: "="), let value = rest[String(word[..<equals])]?.stringValue else {
        continue
      }
      if sameBytes(value, String(word[word.index(after: equals)...])) { rest[String(word[..<equals])] = nil }
    }
    return rest.isEmpty ? reply : rest
  }

  /// A text that is to be used elsewhere: it is the only member, or `format` states its format.
  private static func textAlone(of reply: JSONObject, _ shape: ObjectShape) -> String? {
    guard let text = reply["text"]?.stringValue, shape[field: "text"]?.shape == .string else { return nil }
    if shape.fields.count > 1 {
      guard case .choice? = shape[field: "format"]?.shape else { return nil }
    }
    let lines = TerminalText.verbatim(text)
    return lines.hasSuffix("\n") ? lines : lines + "\n"
  }
}
