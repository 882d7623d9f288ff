import Wire

/// Every sentence that a person may see, in every language, by its stable key.
///
/// The base is here; each feature brings its own entries. Front ends that want their own wording use the keys.
package struct Catalogue: Sendable {
  /// One sentence. Its templates are explained at `Template`.
  package struct Entry: Sendable, Equatable {
    package var key: String
    package var en: String
    package var ko: String

    package init(_ key: String, en: String, ko: String) {
      self.key = key
      self.en = en
      self.ko = ko
    }

    package func template(in language: Language) -> String {
      switch language {
      case .english: en
      case .korean: ko
      }
    }
  }

  private let entries: [String: Entry]
  private let sentences = SentenceCache()

  /// The base with what the features add. The first entry of a key holds; a second one is a mistake that
  /// `Catalogue.mistakes(in:)` names.
  package init(entries features: [[Entry]] = []) {
    var entries: [String: Entry] = [:]
    entries.reserveCapacity(Self.base.count + features.reduce(0) { $0 + $1.count })
    for entry in Self.base where entries[entry.key] == nil { entries[entry.key] = entry }
    for entry in features.joined() where entries[entry.key] == nil { entries[entry.key] = entry }
    self.entries = entries
  }

  package var keys: some Collection<String> & Sendable { entries.keys }

  package subscript(key: String) -> Entry? { entries[key] }

  /// The sentence of a text. An unknown key stands for itself, and a place without its argument stays visible as
  /// `{name}`: a person can report both, and the daemon logs what `self[key]` does not know.
  package func string(for text: Text, language: Language) -> String {
    sentence(text.key, in: language).map { fill($0, of: text, in: language) } ?? text.key
  }

  func sentence(_ key: String, in language: Language) -> SentenceCache.Sentence? {
    sentences.sentence(key, in: language) { entries[key]?.template(in: language) }
  }

  func fill(_ sentence: SentenceCache.Sentence, of text: Text, in language: Language) -> String {
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

  /// What fills a place such as `{type.expected}`, by its key; nil for one that is not here.
  package func word(_ key: String, in language: Language) -> String? {
    entries[key]?.template(in: language)
  }
}

extension Catalogue {
  /// What is wrong with a set of entries, a sentence each: keys given twice, missing translations, places that differ
  /// between the languages, advice for a sentence that does not exist.
  package static func mistakes(in entries: [[Entry]]) -> [String] {
    var mistakes: [String] = []
    var seen: Set<String> = []
    for entry in entries.joined() {
      if !seen.insert(entry.key).inserted { mistakes.append("\(entry.key) is given twice.") }
      for language in Language.allCases where entry.template(in: language).allSatisfy(\.isWhitespace) {
        mistakes.append("\(entry.key) has no sentence in \(language.rawValue).")
      }
      let english = Template(entry.en).places
      let korean = Template(entry.ko).places
      if english != korean {
        mistakes.append("\(entry.key) has the places \(english.sorted()) in en and \(korean.sorted()) in ko.")
      }
    }
    for key in seen.sorted() where key.hasSuffix(adviceSuffix) && !seen.contains(sentenceKey(ofAdvice: key)) {
      mistakes.append("\(key) advises on a sentence that does not exist.")
    }
    return mistakes
  }

  /// The advice on the sentence `error.notFound` is the entry `error.notFound.advice`.
  static let adviceSuffix = ".advice"

  private static func sentenceKey(ofAdvice key: String) -> String {
    String(key.dropLast(adviceSuffix.count))
  }
}
