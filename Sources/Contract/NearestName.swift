/// The name that is most similar to a misspelled one; `nil` only if `names` is empty.
///
/// A wrong case counts less than a wrong letter, and of equally similar names the first one is returned.
package func nearestName(to word: String, among names: [String]) -> String? {
  nearest(to: Letters(word), among: names)?.name
}

/// The nearest name, if the word may be a misspelling of it: at most a third of its letters differ, and not all of
/// them. `projects/move` is not a misspelling of `documents/remove`. An area that both have, `projects/`, does not count:
/// `projects/foo` is not a misspelling of `projects/add`.
///
/// - Parameter most: the most letters that may differ, instead of a third.
package func likelyName(for word: String, among names: [String], most: Int? = nil) -> String? {
  let word = Letters(word)
  guard let (name, letters) = nearest(to: word, among: names) else { return nil }
  // Case is ignored.
  let others = distance(Letters(folded: word.folded), Letters(folded: letters.folded)) / 2
  let area = word.exact.lastIndex(of: "/").map { word.exact[...$0] } ?? []
  let hasArea = !area.isEmpty && letters.exact.starts(with: area)
  let count = hasArea ? letters.count - area.count : letters.count
  return others <= most ?? max(hasArea ? 2 : 1, count / 3) && others < count ? name : nil
}

private func nearest(to word: Letters, among names: [String]) -> (name: String, letters: Letters)? {
  var best: (name: String, letters: Letters)?
  var least = Int.max
  for name in names {
    let letters = Letters(name)
    // A lower bound of the distance: this many letters must be inserted or deleted.
    if 2 * abs(letters.count - word.count) >= least { continue }
    let distance = distance(word, letters)
    if distance < least { (best, least) = ((name, letters), distance) }
  }
  return best
}

/// A word prepared for comparisons: its letters are folded only once.
private struct Letters {
  let exact: [Unicode.Scalar]
  let folded: [Unicode.Scalar]
  var count: Int { exact.count }

  /// Only the first letters are used: a much longer word is not a misspelling, and the distance takes time in
  /// proportion to its length.
  init(_ word: String) {
    exact = Array(word.unicodeScalars.prefix(64))
    folded = exact.map { scalar in
      guard !scalar.isASCII else {
        return ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
      }
      let mapping = scalar.properties.lowercaseMapping.unicodeScalars
      return mapping.count == 1 ? mapping.first ?? scalar : scalar
    }
  }

  init(folded: [Unicode.Scalar]) {
    exact = folded
    self.folded = folded
  }
}

/// Twice the Damerau-Levenshtein distance (optimal string alignment), in which a change of case counts one half.
func distance(_ left: String, _ right: String) -> Int { distance(Letters(left), Letters(right)) }

private func distance(_ left: Letters, _ right: Letters) -> Int {
  var beforeLast: [Int] = []
  var last = (0...right.count).map { $0 * 2 }
  var row = last
  for i in 0..<left.count {
    row[0] = (i + 1) * 2
    for j in 0..<right.count {
      let isSame = left.exact[i] == right.exact[j]
      let cost = isSame ? 0 : left.folded[i] == right.folded[j] ? 1 : 2
      var least = min(last[j + 1] + 2, row[j] + 2, last[j] + cost)
      if i > 0, j > 0, left.exact[i] == right.exact[j - 1], left.exact[i - 1] == right.exact[j] {
        least = min(least, beforeLast[j - 1] + 2)
      }
      row[j + 1] = least
    }
    (beforeLast, last, row) = (last, row, beforeLast.isEmpty ? row : beforeLast)
  }
  return last[right.count]
}
