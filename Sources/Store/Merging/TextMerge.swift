import Wire

/// A text that two sides made of one: what either changed, and of what both changed both.
///
/// By lines, and within lines that both changed by words. Of lines in which both changed the same words both sides' lines
/// stay, the older side's first and what they share once; no marks come into the text. The result depends on nothing but
/// the three texts and their order, so that every device makes the same of them.
package struct TextMerge: Sendable, Equatable {
  package private(set) var text: String
  /// Whether both sides changed the same place to different things, which somebody should look at.
  package private(set) var overlaps: Bool

  /// - Parameters:
  ///   - base: what both sides began with; empty where nobody knows it, and only shared lines count as one.
  ///   - older: the side whose lines come first.
  package init(base: String, older: String, newer: String) {
    (text, overlaps) = ("", false)
    if sameBytes(older, newer) || sameBytes(newer, base) {
      text = older
    } else if sameBytes(older, base) {
      text = newer
    } else {
      let sides = [base, older, newer].map { TextPieces.lines(of: $0) }
      for region in MergedRegion.all(base: sides[0], older: sides[1], newer: sides[2]) { take(region) }
    }
  }

  private mutating func take(_ region: MergedRegion) {
    if let pieces = region.settled { return add(pieces) }
    if let words = Self.merged(byWords: region) { return add([words[...]]) }
    overlaps = true
    add(Self.both(region))
  }

  /// Nil where both sides changed the same words.
  private static func merged(byWords region: MergedRegion) -> String? {
    let sides = [region.base, region.older, region.newer].map { TextPieces.words(of: $0.joined()) }
    if sides.contains(where: \.isEmpty) { return nil }
    var merged = ""
    for region in MergedRegion.all(base: sides[0], older: sides[1], newer: sides[2]) {
      guard let pieces = region.settled else { return nil }
      for piece in pieces { merged += piece }
    }
    return merged
  }

  /// The lines of both sides; those that they share once.
  private static func both(_ region: MergedRegion) -> [Substring] {
    var lines: [Substring] = []
    var (older, newer) = (region.older.startIndex, region.newer.startIndex)
    for pair in SamePieces(region.older, region.newer).pairs {
      lines += region.older[older..<pair.old] + region.newer[newer..<pair.new] + [region.older[pair.old]]
      (older, newer) = (pair.old + 1, pair.new + 1)
    }
    return lines + region.older[older...] + region.newer[newer...]
  }

  /// A line that was the last of its text gets an end where another one follows it now.
  private mutating func add(_ lines: [Substring]) {
    for line in lines where !line.isEmpty {
      if let last = text.last, !last.isNewline, lineEnd != nil { text += lineEnd ?? "" }
      text += line
      if let last = line.last { lineEnd = last.isNewline ? String(last) : lineEnd ?? "\n" }
    }
  }

  /// The end of the line before, once there is one.
  private var lineEnd: String?
}

/// A run of pieces that at least one side changed, or that none did, between pieces that all three share.
private struct MergedRegion {
  var base: ArraySlice<Substring>
  var older: ArraySlice<Substring>
  var newer: ArraySlice<Substring>

  /// What stands here where only one side changed it, or both did the same; nil where it is for somebody to decide.
  var settled: [Substring]? {
    if Self.same(older, newer) || Self.same(newer, base) { return Array(older) }
    return Self.same(older, base) ? Array(newer) : nil
  }

  private static func same(_ one: ArraySlice<Substring>, _ other: ArraySlice<Substring>) -> Bool {
    one.elementsEqual(other) { $0.utf8.elementsEqual($1.utf8) }
  }

  static func all(base: [Substring], older: [Substring], newer: [Substring]) -> [MergedRegion] {
    let inNewer = Dictionary(uniqueKeysWithValues: SamePieces(base[...], newer[...]).pairs.map { ($0.old, $0.new) })
    let shared = SamePieces(base[...], older[...]).pairs.compactMap { pair in
      inNewer[pair.old].map { (base: pair.old, older: pair.new, newer: $0) }
    }
    var regions: [MergedRegion] = []
    var start = (base: 0, older: 0, newer: 0)
    for place in shared + [(base.count, older.count, newer.count)] {
      let region = MergedRegion(
        base: base[start.base..<place.base], older: older[start.older..<place.older],
        newer: newer[start.newer..<place.newer])
      if !(region.base.isEmpty && region.older.isEmpty && region.newer.isEmpty) { regions.append(region) }
      if place.base < base.count {
        regions.append(
          MergedRegion(
            base: base[place.base...place.base], older: older[place.older...place.older],
            newer: newer[place.newer...place.newer]))
      }
      start = (place.base + 1, place.older + 1, place.newer + 1)
    }
    return regions
  }
}
