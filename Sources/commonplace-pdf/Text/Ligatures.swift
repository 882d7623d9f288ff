import PDF

// A ligature is one glyph for several letters. poppler splits its box into slices of equal width, in their order on
// paper from the left, and reverses them with their word: lam-alef becomes alef-lam, which is also the article.

/// A box before it was rounded to steps: slices of a glyph have the same width, other letters seldom.
struct PreciseBox {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double
}

extension DirectedText {
  /// Puts the letters of ligatures with lam back in reading order; the boxes stay. After ``putInTextOrder(_:)``.
  ///
  /// Two letters with glyphs of their own may have the same width too: the letters are turned only if the same letters
  /// in the same forms have other widths elsewhere on the page.
  mutating func turnLigatures(_ boxes: [PreciseBox]) {
    guard hasRightToLeft else { return }
    var found: [(letters: Range<Int>, size: GlyphSize)] = []
    var isFound = Set<Int>()
    var index = 0
    while index < scalars.count {
      if let (letters, size) = ligature(at: index, boxes) {
        found.append((letters, size))
        isFound.formUnion(letters)
        index = letters.upperBound
      } else {
        index += 1
      }
    }
    guard !found.isEmpty else { return }
    var widths: [LetterForm: Set<Int>] = [:]
    for index in scalars.indices where !isFound.contains(index) {
      guard scalars[index].ligatureLetter != nil else { continue }
      for size in [GlyphSize(across: boxes[index]), GlyphSize(along: boxes[index])] {
        widths[form(at: index, size), default: []].insert(size.width)
      }
    }
    for (letters, size) in found {
      // Rounding may put the same width in the next step. Where poppler broke a word its letters seem to have other
      // forms: no other form may have the width.
      func has(_ widths: Set<Int>) -> Bool { (-1...1).contains { widths.contains(size.width + $0) } }
      let isOther = letters.contains { index in
        guard let known = widths[form(at: index, size)], !has(known) else { return false }
        return !LetterForm.all(of: form(at: index, size)).contains { widths[$0].map(has) ?? false }
      }
      if isOther { scalars[letters].reverse() }
    }
  }

  /// Puts signs that are slices of their letter's glyph after the letter, and gives all of them the whole box. After
  /// ``turnLigatures(_:)``. Glyphs for several letters are left to ``mendSharedGlyphs(_:)``.
  ///
  /// - Parameter precise: the boxes before they were rounded, in the order of the characters.
  mutating func joinSigns(_ boxes: inout [CharacterBox], _ precise: [PreciseBox]) {
    guard hasRightToLeft else { return }
    var start = 0
    while start < scalars.count {
      var end = start
      while end + 1 < scalars.count, scalars[end].isSign, precise[end].sliceSize(precise[end + 1]) != nil { end += 1 }
      let isPart = [start, end + 1].contains { next in
        next > 0 && next < scalars.count && precise[next - 1].sliceSize(precise[next]) != nil
      }
      if end > start, scalars[end].direction == .left, !isPart {
        let glyph = start..<end + 1
        let whole = CharacterBox(
          left: boxes[glyph].map { min($0.left, $0.right) }.min() ?? 0, top: boxes[glyph].map(\.top).min() ?? 0,
          right: boxes[glyph].map { max($0.left, $0.right) }.max() ?? 0, bottom: boxes[glyph].map(\.bottom).max() ?? 0)
        scalars[glyph].reverse()
        for index in glyph { boxes[index] = whole }
      }
      start = end + 1
    }
  }

  /// Whether letters from `index` on may be one ligature in the order on paper: an alef before a lam, or a heh and two
  /// lams, the end of the name of God.
  private func ligature(at index: Int, _ boxes: [PreciseBox]) -> (Range<Int>, GlyphSize)? {
    let count: Int
    switch scalars[index].ligatureLetter {
    case .alef, .maksura: count = 2
    case .heh: count = 3
    default: return nil
    }
    guard index + count <= scalars.count,
      scalars[index + 1..<index + count].allSatisfy({ $0.ligatureLetter == .lam }),
      let size = boxes[index].sliceSize(boxes[index + 1]),
      count < 3 || boxes[index + 1].sliceSize(boxes[index + 2]) != nil
    else { return nil }
    return (index..<index + count, size)
  }

