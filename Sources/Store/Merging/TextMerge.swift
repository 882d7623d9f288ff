import Wire

/// Three-way merge of a text.
///
/// Merges by lines, and within lines that both sides changed by words. If both changed the same words, the lines of
/// both sides are included, the older side's first and common lines once; no conflict markers are inserted. The result
/// depends only on the three texts and their order, so that every device gets the same result.
package struct TextMerge: Sendable, Equatable {
  package private(set) var text: String
  /// Whether both sides changed the same place differently, so that the user should check it.
  package private(set) var overlaps: Bool

  /// - Parameters:
  ///   - base: the common base; empty if it is unknown, and then only equal lines are merged.
  ///   - older: the side whose lines precede the other's.
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

  /// The region merged by words; nil if both sides changed the same words.
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

  /// The lines of both sides, common lines once.
  private static func both(_ region: MergedRegion) -> [Substring] {
    var lines: [Substring] = []
    var (older, newer) = (region.older.startIndex, region.newer.startIndex)
    for pair in SamePieces(region.older, region.newer).pairs {
      lines += region.older[older..<pair.old] + region.newer[newer..<pair.new] + [region.older[pair.old]]
      (older, newer) = (pair.old + 1, pair.new + 1)
    }
    return lines + region.older[older...] + region.newer[newer...]
  }

  /// Appends lines. A last line without a line end gets one when another line follows.
  private mutating func add(_ lines: [Substring]) {
    for line in lines where !line.isEmpty {
      if let last = text.last, !last.isNewline, lineEnd != nil { text += lineEnd ?? "" }
      text += line
      if let last = line.last { lineEnd = last.isNewline ? String(last) : lineEnd ?? "\n" }
    }
  }

  /// The line end of the preceding lines; nil before the first line.
  private var lineEnd: String?
}

/// A run of pieces that at least one side changed, or that no side changed, between pieces that all three have in
/// common.
private struct MergedRegion {
  var base: ArraySlice<Substring>
  var older: ArraySlice<Substring>
  var newer: ArraySlice<Substring>

  /// The result if only one side changed the region or both made the same change; nil for a conflict.
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
