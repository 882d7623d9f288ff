/// The lines of an open text, in parts. The next version shares all parts that an edit does not touch, so that a key
/// typed in a long text copies few of its lines.
struct TextLineList: RandomAccessCollection, Sendable {
  /// The lines of a new part.
  private static let length = 64

  /// None is empty.
  private var parts: [[String]]
  /// The number of lines before each part, and last that of all.
  private var starts: [Int]

  init(_ lines: [String]) {
    parts = Self.parts(of: lines)
    starts = Self.starts(of: parts)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { starts[parts.count] }

  subscript(place: Int) -> String {
    let part = part(of: place)
    return parts[part][place - starts[part]]
  }

  func makeIterator() -> FlattenSequence<[[String]]>.Iterator { parts.joined().makeIterator() }

  mutating func replaceSubrange(_ range: ClosedRange<Int>, with lines: [String]) {
    let first = part(of: range.lowerBound)
    var last = part(of: range.upperBound)
    var changed =
      parts[first].prefix(range.lowerBound - starts[first]) + lines
      + parts[last].suffix(starts[last + 1] - range.upperBound - 1)
    // Otherwise many short parts would be left of a text of which much is removed.
    if changed.count < Self.length / 2, last + 1 < parts.count {
      last += 1
      changed += parts[last]
    }
    parts.replaceSubrange(first...last, with: Self.parts(of: Array(changed)))
    starts = Self.starts(of: parts)
  }

  /// The last part that begins at or before a line.
  private func part(of place: Int) -> Int {
    var (low, high) = (0, parts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= place { low = middle } else { high = middle }
    }
    return low
  }

  /// A part grows to twice its length before it is two.
  private static func parts(of lines: [String]) -> [[String]] {
    if lines.count <= 2 * length { return lines.isEmpty ? [] : [lines] }
    return stride(from: 0, to: lines.count, by: length).map { Array(lines[$0..<Swift.min($0 + length, lines.count)]) }
  }

  private static func starts(of parts: [[String]]) -> [Int] {
    var starts = [0]
    starts.reserveCapacity(parts.count + 1)
    for part in parts { starts.append(starts[starts.count - 1] + part.count) }
    return starts
  }
}
