import Wire

/// Every sentence that a person may see, in every language, by its stable key. Front ends that want their own wording
/// use the keys.
///
/// The sentences are data: one file of `Languages` for each language. Their templates are explained at `Template`.
package struct Catalogue: Sendable {
  private let languages: [Language: LanguageSentences]

  private static let shipped = Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, LanguageSentences($0)) })

  package init() {
    languages = Self.shipped
  }

  /// The sentences of the program and others, for tests.
  ///
  /// - Parameter additions: lines as the file of their language has them. A key that the file has too keeps its sentence.
  package init(adding additions: [Language: String]) {
    languages = Dictionary(
      uniqueKeysWithValues: Language.allCases.map { ($0, LanguageSentences($0, addition: additions[$0])) })
  }

  /// The sentence of a text. An unknown key stands for itself, and a place without its argument stays visible as
  /// `{name}`: a person can report both.
  package func string(for text: Text, language: Language) -> String {
    sentence(text.key, in: language).map { fill($0, of: text, in: language) } ?? text.key
  }

  func sentence(_ key: String, in language: Language) -> LanguageSentences.Sentence? {
    languages[language]?.sentence(key)
  }

  func fill(_ sentence: LanguageSentences.Sentence, of text: Text, in language: Language) -> String {
    switch sentence {
    case .fixed(let words): words
    case .template(let template):
      template.filled(with: text.arguments, in: language) { key in
        key.hasPrefix(Text.innerFamily)
          ? inner(String(key.dropFirst(Text.innerFamily.count)), of: text, in: language) : word(key, in: language)
      }
    }
  }

  /// A sentence inside of another, with its advice.
  private func inner(_ key: String, of text: Text, in language: Language) -> String {
    let inner = text.inner(key)
    return [string(for: inner, language: language), advice(on: inner, language: language)].compactMap(\.self)
      .joined(separator: " ")
  }

  /// What fills a place such as `{type.expected}`, by its key; nil for a key that the language does not have.
  package func word(_ key: String, in language: Language) -> String? {
    languages[language]?.text(key)
  }
}
