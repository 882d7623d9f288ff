import Contract
import Wire

/// Whether a mark is where its document's present bytes have its text.
enum MarkState: String, Choice {
  case orphan
}

/// The result for one mark when its document got other bytes, or when it was moved to another document.
struct MarkReport: Payload, Equatable {
  var collection: String
  var id: ItemID
  var outcome: AnchorOutcome
  var score: Double?
  var reason: AnchorLoss?
  var from: Int
  var page: Int?
  var mergedInto: ItemID?

  static let example = MarkReport(
    collection: "highlights", id: "0193", outcome: .fuzzy, score: 0.93, reason: nil, from: 2, page: 3, mergedInto: nil)
  static let fields = [
    "collection": "`highlights`, `bookmarks` or `memos`.", "id": "The mark.",
    "outcome":
      "`exact`: the same text at the same place; `moved`: the same text elsewhere; `fuzzy`: nearly the same text; "
      + "`orphan`: no match, or several that cannot be distinguished. An orphan stays, with its text.",
    "score": "For `fuzzy`: the similarity, 0 to 1.",
    "reason":
      "For `orphan`: `missing`; `ambiguous`: several places match; `taken`: its page already has another of its "
      + "collection.",
    "from": "Its previous page, from 0.", "page": "Its page now, from 0; absent for an orphan.",
    "mergedInto": "The existing mark that it was merged with.",
  ]
}

/// How many marks had each outcome.
struct MarkCounts: Payload, Equatable {
  var exact: Int
  var moved: Int
  var fuzzy: Int
  var orphan: Int

  static let example = MarkCounts(exact: 11, moved: 2, fuzzy: 1, orphan: 0)
  static let fields = [
    "exact": "The number at the same place.", "moved": "The number with the same text elsewhere.",
    "fuzzy": "The number with nearly the same text.",
    "orphan": "The number of marks without a place, which stay.",
  ]

  init(exact: Int, moved: Int, fuzzy: Int, orphan: Int) {
    (self.exact, self.moved, self.fuzzy, self.orphan) = (exact, moved, fuzzy, orphan)
  }

  init(_ reports: [MarkReport]) {
    func count(_ outcome: AnchorOutcome) -> Int { reports.count { $0.outcome == outcome } }
    self.init(
      exact: count(.exact), moved: count(.moved), fuzzy: count(.fuzzy), orphan: count(.orphan))
  }
}
