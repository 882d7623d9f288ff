import Wire

/// All sentences for people, in every language, by stable keys. Front ends with their own wording use the keys.
///
/// The sentences are data: `Languages` has one file per language. `Template` explains their syntax.
package struct Catalogue: Sendable {
  private let languages: [Language: LanguageSentences]

  private static let shipped = Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, LanguageSentences($0)) })

  package init() {
    languages = Self.shipped
  }

  /// The sentences of the program and additional ones, for tests.
  ///
  /// - Parameter additions: lines in the form of language files. A key that the file has too keeps its sentence.
  package init(adding additions: [Language: String]) {
    languages = Dictionary(
      uniqueKeysWithValues: Language.allCases.map { ($0, LanguageSentences($0, addition: additions[$0])) })
  }

  /// The sentence of a text. An unknown key stands for itself, and a placeholder without an argument stays visible as
  /// `{name}`, so that people can report both.
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

  /// A sentence inside another, with its advice.
  private func inner(_ key: String, of text: Text, in language: Language) -> String {
    let inner = text.inner(key)
    return language.joined(
      [string(for: inner, language: language), advice(on: inner, language: language)].compactMap(\.self))
  }

  /// The text for a placeholder such as `{type.expected}`, by its key; nil if the language does not have the key.
  package func word(_ key: String, in language: Language) -> String? {
    languages[language]?.text(key)
  }
}
