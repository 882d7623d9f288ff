import Contract
import Store

/// What may stand before a colon. Any other word before one is text, as in `http://`.
enum QueryField: String, Choice {
  /// Looks for words in titles only.
  case title
  case `in`, `is`, tag, before, after, due

  /// What else they are called, as collections and states have other names too.
  private static let called: [String: QueryField] = ["제목": .title, "태그": .tag, "기한": .due, "마감": .due]

  /// As somebody writes it, in any case.
  init?(written: String) {
    guard let field = QueryField(rawValue: written.lowercased()) ?? Self.called[written] else { return nil }
    self = field
  }

  /// Those that a word may be a slip of: every word of two letters is near to `in` and `is`.
  private static let likely = allCases.map(\.rawValue).filter { $0.count > 2 } + called.keys.sorted()

  /// The field that may be meant by a word that is none: all but one letter of it is there.
  static func nearest(to written: String) -> String? {
    // Folded, a syllable that is written in pieces (NFD) is one letter, as in the names.
    let word = foldedText(written)
    guard word.count > 1, word.allSatisfy(\.isLetter) else { return nil }
    return likelyName(for: word, among: likely, most: 1)
  }
}