  private func form(at index: Int, _ size: GlyphSize) -> LetterForm {
    // Letters have a few signs at most.
    let next = scalars[(index + 1)...].prefix(8).first { !$0.isSign }
    let previous = scalars[..<index].suffix(8).last { !$0.isSign }
    let letter = scalars[index].ligatureLetter
    return LetterForm(
      letter: letter, followsJoined: previous?.joinsNext ?? false,
      // An alef does not join the next letter.
      joinsNext: letter != .alef && next?.direction == .left, height: size.height, isTurned: size.isTurned)
  }
}

private enum LigatureLetter {
  case alef, lam, heh, maksura
}

/// A letter in one of its forms. Its glyph's width depends on the font, which the height stands for.
private struct LetterForm: Hashable {
  var letter: LigatureLetter?
  var followsJoined: Bool
  var joinsNext: Bool
  var height: Int
  var isTurned: Bool

  /// A letter's forms, in the same font.
  static func all(of form: LetterForm) -> [LetterForm] {
    [(false, false), (false, true), (true, false), (true, true)].map { followsJoined, joinsNext in
      var other = form
      (other.followsJoined, other.joinsNext) = (followsJoined, joinsNext)
      return other
    }
  }
}

/// The size of a glyph in 1/64 points; of a turned one, along its line.
private struct GlyphSize: Hashable {
  var width: Int
  var height: Int
  var isTurned: Bool

  init(across box: PreciseBox) {
    self.init(width: box.right - box.left, height: box.bottom - box.top, isTurned: false)
  }

  init(along box: PreciseBox) {
    self.init(width: box.bottom - box.top, height: box.right - box.left, isTurned: true)
  }

  private init(width: Double, height: Double, isTurned: Bool) {
    func step(_ value: Double) -> Int { value.isFinite ? Int(max(0, min(1e6, (64 * value).rounded()))) : 0 }
    (self.width, self.height, self.isTurned) = (step(width), step(height), isTurned)
  }
}

extension PreciseBox {
  /// The size if both boxes are adjacent slices of one box: on a level line, or on a turned one.
  fileprivate func sliceSize(_ other: PreciseBox) -> GlyphSize? {
    let sizes = (right - left, bottom - top)
    // The end of the last slice is the beginning of the next glyph, whose position may have been rounded.
    func same(_ a: Double, _ b: Double) -> Bool { abs(a - b) < max(sizes.0, sizes.1) / 1000 }
    guard sizes.0 > 0, sizes.1 > 0, same(sizes.0, other.right - other.left), same(sizes.1, other.bottom - other.top)
    else { return nil }
    if same(top, other.top), same(left, other.right) || same(right, other.left) { return GlyphSize(across: self) }
    if same(left, other.left), same(top, other.bottom) || same(bottom, other.top) { return GlyphSize(along: self) }
    return nil
  }
}

extension Unicode.Scalar {
  fileprivate var ligatureLetter: LigatureLetter? {
    switch value {
    // The alef wasla is that of the article.
    case 0x622, 0x623, 0x625, 0x627: .alef
    case 0x644: .lam
    case 0x647: .heh
    case 0x649: .maksura
    default: nil
    }
  }

  /// Whether it is a letter that joins the next one.
  fileprivate var joinsNext: Bool {
    switch value {
    case 0x621...0x625, 0x627, 0x629, 0x62f...0x632, 0x648, 0x649, 0x671...0x673, 0x675...0x677, 0x688...0x699,
      0x6c0, 0x6c3...0x6cb, 0x6cd, 0x6cf, 0x6d2...0x6d3, 0x6d5, 0x6ee...0x6ef:
      false
    default: direction == .left && value >= 0x620
    }
  }
}
