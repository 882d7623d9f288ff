import Contract

/// A reference in a text: `[12]`, `Fig. 3`, `Theorem 2.1`, `(3.4)`, `Smith et al. (2019)`.
struct TextReference: Equatable, Sendable {
  enum Kind: String, Choice {
    case citation, figure, table, equation, section, theorem
  }

  var kind: Kind
  /// What the target begins with, besides its number, folded: the words for a figure, or the names of a kind of
  /// theorem; the author of a citation by year.
  var words: [String] = []
  /// `12`, `2.1`, `A`; of a citation by year, the year.
  var number: String
  /// In Unicode scalars.
  var range: Range<Int>

  /// Whether an author and a year are cited.
  var isByYear: Bool { kind == .citation && !words.isEmpty }
}

extension TextReference {
  /// The reference at a place of a text, or the first of the text; nil if there is none.
  ///
  /// - Parameter place: in Unicode scalars.
  init?(in scalars: some Collection<Unicode.Scalar>, at place: Int?) {
    // A reference may go on in the next line.
    let scalars = scalars.map { $0.isBlank ? " " as Unicode.Scalar : $0 }
    let window = place.map { max(0, $0 - Self.reach)..<min(scalars.count, $0 + Self.reach) } ?? 0..<scalars.count
    let text = String(scalars: scalars[window])
    let found = Self.references(in: text).map { reference in
      var moved = reference
      moved.range = reference.range.lowerBound + window.lowerBound..<reference.range.upperBound + window.lowerBound
      return moved
    }
    let here = found.filter { reference in place.map(reference.range.contains) ?? true }
    // The shortest is the most exact: a number in brackets, and not the sentence of an author and a year around it.
    let best =
      place == nil
      ? here.min { $0.range.lowerBound < $1.range.lowerBound } : here.min { $0.range.count < $1.range.count }
    guard let best else { return nil }
    self = best
  }

  /// How far before and after a place a reference is looked for, in Unicode scalars.
  private static let reach = 200

  private static func references(in text: String) -> [TextReference] {
    labelled(in: text) + numbered(in: text) + equations(in: text) + byYear(in: text)
  }

  // MARK: - The forms

  /// The words for a kind, folded; the first ones of `figure` and so on are also those by which its target begins.
  private static let labels: [(kind: Kind, words: [String])] = [
    (.figure, ["figure", "figures", "fig.", "figs.", "fig", "그림", "図", "图", "圖"]),
    (.table, ["table", "tables", "tab.", "표", "表"]),
    (.equation, ["equation", "equations", "eq.", "eqs.", "eqn.", "식", "式"]),
    (.section, ["section", "sections", "sec.", "secs.", "chapter", "chapters", "appendix", "§"]),
    (.theorem, ["theorem", "theorems", "thm.", "정리", "定理"]), (.theorem, ["lemma", "lemmas", "보조정리", "補題", "引理"]),
    (.theorem, ["corollary", "corollaries", "따름정리", "系", "推论", "推論"]),
    (.theorem, ["proposition", "propositions", "prop.", "명제", "命題", "命题"]),
    (.theorem, ["definition", "definitions", "def.", "정의", "定義", "定义"]),
    (.theorem, ["algorithm", "algorithms", "알고리즘", "アルゴリズム", "算法"]),
    (.theorem, ["example", "examples", "예제", "例"]), (.theorem, ["remark", "remarks"]),
  ]

  private static func labelled(in text: String) -> [TextReference] {
    let label = /([\p{L}§]+\.?) ?\(?([A-Z]?[0-9]+(?:\.[0-9]+)*[a-z]?|[A-Z](?:\.[0-9]+)*)\)?(?![A-Za-z0-9])/
    return text.matches(of: label).compactMap { match in
      let word = match.1.lowercased()
      // A word of a language without blanks may have others right before it.
      let found =
        labels.first { $0.words.contains(word) }
        ?? labels.first { $0.words.contains { !$0.utf8.allSatisfy { $0 < 0x80 } && word.hasSuffix($0) } }
      guard let found else { return nil }
      return TextReference(
        kind: found.kind, words: found.words, number: String(match.2), range: scalars(match.range, in: text))
    }
  }

  /// `[3, 12–15]`: each number of a pair of brackets.
  private static func numbered(in text: String) -> [TextReference] {
    text.matches(of: /\[[0-9]{1,4}(?: ?[,;–-] ?[0-9]{1,4})*\]/).flatMap { match in
      let numbers = text[match.range].matches(of: /[0-9]+/)
      return numbers.map { number in
        // The brackets belong to the numbers beside them.
        let range = numbers.count == 1 ? match.range : number.range
        return TextReference(kind: .citation, number: String(text[number.range]), range: scalars(range, in: text))
      }
    }
  }

