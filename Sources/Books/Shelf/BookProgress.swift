import Contract

/// The progress of reading.
struct BookProgress: Payload, Equatable {
  var page: Int?
  var percent: Double?
  static let example = BookProgress(page: 120, percent: 50)
  static let fields = [
    "page": "The page.", "percent": "0 to 100; computed from a page if the number of pages is known.",
  ]
  static let mostPages = 1_000_000
  static let limits: [String: FieldLimits] = ["page": .range(0...Double(mostPages)), "percent": .range(0...100)]
}

extension BookProgress {
  /// Nil if there is no progress. The percentage is computed from the page if the number of pages is known.
  init?(_ content: ShelfContent, pageCount: Int?) {
    self.init(page: content.page, percent: content.percent)
    if percent == nil, let page, let pageCount, pageCount > 0 {
      percent = min(100, (Double(page) / Double(pageCount) * 1_000).rounded() / 10)
    }
    if page == nil, percent == nil { return nil }
  }
}
