import Contract

/// What may stand before a colon. Any other word before one is text, as in `http://`.
enum QueryField: String, Choice {
  /// Looks for words in titles only.
  case title
  case `in`, `is`, tag, before, after
}
