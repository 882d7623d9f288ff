/// The name most like a misspelled one; `nil` only if there are no names at all.
///
/// Letters in the wrong case count less than other letters, and of equals the first declared wins.
package func nearestName(to word: String, among names: [String]) -> String? {
  // What is far longer than any name is no misspelling, and its distance costs its length.
  let word = String(word.unicodeScalars.prefix(64))
  return names.min { distance(word, $0) < distance(word, $1) }
}

/// The nearest name if the word may be a misspelling of it: at most a third of its letters are others. Nobody who writes
/// `projects/move` means `documents/remove`.
package func likelyName(for word: String, among names: [String]) -> String? {
  guard let name = nearestName(to: word, among: names) else { return nil }
  // Whatever was typed in capitals is still the same word.
  let letters = distance(String(word.unicodeScalars.prefix(64)).lowercased(), name.lowercased()) / 2
  return letters <= max(1, name.unicodeScalars.count / 3) ? name : nil
}

/// Twice the Damerau-Levenshtein distance (optimal string alignment), where a change of case counts one half.
func distance(_ left: String, _ right: String) -> Int {
  let left = Array(left.unicodeScalars)
  let right = Array(right.unicodeScalars)
  var beforeLast: [Int] = []
  var last = (0...right.count).map { $0 * 2 }
  for i in 0..<left.count {
    var row = [(i + 1) * 2]
    for j in 0..<right.count {
      var least = min(last[j + 1] + 2, row[j] + 2, last[j] + cost(left[i], right[j]))
      if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] { least = min(least, beforeLast[j - 1] + 2) }
      row.append(least)
    }
    (beforeLast, last) = (last, row)
  }
  return last[right.count]
}

private func cost(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Int {
  if left == right { return 0 }
  return left.properties.lowercaseMapping == right.properties.lowercaseMapping ? 1 : 2
}
