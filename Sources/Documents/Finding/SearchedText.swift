import PDF
import SearchEngine
import Store

/// The text of pages in searchable form: each in its comparable form, all in one piece, so that one scan of memory
/// goes through a book of thousands of pages.
///
///     bytes   page 0 ␀ page 1 ␀ page 2 ␀      no query contains ␀, so nothing is found across pages
///
/// The mapping back to places on a page is stored separately (`FoundPage`), only for pages that had hits to be shown.
/// So any other page takes no more memory than its text.
struct SearchedText: Sendable {
  let form: ComparableText.Form
  private(set) var bytes: [UInt8] = []
  private(set) var joins: [UInt32] = []
  /// In the order in which they were given.
  private(set) var pages: [Part] = []

  struct Part: Sendable {
    var page: Int
    var start: Int
    var end: Int
  }

  init(_ texts: [(page: Int, text: String)], as form: ComparableText.Form) {
    self.form = form
    for (page, text) in texts {
      let start = bytes.count
      ComparableText.append(text, as: form, to: &bytes, joins: &joins)
      pages.append(Part(page: page, start: start, end: bytes.count))
      bytes.append(0)
    }
  }

  /// The memory it uses, in bytes.
  var size: Int { bytes.count + joins.count * 4 + pages.count * MemoryLayout<Part>.stride }

  /// The place in `pages` of the page that a byte belongs to.
  func part(of place: Int) -> Int {
    var (low, high) = (0, pages.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if pages[middle].start <= place { low = middle } else { high = middle }
    }
    return low
  }

  /// Whether a line end was removed before a byte.
  func isJoin(_ place: Int) -> Bool {
    var (low, high) = (0, joins.count)
    while low < high {
      let middle = (low + high) / 2
      if joins[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low < joins.count && joins[low] == place
  }
}

/// An occurrence: its page, and its range in the comparable form.
struct FoundPlace: Sendable, Equatable {
  var page: Int
  var range: Range<Int>
}
