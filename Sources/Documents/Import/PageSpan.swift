/// The pages of one request to a worker.
enum PageSpan {
  /// The most pages of one request, so that the client sees progress and can cancel.
  private static let longest = 500

  /// The fewest requests that cover some pages.
  ///
  /// - Parameters:
  ///   - pages: in order, each once.
  ///   - pause: so many pages between two requested ones are read along, which takes less time than another request.
  static func covering(_ pages: [Int], skippingOver pause: Int) -> [Range<Int>] {
    var spans: [Range<Int>] = []
    for page in pages {
      if let last = spans.last, page <= last.upperBound + pause, page < last.lowerBound + longest {
        spans[spans.count - 1] = last.lowerBound..<page + 1
      } else {
        spans.append(page..<page + 1)
      }
    }
    return spans
  }
}
