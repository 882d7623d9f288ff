import Wire

extension Catalogue {
  /// The longest argument that an error quotes, in scalars: a client may send megabytes as a method's name, all of them
  /// one character with its accents.
  static let longestQuotation = 120
  /// What the daemon itself offers to choose from is told whole, as far as anybody reads.
  static let longestChoice = 2_000
  private static let choices: Set = ["candidates"]

  /// An error as a client gets it: what was wrong and what to do as one message, and `data` with the error's own
  /// members, its `kind` if it has one, the sentence's stable `key`, and the `advice` by itself if there is any.
  ///
  /// An advice that lacks an argument ("Did you mean …?" without a nearest name) is left out.
  package func render(_ error: RPCError, language: Language) -> (message: String, data: JSONObject) {
    var text = error.text
    for (name, value) in text.arguments where value.utf8.count > Self.longestQuotation {
      let scalars = value.unicodeScalars
      let head = scalars.prefix(Self.choices.contains(name) ? Self.longestChoice : Self.longestQuotation)
      if head.endIndex < scalars.endIndex { text.arguments[name] = String(head.dropLast()) + "…" }
    }
    var message = string(for: text, language: language)
    var data = error.data
    if let kind = error.kind { data["kind"] = .string(kind.rawValue) }
    data["key"] = .string(text.key)
    if let advice = advice(on: text, language: language) {
      message += " " + advice
      data["advice"] = .string(advice)
    }
    return (message, data)
  }

  /// What to do about a text, or nil where there is nothing to say.
  package func advice(on text: Text, language: Language) -> String? {
    guard let sentence = sentence(text.key + Self.adviceSuffix, in: language) else { return nil }
    if case .template(let template) = sentence, !template.places.allSatisfy({ text.arguments[$0] != nil }) {
      return nil
    }
    return fill(sentence, of: text, in: language)
  }
}
