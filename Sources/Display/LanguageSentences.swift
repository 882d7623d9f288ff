import Synchronization

/// The sentences of one language. Its file is loaded when the first of them is needed.
///
/// Used sentences are cached in parsed form: parsing takes longer than filling the placeholders, and a list may show
/// one sentence fifty thousand times.
final class LanguageSentences: Sendable {
  enum Sentence: Sendable {
    /// Without placeholders.
    case fixed(String)
    case template(Template)

    fileprivate init(_ text: String) {
      self = text.utf8.contains(UInt8(ascii: "{")) ? .template(Template(text)) : .fixed(text)
    }
  }

  private struct State {
    /// Nil until the first sentence is needed.
    var files: [SentenceFile]?
    var written: [String: Sentence] = [:]
  }

  private let language: Language
  /// Additional sentences in the form of a file.
  private let addition: String?
  private let state = Mutex(State())

  init(_ language: Language, addition: String? = nil) {
    self.language = language
    self.addition = addition
  }

  /// The parsed sentence; nil if the language does not have the key.
  func sentence(_ key: String) -> Sentence? {
    state.withLock { state in
      if let sentence = state.written[key] { return sentence }
      guard let text = text(key, &state) else { return nil }
      let sentence = Sentence(text)
      state.written[key] = sentence
      return sentence
    }
  }

  /// The raw text in the file.
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
