/// Finds the page of a bookmark or memo in other bytes: by the hash of its text, by its beginning, and if it has no
/// text, such as a scan, by its label and number. A page that had a text and is not found by it is lost: its number
/// may belong to another page.
struct PageSearch: Sendable {
  let text: AnchorText
  let succession: PageSuccession

  private static let leastSimilarity = 0.85
  private static let lead = 0.15
  /// The scores of a page that matches by its label and number, or by one of them.
  private static let byLabelAndNumber = 0.8
  private static let byLabel = 0.6
  private static let byNumber = 0.4

  func placement(of anchor: PageAnchor) -> PagePlacement {
    if anchor.hasPlace, case .same(let page) = succession.successors[anchor.page] { return same(page, anchor) }
    let beginning = NormalizedText(anchor.beginning).scalars
    guard beginning.contains(where: { $0 != 0x20 }) else { return byNumber(anchor) }
    if let hash = anchor.hash {
      let pages = text.pages.indices.filter { text.pages[$0].hash == hash }
      if let page = one(of: pages, anchor) { return same(page, anchor) }
      if pages.count > 1 { return .lost(.ambiguous) }
    }
    return byBeginning(beginning, anchor)
  }

  private func same(_ page: Int, _ anchor: PageAnchor) -> PagePlacement {
    .found(anchor.hasPlace && page == anchor.page ? .exact : .moved, page: page, score: 1)
  }

  /// Of several pages, the page with the mark's label, or with its number.
  private func one(of pages: [Int], _ anchor: PageAnchor) -> Int? {
    if pages.count <= 1 { return pages.first }
    let labelled = pages.filter { anchor.label != nil && text.pages[$0].label == anchor.label }
    if labelled.count == 1 { return labelled[0] }
    return anchor.hasPlace && pages.contains(anchor.page) ? anchor.page : nil
  }

  private func byBeginning(_ beginning: [UInt32], _ anchor: PageAnchor) -> PagePlacement {
    let limit = max(2, beginning.count * 15 / 100)
    var scores: [(page: Int, score: Double)] = []
    for (number, page) in text.pages.enumerated() {
      let head = page.range.lowerBound..<min(page.range.upperBound, page.range.lowerBound + beginning.count + limit)
      var score = 0.0
      if !head.isEmpty,
        let match = ApproximateMatch.best(beginning[...], in: text.scalars[head], limit: limit)
      {
        score = 1 - Double(match.distance) / Double(beginning.count)
      }
      if anchor.hasPlace, case .similar(number, let common) = succession.successors[anchor.page] {
        // Most of its text is there, even if it begins differently.
        score = max(score, Self.leastSimilarity, common)
      }
      if score >= Self.leastSimilarity { scores.append((number, score)) }
    }
    scores.sort { $0.score > $1.score }
    guard let best = scores.first else { return .lost(.missing) }
    let rivals = scores.filter { best.score - $0.score < Self.lead }
    if rivals.count == 1 { return .found(.fuzzy, page: best.page, score: best.score) }
    if anchor.hasPlace, case .similar(let page, _) = succession.successors[anchor.page],
      let following = rivals.first(where: { $0.page == page })
    {
      return .found(.fuzzy, page: page, score: following.score)
    }
    guard let page = one(of: rivals.map(\.page), anchor), let score = rivals.first(where: { $0.page == page })?.score
    else { return .lost(.ambiguous) }
    return .found(.fuzzy, page: page, score: score)
  }

  private func byNumber(_ anchor: PageAnchor) -> PagePlacement {
    let labelled = text.pages.indices.filter { anchor.label != nil && text.pages[$0].label == anchor.label }
    if labelled.count == 1 {
      let isThere = labelled[0] == anchor.page
      return .found(.fuzzy, page: labelled[0], score: isThere ? Self.byLabelAndNumber : Self.byLabel)
    }
    guard anchor.hasPlace, text.pages.indices.contains(anchor.page) else { return .lost(.missing) }
    return .found(.fuzzy, page: anchor.page, score: Self.byNumber)
  }
}
