/// Selects the matches that a snippet shows, among those that fit into it together:
///
/// 1. with the most different query terms: several terms together are more relevant than one word many times;
/// 2. of these, with the terms closest together, and then in query order, as in a phrase;
/// 3. of these, the most matches;
/// 4. of these, the first.
///
/// A page has thousands of matches of a common word: each step is one pass with two pointers.
struct SnippetMatches {
  private let ranges: [Range<Int>]
  private let terms: [MatchedTerms]
  /// For each first match the last one that fits into the same snippet.
  private let ends: [Int]

  /// - Parameters:
  ///   - ranges: ascending and disjoint, in bytes.
  ///   - terms: the terms of each match; empty if all belong to one term.
  ///   - size: the size of the snippet in bytes. A single match may be longer.
  init(_ ranges: [Range<Int>], of terms: [MatchedTerms], within size: Int) {
    (self.ranges, self.terms) = (ranges, terms)
    var last = 0
    ends = ranges.indices.map { first in
      last = max(last, first)
      while last + 1 < ranges.count, ranges[last + 1].upperBound - ranges[first].lowerBound <= size { last += 1 }
      return last
    }
  }

  /// From the first to the last shown match, in bytes; nil if there are none.
  var best: Range<Int>? {
    let nearest = nearestEnds
    var best: ClosedRange<Int>?
    for (first, last) in ends.enumerated() {
      if let nearest, nearest[first] > last { continue }
      if last - first + 1 > best?.count ?? 0 { best = first...last }
    }
    return best.map { ranges[$0.lowerBound].lowerBound..<ranges[$0.upperBound].upperBound }
  }

  /// Among the closest passages with the most terms: for each match, the end of the first passage that begins at or
  /// after it, or `Int.max`. Nil if no passage has several terms.
  private var nearestEnds: [Int]? {
    guard terms.count == ranges.count, let first = terms.first, terms.contains(where: { $0 != first }) else {
      return nil
    }
    let most = mostTerms
    guard most > 1 else { return nil }
    let looseness = loosenessBefore
    var found: (looseness: Looseness, passages: [ClosedRange<Int>])?
    var counts = TermCounts()
    var next = 0
    for first in ranges.indices {
      while next < ranges.count, counts.count < most {
        counts.add(terms[next])
        next += 1
      }
      guard counts.count >= most else { break }
      if next - 1 <= ends[first] {
        let loose = looseness[next - 1] - looseness[first]
        if let known = found?.looseness, known == loose {
          found?.passages.append(first...next - 1)
        } else if found.map({ loose < $0.looseness }) ?? true {
          found = (loose, [first...next - 1])
        }
      }
      counts.remove(terms[first])
    }
    // Ascending at both ends: of the passages that begin at or after a match, the first ends first.
    var nearest: [Int] = []
    for passage in found?.passages ?? [] {
      while nearest.count <= passage.lowerBound { nearest.append(passage.upperBound) }
    }
    return nearest + Array(repeating: Int.max, count: ranges.count - nearest.count)
  }

  /// The largest number of different terms in one snippet.
  private var mostTerms: Int {
    var (counts, most, next) = (TermCounts(), 0, 0)
    for (first, last) in ends.enumerated() {
      while next <= last {
        counts.add(terms[next])
        next += 1
      }
      most = max(most, counts.count)
      counts.remove(terms[first])
    }
    return most
  }

  /// The distance between matches: the bytes between them, and how often the query order is reversed.
  private struct Looseness: Comparable {
    var gap = 0
    var turns = 0

    static func < (left: Looseness, right: Looseness) -> Bool { (left.gap, left.turns) < (right.gap, right.turns) }

    static func - (left: Looseness, right: Looseness) -> Looseness {
      Looseness(gap: left.gap - right.gap, turns: left.turns - right.turns)
    }
  }

  /// The distance from the first match to each.
  private var loosenessBefore: [Looseness] {
    var sum = Looseness()
    return ranges.indices.map { index in
      if index > 0 {
        sum.gap += ranges[index].lowerBound - ranges[index - 1].upperBound
        if terms[index].comesBefore(terms[index - 1]) { sum.turns += 1 }
      }
      return sum
    }
  }
}

/// Counts each term in a part of a text.
private struct TermCounts {
  private var counts = Array(repeating: 0, count: MatchQuery.maximumTerms)
  /// The number of different terms.
  private(set) var count = 0

  mutating func add(_ terms: MatchedTerms) {
    terms.eachNumber { number in
      if counts[number] == 0 { count += 1 }
      counts[number] += 1
    }
  }

  mutating func remove(_ terms: MatchedTerms) {
    terms.eachNumber { number in
      counts[number] -= 1
      if counts[number] == 0 { count -= 1 }
    }
  }
}
