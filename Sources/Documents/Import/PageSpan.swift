/// What a worker is asked for at once.
enum PageSpan {
  /// The most pages of one question, so that who waits sees it go on and can give up.
  private static let longest = 500

  /// As few questions as there need be for some pages.
  ///
  /// - Parameters:
  ///   - pages: in order, each once.
  ///   - pause: so many pages between two of them are read along, which takes less time than another question.
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
