import CTokenizer

/// A normalized text for comparison with texts that have other line breaks, with a mapping back to the original.
///
///     the exam-        letters     NFKC, case folded unless `cased`, ignorable ones dropped
///     ple of A␣␣B  ─►  blanks      a run is one space
///                      line ends   `exam-⏎ple` is one word, and `한⏎국` too: both places are joins
///                  ─►  `the example of a b`
///
/// Two texts that read the same have equal bytes, however they were typeset. Words joined at a line end may have been
/// two words or a word with a hyphen; `joins` has the positions, for callers that need both variants.
package struct ComparableText: Sendable {
  package struct Form: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Case is not folded.
    package static let cased = Form(rawValue: 1)
    /// A run of blanks with a line end in it is U+000A, so that the beginning of a line can be recognized.
    package static let lined = Form(rawValue: 2)
  }

  /// UTF-8.
  package private(set) var bytes: [UInt8] = []
  /// Positions in `bytes` where a line end was removed, ascending.
  package private(set) var joins: [UInt32] = []
  /// The mapping back to the original. Empty unless requested.
  package private(set) var origins = TextOrigins()

  package init(_ text: String, as form: Form = [], isMapped: Bool = true) {
    Self.compare(text, as: form, isMapped: isMapped) { result in
      bytes = Array(UnsafeBufferPointer(start: result.bytes, count: result.length))
      joins = Array(UnsafeBufferPointer(start: result.joins, count: result.join_count))
      guard isMapped else { return }
      origins = TextOrigins(
        starts: UnsafeBufferPointer(start: result.starts, count: result.length),
        ends: UnsafeBufferPointer(start: result.ends, count: result.length))
    }
  }

  /// Appends the normalized form of a text to others, for texts that are searched as one.
  package static func append(
    _ text: String, as form: Form, to bytes: inout [UInt8], joins: inout [UInt32]
  ) {
    compare(text, as: form, isMapped: false) { result in
      let start = UInt32(bytes.count)
      bytes.append(contentsOf: UnsafeBufferPointer(start: result.bytes, count: result.length))
      joins.append(
        contentsOf: UnsafeBufferPointer(start: result.joins, count: result.join_count).lazy.map { $0 + start })
    }
  }

  /// The Unicode scalars of the original for a range of the bytes. For an empty range, its position.
  package func origin(of range: Range<Int>) -> Range<Int> {
    origins.origin(of: range)
  }

  private static func compare(_ text: String, as form: Form, isMapped: Bool, _ body: (cp_comparable) -> Void) {
    var text = text
    text.withUTF8 { bytes in
      var result = cp_comparable()
      defer { cp_compare_free(&result) }
      let how = cp_comparing(
        keeps_case: form.contains(.cased), keeps_lines: form.contains(.lined), is_mapped: isMapped)
      let isWhole = bytes.withMemoryRebound(to: CChar.self) { cp_compare($0.baseAddress, $0.count, how, &result) }
      guard isWhole else { fatalError("Out of memory while comparing a text of \(bytes.count) bytes") }
      body(result)
    }
  }
}

/// The first position of some bytes in others, by libc's `memmem`, which Swift cannot import; nil if there is none, and
/// for no bytes.
package func firstPlace(of part: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer) -> Int? {
  guard let base = bytes.baseAddress, let partBase = part.baseAddress else { return nil }
  let place = cp_find(base, bytes.count, partBase, part.count)
  return place < 0 ? nil : place
}