  private static func equations(in text: String) -> [TextReference] {
    text.matches(of: /\(([A-Z]?\.?[0-9]{1,3}(?:\.[0-9]{1,3})*[a-z]?)\)/).map { match in
      TextReference(kind: .equation, number: String(match.1), range: scalars(match.range, in: text))
    }
  }

  /// `Smith and Doe (2019)`, `(Smith et al., 2019a)`. A word before the names may be taken for one: each may be the
  /// first of the entry.
  private static func byYear(in text: String) -> [TextReference] {
    let cited =
      #/
      \p{Lu}[\p{L}'’-]+ (?:(?:,?\s(?:and|&|und|et)\s|,\s)\p{Lu}[\p{L}'’-]+)* (?:,?\set\sal\.?)?
      ,?\s[\(\[]? ((?:1[5-9]|20)[0-9]{2}[a-z]?) (?![0-9]) [\)\]]?
      /#
    return text.matches(of: cited).map { match in
      let names = text[match.range.lowerBound..<match.1.startIndex].matches(of: /\p{Lu}[\p{L}'’-]+/)
      return TextReference(
        kind: .citation, words: names.map { $0.0.lowercased() }, number: String(match.1),
        range: scalars(match.range, in: text))
    }
  }

  private static func scalars(_ range: Range<String.Index>, in text: String) -> Range<Int> {
    let start = text.unicodeScalars.distance(from: text.startIndex, to: range.lowerBound)
    return start..<start + text.unicodeScalars.distance(from: range.lowerBound, to: range.upperBound)
  }
}

extension TextReference {
  /// What is in the text of every page that may have the target.
  var marker: String { isByYear ? String(number.prefix(4)) : number }

  /// How likely a line is the beginning of the target; nil if it is none.
  ///
  /// - Parameters:
  ///   - following: the lines after it.
  ///   - isInList: whether it is in the list of literature.
  func likelihood(_ line: String, following: ArraySlice<String>, isInList: Bool) -> Double? {
    switch kind {
    case .citation: citedLikelihood(line, following: following, isInList: isInList)
    case .equation: endsWithNumber(line) ? 1 : nil
    case .section: sectionLikelihood(line)
    case .figure, .table, .theorem: captionLikelihood(line)
    }
  }

  private func citedLikelihood(_ line: String, following: ArraySlice<String>, isInList: Bool) -> Double? {
    guard isByYear else {
      if line.hasPrefix("[\(number)]") { return isInList ? 2 : 1 }
      return isInList && line.hasPrefix("\(number). ") ? 1.5 : nil
    }
    // A year in the text is of something else.
    guard isInList else { return nil }
    let entry = line.lowercased()
    let author = words.firstIndex { name in
      entry.hasPrefix(name) && entry.dropFirst(name.count).first.map { !$0.isLetter } ?? false
    }
    guard let author, ([line] + following.prefix(4)).contains(where: { $0.contains(number) }) else { return nil }
    return 2 - 0.01 * Double(author)
  }

  private func endsWithNumber(_ line: String) -> Bool {
    // A line of text may end with a reference too: a formula has more than letters.
    let letters = line.count(where: \.isLetter)
    return line.hasSuffix("(\(number))") && 3 * letters < 2 * line.count { !$0.isWhitespace }
  }

  private func sectionLikelihood(_ line: String) -> Double? {
    if let rest = Self.rest(of: line, after: number) {
      let title = rest.drop { $0 == "." || $0.isWhitespace }
      guard title.first?.isUppercase == true || title.first.map({ $0.isLetter && !$0.isCased }) == true else {
        return nil
      }
      // A table of contents ends its lines with the numbers of pages.
      return rest.last?.isNumber == true ? 0.7 : rest.count < 100 ? 1.5 : 0.5
    }
    return captionLikelihood(line)
  }

  private func captionLikelihood(_ line: String) -> Double? {
    let folded = line.lowercased()
    for word in words where folded.hasPrefix(word) {
      let tail = line.dropFirst(word.count).drop(while: \.isWhitespace)
      guard let rest = Self.rest(of: String(tail), after: number) else { continue }
      let next = rest.first { !$0.isWhitespace }
      if next == nil || next == "(" || rest.first.map({ ".:—–|".contains($0) }) == true { return 1.5 }
      // “Figure 3 shows …” begins a line of the text.
      return next.map { $0.isUppercase || !$0.isCased } == true ? 1 : 0.3
    }
    return nil
  }

  /// The text after a number at the beginning; nil if another number is there.
  private static func rest(of text: String, after number: String) -> Substring? {
    guard text.hasPrefix(number) else { return nil }
    let rest = text.dropFirst(number.count)
    if let next = rest.first, next.isLetter || next.isNumber { return nil }
    // `2.1` does not begin with the number 2.
    if rest.first == ".", rest.dropFirst().first?.isNumber == true { return nil }
    return rest
  }
}
