import Contract
import Wire

/// The command that does what a dry run has told of: nobody types a token by heart.
enum NextCall {
  /// Nil where there is nothing to confirm. `words` are those that asked, which are kept but for the dry run; JSON is
  /// not taken apart.
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
