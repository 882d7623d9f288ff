import Contract
import Wire

/// The command that executes a dry run's result, so that no token has to be typed.
enum NextCall {
  /// Nil if there is nothing to confirm. `words` are the command's own, which are repeated without the dry run; JSON
  /// is not parsed.
  static func line(confirming reply: JSONObject, of method: MethodDescription, asked words: [String]) -> String? {
    guard let token = reply["confirm"]?.stringValue, method.params.field(at: ["confirm"]) != nil else { return nil }
    var pairs: [String] = []
    for word in words {
      guard word.first != "{", word.first != "-", let end = word.firstIndex(of: "=") else { return nil }
      let key = word[..<end]
      if !isOfDryRun(key) { pairs.append(key + "=" + ExampleCall.quoted(String(word[word.index(after: end)...]))) }
    }
    return (["commonplace", "call", method.name] + pairs + ["confirm=" + ExampleCall.quoted(token)])
      .joined(separator: " ")
  }

  private static func isOfDryRun(_ key: Substring) -> Bool {
    let name = key.last == ":" ? key.dropLast() : key
    return ["dryRun", "confirm"].contains { sameBytes($0, String(name)) }
  }
}
