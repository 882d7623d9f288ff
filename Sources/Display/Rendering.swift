import Wire

extension Catalogue {
  /// The advice on the sentence `error.notFound` is the sentence `error.notFound.advice`.
  private static let adviceSuffix = ".advice"
  /// The longest argument that an error quotes, in scalars: a client may send megabytes as a method's name, even as a
  /// single character with many accents.
  static let longestQuotation = 120
  /// The longest list of suggestions, in scalars. These are the daemon's own words, from which users copy ids, so it is
  /// cut between words.
  static let longestChoice = 1_000

  /// An error as sent to a client: problem and advice in one message, and `data` with the error's own members, its
  /// `kind` if it has one, the sentence's stable `key`, and the `advice` alone if there is any.
  ///
  /// Advice that lacks an argument ("Did you mean …?" without a similar name) is omitted.
  package func render(_ error: RPCError, language: Language) -> (message: String, data: JSONObject) {
    var text = error.text
    for (name, value) in text.arguments where value.utf8.count > Self.longestQuotation {
      let scalars = value.unicodeScalars
      let isChoice = name.hasSuffix("candidates") || name == "choices"
      let head = scalars.prefix(isChoice ? Self.longestChoice : Self.longestQuotation)
      guard head.endIndex < scalars.endIndex else { continue }
      let end = isChoice ? head.lastIndex(of: " ") : nil
      text.arguments[name] = String(end.map { head[..<$0] } ?? head.dropLast()) + "…"
    }
    var message = string(for: text, language: language)
    var data = error.data
    if let kind = error.kind { data["kind"] = .string(kind.rawValue) }
    data["key"] = .string(text.key)
    if let advice = advice(on: text, language: language) {
      message = language.joined([message, advice])
      data["advice"] = .string(advice)
    }
    return (message, data)
  }

  /// The advice on a text, or nil if there is none.
  package func advice(on text: Text, language: Language) -> String? {
    guard let sentence = sentence(text.key + Self.adviceSuffix, in: language) else { return nil }
    if case .template(let template) = sentence, !template.places.allSatisfy({ text.arguments[$0] != nil }) {
      return nil
    }
    return fill(sentence, of: text, in: language)
  }
}
