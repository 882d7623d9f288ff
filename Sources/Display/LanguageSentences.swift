import Synchronization

/// The sentences of one language. Its file is read when the first of them is written.
///
/// A sentence that was written is kept with its places: to find these takes longer than to fill them, and a list may
/// show one sentence fifty thousand times.
final class LanguageSentences: Sendable {
  enum Sentence: Sendable {
    /// Without a place.
    case fixed(String)
    case template(Template)

    fileprivate init(_ text: String) {
      self = text.utf8.contains(UInt8(ascii: "{")) ? .template(Template(text)) : .fixed(text)
    }
  }

  private struct State {
    /// Nil until a sentence is written.
    var files: [SentenceFile]?
    var written: [String: Sentence] = [:]
  }

  private let language: Language
  /// What is written in the form of a file, besides that of the language.
  private let addition: String?
  private let state = Mutex(State())

  init(_ language: Language, addition: String? = nil) {
    self.language = language
    self.addition = addition
  }

  /// The sentence with its places; nil where the language has none of this key.
  func sentence(_ key: String) -> Sentence? {
    state.withLock { state in
      if let sentence = state.written[key] { return sentence }
      guard let text = text(key, &state) else { return nil }
      let sentence = Sentence(text)
      state.written[key] = sentence
      return sentence
    }
  }

  /// The sentence as the file has it.
  func text(_ key: String) -> String? {
    state.withLock { text(key, &$0) }
  }

  private func text(_ key: String, _ state: inout State) -> String? {
    let files = state.files ?? [SentenceFile(of: language)] + (addition.map { [SentenceFile(text: $0)] } ?? [])
    state.files = files
    for file in files {
      if let text = file[key] { return text }
    }
    return nil
  }
}
