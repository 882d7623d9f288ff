import CTokenizer

/// A text split into words, letters and pictographs, as in the search index.
///
/// The C scanner is shared with the FTS5 tokenizer, so that matches and highlights agree.
package struct TextUnits {
  package struct Unit {
    var kind: cp_kind
    /// Whether a letter directly follows the previous one: both belong to one run.
    package var glued: Bool
    /// The number of units before it in the text.
    var place: Int
    /// Bytes of the original text.
    package var range: Range<Int>
    /// The folded form, and the same without diacritics: ranges in `folded`.
    var exact: Range<Int>
    var plain: Range<Int>
    /// The latter including an Arabic article.
    var whole: Range<Int>
  }

  package private(set) var units: [Unit] = []
  /// For a word that a hyphen breaks at a line end its parts, by its index in `units`: they occupy the same position.
  package private(set) var parts: [Int: [Unit]] = [:]
  private var folded: [UInt8] = []

  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { TextUnits(bytes: $0) }
  }

  package init(bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { return }
    withUnsafeMutablePointer(to: &self) { destination in
      base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { text in
        _ = cp_scan(text, bytes.count, destination, Self.take)
      }
    }
  }

  /// Only the units of a text that may match one of `query`.
  init(_ text: String, having query: QueryUnits) {
    var text = text
    text.withUTF8 { bytes in
      guard let base = bytes.baseAddress else { return }
      withUnsafeMutablePointer(to: &self) { destination in
        base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { text in
          query.withPointers { units, count, forms in
            _ = cp_scan_for(text, bytes.count, units, count, forms, destination, Self.take)
          }
        }
      }
    }
  }

  private static let take: cp_unit_callback = { context, unit in
    context!.assumingMemoryBound(to: TextUnits.self).pointee.append(unit!.pointee)
    return 0
  }

  /// Whether unit `index` equals the word or letter `other[otherIndex]`, ignoring diacritics.
  package func isSame(_ index: Int, as other: TextUnits, _ otherIndex: Int) -> Bool {
    isSame(units[index], as: other, otherIndex)
  }

  /// The range of the word or letter `other[otherIndex]` at unit `index`: the whole unit, or a part of it; nil without
  /// a match.
  ///
  /// - Parameter mayGoOn: whether a longer word with this prefix matches.
  package func range(at index: Int, of other: TextUnits, _ otherIndex: Int, mayGoOn: Bool) -> Range<Int>? {
    func has(_ unit: Unit) -> Bool {
      mayGoOn ? begins(unit, with: other, otherIndex) : isSame(unit, as: other, otherIndex)
    }
    if has(units[index]) { return units[index].range }
    return parts.isEmpty ? nil : parts[index]?.first(where: has)?.range
  }

  private func isSame(_ mine: Unit, as other: TextUnits, _ otherIndex: Int) -> Bool {
    let theirs = other.units[otherIndex]
    return mine.kind == theirs.kind && folded[mine.plain].elementsEqual(other.folded[theirs.plain])
  }

  private func begins(_ mine: Unit, with other: TextUnits, _ otherIndex: Int) -> Bool {
    let theirs = other.units[otherIndex]
    guard mine.kind == theirs.kind else { return false }
    let beginning = other.folded[theirs.plain]
    return folded[mine.plain].starts(with: beginning) || folded[mine.whole].starts(with: beginning)
  }

  /// Whether unit `index` is a syllable that completes the letter `other[otherIndex]`: an initial at any position, the
  /// last letter also without its final.
  package func completes(_ index: Int, _ other: TextUnits, _ otherIndex: Int, isLast: Bool) -> Bool {
    guard let letter = scalar(of: index), let typed = other.scalar(of: otherIndex) else { return false }
    return (isLast || HangulTyping.isInitial(typed)) && HangulTyping.completes(letter, typed)
  }

  /// The forms for `QueryUnits`, and the bytes in which their ranges are.
  package var plainForms: (forms: [(kind: cp_kind, form: Range<Int>)], bytes: [UInt8]) {
    (units.map { ($0.kind, $0.plain) }, folded)
  }

  /// The last word or letter in its indexed form without diacritics.
  package var last: String? { units.last.map { String(decoding: folded[$0.plain], as: UTF8.self) } }

  /// The character of a unit that has only one; otherwise nil.
  private func scalar(of index: Int) -> Unicode.Scalar? {
    let scalars = String(decoding: folded[units[index].plain], as: UTF8.self).unicodeScalars
    return scalars.count == 1 ? scalars.first : nil
  }

  private mutating func append(_ unit: cp_unit) {
    let exact = append(unit.exact, unit.exact_length)
    let article = unit.article
    let whole =
      unit.plain == unit.exact ? exact : append(unit.plain.map { $0 - article }, unit.plain_length + article)
    let plain = whole.lowerBound + article..<whole.upperBound
    let new = Unit(
      kind: unit.kind, glued: unit.glued, place: Int(unit.place), range: Int(unit.start)..<Int(unit.end), exact: exact,
      plain: plain, whole: whole)
    if unit.part {
      parts[units.count - 1, default: []].append(new)
    } else {
      units.append(new)
    }
  }

  private mutating func append(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Range<Int> {
    let start = folded.count
    folded.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
    return start..<folded.count
  }
}

/// A folded text with its Han and kana letters in their indexed form, so that 讀書 and 读书 are equal.
package struct LetterForm: Sendable {
  package let text: String
  /// Whether it has such letters, so that other spellings may have the same form.
  package let mayDiffer: Bool

  package init(_ text: String) {
    let bytes = Array(foldedText(text).utf8)
    let units = bytes.withUnsafeBufferPointer { TextUnits(bytes: $0) }
    (self.text, mayDiffer) = units.letterForm(of: bytes)
  }
}

extension TextUnits {
  /// Text between the letters is unchanged.
  fileprivate func letterForm(of bytes: [UInt8]) -> (text: String, mayDiffer: Bool) {
    var form: [UInt8] = []
    var (end, mayDiffer) = (0, false)
    for (index, unit) in units.enumerated() where unit.kind == CP_KIND_LETTER {
      // Hangul has only one form.
      guard let letter = scalar(of: index), !(0xAC00...0xD7A3).contains(letter.value) else { continue }
      mayDiffer = true
      form += bytes[end..<unit.range.lowerBound]
      form += folded[unit.plain]
      end = unit.range.upperBound
    }
    return (String(decoding: form + bytes[end...], as: UTF8.self), mayDiffer)
  }
}

/// The folded form of a text: NFKC, case folded, blanks collapsed, every other character unchanged.
///
/// The same as the SQL function `fold(text)`, for comparing what a user types with a folded column.
package func foldedText(_ text: String) -> String {
  var text = text
  return text.withUTF8 { bytes in
    var length = 0
    let folded = bytes.withMemoryRebound(to: CChar.self) { cp_fold($0.baseAddress, $0.count, &length) }
    guard let folded else { fatalError("Out of memory while folding a text of \(bytes.count) bytes") }
    defer { cp_free(folded) }
    return String(decoding: UnsafeRawBufferPointer(start: folded, count: length), as: UTF8.self)
  }
}
