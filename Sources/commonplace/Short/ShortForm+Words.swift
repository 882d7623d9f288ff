import Contract
import Wire

extension ShortForm {
  /// The equivalent arguments of `call`. Pages are counted from 1 here and from 0 there.
  ///
  /// - Throws: `Failure` if words are missing, or if the method takes none.
  func params(of words: [String], _ description: MethodDescription, _ voice: Voice) throws(Failure) -> [String] {
    let (pairs, rest) = try split(words, description, voice)
    guard let text else {
      if let word = rest.first { throw voice.failure(.usage, Text("command.takesNoWords", ["word": word])) }
      return pairs
    }
    if rest.isEmpty {
      guard isComplete(pairs, description), !pairs.isEmpty || method != KnownMethod.search else {
        throw voice.failure(.usage, Text("command.needsWords"))
      }
      return pairs
    }
    if rest.count > 1, takesItem, rest.allSatisfy({ Handle($0).isNumber }) {
      return rest.map { "ids=\($0)" } + pairs
    }
    return [param(for: rest.joined(separator: " "), text)] + pairs
  }

  /// The parameter for a text. As JSON, so that neither `@` nor other syntax applies to it.
  func param(for content: String, _ text: String) -> String { "\(text):=\(JSONValue.string(content))" }

  /// Whether the parameters suffice without a text: a template stands for it.
  func isComplete(_ pairs: [String], _ description: MethodDescription) -> Bool {
    guard let text, case .object(let shape) = description.params, shape.needs(text) else { return true }
    let named = Self.names(of: pairs)
    return named.contains(text)
      || shape.exactlyOne.contains { $0.contains(text) && !named.isDisjoint(with: $0) }
  }

  static func names(of pairs: [String]) -> Set<String> { Set(pairs.map { String($0.prefix { !"=.:".contains($0) }) }) }

  /// The words that name a parameter, with the usual ones, and the others.
  ///
  /// - Throws: `Failure` for a word that is like a parameter, and for a page before the first.
  func split(
    _ words: [String], _ description: MethodDescription, _ voice: Voice
  ) throws(Failure) -> (pairs: [String], rest: [String]) {
    var pairs: [String] = []
    var rest: [String] = []
    for word in words {
      guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
        rest.append(word)
        continue
      }
      let key = word[..<equals].prefix { $0 != "." && $0 != ":" }
      guard let field = description.params.field(at: [String(key)]),
        !sameBytes(field.name, text ?? "") || field.isLine
      else {
        try refuseLikeParam(word, key, description, voice)
        rest.append(word)
        continue
      }
      let value = word[word.index(after: equals)...]
      if field.isPageFromZero, let page = Int64(value) {
        guard page > 0 else { throw voice.failure(.usage, Text("command.pagesFromOne")) }
        pairs.append("\(key)=\(page - 1)")
      } else {
        pairs.append(word)
      }
    }
    let named = Self.names(of: pairs)
    pairs += usual.filter { pair in
      let name = String(pair.prefix { $0 != "=" })
      guard !named.contains(name), case .object(let shape) = description.params else { return false }
      // "next board=Garden" is not about all boards.
      return !shape.atMostOne.contains { $0.contains(name) && !named.isDisjoint(with: $0) }
    }
    return (pairs, rest)
  }

  /// A word such as `due=friday`, where the parameter is `deadline`, is no part of a title or a query. In a text of
  /// several lines it may be anything.
  private func refuseLikeParam(
    _ word: String, _ key: Substring, _ description: MethodDescription, _ voice: Voice
  ) throws(Failure) {
    guard let text, case .object(let shape) = description.params, shape[field: text]?.isLine == true,
      key.allSatisfy({ $0.isASCII && $0.isLetter })
    else { return }
    let names = shape.fields.map(\.name).filter { !sameBytes($0, text) }
    let meant =
      FieldSynonyms.field(meantBy: String(key), among: names)
      ?? (key.count > 3 ? likelyName(for: String(key), among: names) : nil)
    guard let meant else { return }
    let instead = meant + word[key.endIndex...]
    throw voice.failure(.usage, Text("command.wordLikeParam", ["word": word, "instead": instead]))
  }
}
