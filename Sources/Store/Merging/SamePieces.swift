/// The pieces that two texts have in common, in the same order.
package struct SamePieces {
  package typealias Pair = (old: Int, new: Int)

  /// The indexes of equal pieces, in order.
  package private(set) var pairs: [Pair] = []
  /// Whether the whole texts were compared. Otherwise a part has so many differences that comparing it would take long,
  /// and no pairs are reported there.
  package private(set) var isComplete = true

  /// Compares byte for byte: differently composed characters are different.
  ///
  /// Matches common prefixes and suffixes first, then pieces that occur once in each text, and between those the
  /// longest common subsequence.
  package init(_ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>) {
    var numbers: [[UInt8]: Int] = [:]
    func numbered(_ pieces: ArraySlice<Substring>) -> [Int] {
      pieces.map { piece in
        let bytes = Array(piece.utf8)
        if let known = numbers[bytes] { return known }
        numbers[bytes] = numbers.count
        return numbers.count - 1
      }
    }
    let (left, right) = (numbered(old), numbered(new))
    match(left[...], right[...], depth: 0)
    pairs = pairs.map { (old.startIndex + $0.old, new.startIndex + $0.new) }
  }

  /// The time of a comparison grows with the number of pieces times the number of differences.
  private static let limit = 3_000
  /// Limit of the recursion, for texts in which every part contains another.
  private static let deepest = 32

  private mutating func match(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>, depth: Int) {
    var (old, new) = (old, new)
    while let left = old.first, left == new.first {
      pairs.append((old.startIndex, new.startIndex))
      (old, new) = (old.dropFirst(), new.dropFirst())
    }
    var tail: [Pair] = []
    while let left = old.last, left == new.last {
      tail.append((old.endIndex - 1, new.endIndex - 1))
      (old, new) = (old.dropLast(), new.dropLast())
    }
    if !old.isEmpty, !new.isEmpty { matchMiddle(old, new, depth: depth) }
    pairs += tail.reversed()
  }

  private mutating func matchMiddle(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>, depth: Int) {
    let anchors = depth < Self.deepest ? Self.increasing(Self.unique(old, new)) : []
    if anchors.isEmpty {
      if old.count + new.count <= Self.limit { matchByDifference(old, new) } else { isComplete = false }
      return
    }
    var start: Pair = (old.startIndex, new.startIndex)
    for anchor in anchors {
      match(old[start.old..<anchor.old], new[start.new..<anchor.new], depth: depth + 1)
      pairs.append(anchor)
      start = (anchor.old + 1, anchor.new + 1)
    }
    match(old[start.old...], new[start.new...], depth: depth + 1)
  }

  /// The indexes of the pieces that occur once in each text, in the order of the old text.
  private static func unique(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>) -> [Pair] {
    func places(_ pieces: ArraySlice<Int>) -> [Int: Int?] {
      pieces.indices.reduce(into: [:]) { places, place in
        places[pieces[place]] = places[pieces[place]] == nil ? .some(place) : .some(nil)
      }
    }
    let (left, right) = (places(old), places(new))
    return old.indices.compactMap { place in
      guard left[old[place]] == .some(place), let there = right[old[place]] ?? nil else { return nil }
      return (place, there)
    }
  }

  /// The longest subsequence with increasing indexes in the new text (patience sorting).
  private static func increasing(_ pairs: [Pair]) -> [Pair] {
    var tops: [Int] = []
    var before = [Int](repeating: -1, count: pairs.count)
    for (index, pair) in pairs.enumerated() {
      var (low, high) = (0, tops.count)
      while low < high {
        let middle = (low + high) / 2
        if pairs[tops[middle]].new < pair.new { low = middle + 1 } else { high = middle }
      }
      if low > 0 { before[index] = tops[low - 1] }
      if low == tops.count { tops.append(index) } else { tops[low] = index }
    }
    var chain: [Pair] = []
    var index = tops.last ?? -1
    while index >= 0 {
      chain.append(pairs[index])
      index = before[index]
    }
    return chain.reversed()
  }

  private mutating func matchByDifference(_ old: ArraySlice<Int>, _ new: ArraySlice<Int>) {
    var (removed, added) = (Set<Int>(), Set<Int>())
    for change in Array(new).difference(from: Array(old)) {
      switch change {
      case .remove(let offset, _, _): removed.insert(old.startIndex + offset)
      case .insert(let offset, _, _): added.insert(new.startIndex + offset)
      }
    }
    let remaining = (old.indices.filter { !removed.contains($0) }, new.indices.filter { !added.contains($0) })
    pairs += zip(remaining.0, remaining.1).map { (old: $0.0, new: $0.1) }
  }
}
