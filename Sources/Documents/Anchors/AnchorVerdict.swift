import Contract

/// What became of a mark in other bytes.
enum AnchorOutcome: String, Choice {
  /// The same text at the same place of the same page.
  case exact
  /// The same text at another place.
  case moved
  /// Nearly the same text: the score says how near.
  case fuzzy
  /// Its text is not there, or at several places that nothing tells apart. It is kept, and can be placed by hand.
  case orphan
}

/// Why a mark was not placed.
enum AnchorLoss: String, Choice {
  /// Nothing like it is there.
  case missing
  /// It stands at several places that nothing tells apart.
  case ambiguous
  /// Another mark of its kind has its page, of which a page has one.
  case taken
}

/// Where a highlight's text is, or why it is nowhere.
enum QuoteVerdict: Equatable, Sendable {
  /// `runs` in Unicode scalars of the page's text, one for each run that was sought. `score` is 1 unless it is fuzzy.
  case found(AnchorOutcome, page: Int, runs: [Range<Int>], score: Double)
  case lost(AnchorLoss)
}

/// Where a bookmark's or memo's page is, or why it is nowhere.
enum PageVerdict: Equatable, Sendable {
  case found(AnchorOutcome, page: Int, score: Double)
  case lost(AnchorLoss)
}

/// What is known of a highlight in the bytes in which it was last placed.
struct SoughtQuote: Sendable {
  var quote: String
  var prefix: String
  var suffix: String
  var page: Int
  /// In Unicode scalars of the page's text.
  var offset: Int
  /// The parts of the quote that are marked, in its scalars: a line may have been unmarked in between.
  var runs: [Range<Int>]
  /// False of an orphan, whose page and offset are those of bytes long gone.
  var hasPlace = true
}

/// What is known of a bookmark's or memo's page in the bytes in which it was last placed.
struct SoughtPage: Sendable {
  var page: Int
  /// Nil where its text was never known.
  var hash: String?
  var beginning: String
  var label: String?
  var hasPlace = true
}
