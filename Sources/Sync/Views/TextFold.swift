import Store
import Wire

/// The merge of a text's heads, the oldest first. The same heads have the same merge on every device.
struct TextFold {
  private(set) var text = ""
  /// Whether two heads changed the same place differently.
  private(set) var overlaps = false

  /// - Parameter heads: in order. Heads of different items have no common base: a context states nothing about the dots
  ///   of another item.
  init(_ heads: [(id: ByteKey, dot: Dot, head: TextHead)]) {
    guard let first = heads.first else { return }
    text = first.head.text
    var folded = [first]
    for next in heads.dropFirst() {
      folded.append(next)
      let merge = TextMerge(base: Self.base(of: folded)?.text ?? "", older: text, newer: next.head.text)
      text = merge.text
      overlaps = overlaps || merge.overlaps
    }
  }

  /// The newest of all bases that the writers of all heads had seen.
  private static func base(of heads: [(id: ByteKey, dot: Dot, head: TextHead)]) -> TextHead.Base? {
    guard let id = heads.first?.id, heads.allSatisfy({ $0.id == id }) else { return nil }
    let bases = heads.flatMap(\.head.bases).filter { base in
      heads.allSatisfy { base.dots.allSatisfy($0.head.past.covers) }
    }
    // A text as the last criterion: bases of equal times and dots could only differ if a number was used twice.
    return bases.max {
      if $0.at != $1.at { return $0.at < $1.at }
      if $0.dots != $1.dots { return $0.dots.lexicographicallyPrecedes($1.dots) }
      return $0.text.utf8.lexicographicallyPrecedes($1.text.utf8)
    }
  }
}
