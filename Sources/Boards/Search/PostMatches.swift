import Display
import SearchEngine
import Store
import Wire

/// Determines why a post matched, for one client.
struct PostMatches {
  private let words: MarkedWords
  private let target: SearchTarget
  private let encoding: PositionEncoding
  /// The length of a longer text's beginning that is searched character by character.
  private static let looked = 64 << 10

  init(_ query: String, _ target: SearchTarget, for encoding: PositionEncoding) {
    words = MarkedWords(query)
    self.target = target
    self.encoding = encoding
  }

  /// The places of the words in the searched parts. `text` is the post's.
  func matches(in post: ShownPost, text: String) -> [PostMatch] {
    var matches: [PostMatch] = []
    if target == .all || target == .title { matches += whole(.title, post.item.head.title) }
    // For an anonymous writer nothing is marked: only our own placeholder is visible.
    if target == .all || target == .writer, !post.item.head.isAnonymous, let name = post.item.head.writer {
      matches += whole(.writer, name)
    }
    if target == .all || target == .contents, let match = piece(of: text) { matches.append(match) }
    return matches
  }

  private func whole(_ field: PostMatch.Field, _ text: String) -> [PostMatch] {
    let ranges = words.ranges(in: text, for: encoding)
    if ranges.isEmpty { return [] }
    return [PostMatch(field: field, text: text, ranges: ranges, cutBefore: nil, cutAfter: nil)]
  }

  /// The piece of the contents with most of the words.
  private func piece(of text: String) -> PostMatch? {
    var looked = text
    if text.utf8.count > Self.looked {
      let end = text.utf8.index(text.startIndex, offsetBy: Self.looked)
      looked = String(text[..<text.index(before: text.index(after: end))])
    }
    let ranges = words.ranges(in: looked)
    guard !ranges.isEmpty else { return nil }
    let snippet = Snippet(of: looked, ranges: ranges)
    return PostMatch(
      field: .contents, text: snippet.text, ranges: words.ranges(in: snippet.text, for: encoding),
      cutBefore: snippet.isCutBefore, cutAfter: snippet.isCutAfter || looked.utf8.count < text.utf8.count)
  }
}
