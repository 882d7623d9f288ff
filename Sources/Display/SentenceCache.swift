import Synchronization

/// Sentences that were shown before. There are as many as the catalogue has; to read one's places takes longer than to
/// fill them, and a list may show one sentence fifty thousand times.
final class SentenceCache: Sendable {
  enum Sentence: Sendable {
    /// Without a place.
    case fixed(String)
    case template(Template)

    fileprivate init(_ text: String) {
      self = text.utf8.contains(UInt8(ascii: "{")) ? .template(Template(text)) : .fixed(text)
    }
  }

  private let known = Mutex<[Language: [String: Sentence]]>([:])

  /// `read` finds the text of one that was never shown; nil where there is none.
  func sentence(_ key: String, in language: Language, read: () -> String?) -> Sentence? {
    known.withLock { known in
      if let sentence = known[language]?[key] { return sentence }
      guard let text = read() else { return nil }
      let sentence = Sentence(text)
      known[language, default: [:]][key] = sentence
      return sentence
    }
  }
}
