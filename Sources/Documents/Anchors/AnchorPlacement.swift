import Contract

/// The result of placing a mark in other bytes.
enum AnchorOutcome: String, Choice {
  /// The same text at the same place of the same page.
  case exact
  /// The same text at another place.
  case moved
  /// Its text is not there, or is at several places that cannot be distinguished. The mark stays, and can be placed
  /// manually.
  case fuzzy
  /// Why a mark was not placed.
  case orphan
}

/// Why a mark was not placed.
enum AnchorLoss: String, Choice {
  /// Nothing like it is there.
  case missing
  /// It is at several places that cannot be distinguished.
  case ambiguous
  /// Its page already has a mark of this type, of which a page has at most one.
  case taken
}

/// Where a highlight's text is, or why it was not found.
enum QuotePlacement: Equatable, Sendable {
  /// `runs` in Unicode scalars of the page's text, one for each run of the query. `score` is 1 unless the outcome is
  /// fuzzy.
  case found(AnchorOutcome, page: Int, runs: [Range<Int>], score: Double)
  case lost(AnchorLoss)
}

/// Where a bookmark's or memo's page is, or why it was not found.
enum PagePlacement: Equatable, Sendable {
  case found(AnchorOutcome, page: Int, score: Double)
  case lost(AnchorLoss)
}

/// A highlight's anchor data in the bytes in which it was last placed.
struct QuoteAnchor: Sendable {
  var quote: String
  var prefix: String
  var suffix: String
  var page: Int
  /// In Unicode scalars of the page's text.
  var offset: Int
  /// The parts of the quote that are marked, in its scalars: a line may have been unmarked in between.
  var runs: [Range<Int>]
  /// False for an orphan, whose page and offset refer to earlier bytes.
  var hasPlace = true
}

/// A bookmark's or memo's page data in the bytes in which it was last placed.
struct PageAnchor: Sendable {
  var page: Int
  /// Nil if its text was never extracted.
  var hash: String?
  var beginning: String
  var label: String?
  var hasPlace = true
}
