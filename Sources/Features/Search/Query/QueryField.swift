import Contract

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
}
