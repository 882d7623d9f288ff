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
      + "`orphan`: not found, or at several places that nothing tells apart. It is kept, with its text.",
    "score": "Of `fuzzy`: how much is the same, 0 to 1.",
    "reason":
      "Of `orphan`: `missing`; `ambiguous`: several places are alike; `taken`: its page has another of its kind.",
    "from": "Its page before, from 0.", "page": "Its page now, from 0; absent for an orphan.",
    "mergedInto": "The mark that was there already and has become one with this one.",
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
    "exact": "Where they were.", "moved": "The same text elsewhere.", "fuzzy": "Nearly the same text.",
    "orphan": "Not placed, and kept.",
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
