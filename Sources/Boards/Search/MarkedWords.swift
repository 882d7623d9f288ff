import Display
import SearchEngine
import Store
import Wire

/// The places of a query's words in a text: every place, whatever the case, and no character cut.
///
/// The index matches words and prefixes; a service may match inside a word. So both are marked: the index's matches,
/// and every place of the whole query, or of a word of it.
struct MarkedWords: Sendable {
  private let query: MatchQuery?
  /// The query and its words, character by character, folded.
  private let needles: [[Character]]

  init(_ text: String) {
    query = try? MatchQuery(userText: text, lastIsPrefix: true)
    let whole = Self.characters(of: text)
    let words = whole.split(whereSeparator: \.isWhitespace).map(Array.init)
    let trimmed = Array(words.joined(separator: [" "]))
    needles = ([trimmed] + words.prefix(32)).filter { !$0.isEmpty }
  }

  var isEmpty: Bool { needles.isEmpty }

  /// In UTF-8 bytes of the text, ascending, apart.
  func ranges(in text: String) -> [Range<Int>] {
    guard !isEmpty else { return [] }
    var found = query.map { TextRanges(of: $0, in: text).ranges } ?? []
    found += literal(in: text)
    return Self.merged(found)
  }

  /// The same in the units of a client.
  func ranges(in text: String, for encoding: PositionEncoding) -> [PostMatch.Part] {
    encoding.ranges(ranges(in: text), in: text).map { PostMatch.Part(offset: $0.lowerBound, length: $0.count) }
  }

  // MARK: - Letter for letter

  /// Compares grapheme clusters: composed or not, é is é, and a flag is one.
  private func literal(in text: String) -> [Range<Int>] {
    var characters: [Character] = []
    var starts: [Int] = []
    var offset = 0
    for character in text {
      // One character may fold into several, such as ß.
      for folded in Self.fold(character) {
        characters.append(folded)
        starts.append(offset)
      }
      offset += character.utf8.count
    }
    starts.append(offset)
    return needles.flatMap { Self.places(of: $0, in: characters, starts) }
  }

  private static func places(of needle: [Character], in text: [Character], _ starts: [Int]) -> [Range<Int>] {
    guard let first = needle.first, needle.count <= text.count else { return [] }
    var ranges: [Range<Int>] = []
    var index = 0
    while index + needle.count <= text.count {
      guard text[index] == first, text[index..<index + needle.count].elementsEqual(needle) else {
        index += 1
        continue
      }
      var end = index + needle.count
      // All of a character that folds into several.
      while end < text.count, starts[end] == starts[end - 1] { end += 1 }
      ranges.append(starts[index]..<starts[end])
      index += needle.count
    }
    return ranges
  }

  private static func characters(of text: String) -> [Character] { text.flatMap(fold) }

  private static func fold(_ character: Character) -> [Character] {
    if character.isASCII { return [Character(character.lowercased())] }
    return Array(character.lowercased())
  }

  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in ranges.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) })
    where !range.isEmpty {
      if let last = merged.last, range.lowerBound < last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }
}
