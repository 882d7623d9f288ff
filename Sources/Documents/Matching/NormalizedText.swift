import SearchEngine
import Store

/// Folded text for comparison, with a mapping to its source.
///
/// NFKC with its case preserved, a run of blanks as one, a word broken by a hyphen at a line end in one piece, soft
/// hyphens and direction marks dropped, no blanks at the ends (`ComparableText`). This removes most of the changes
/// that a clipboard, or another edition's typesetting, makes to a passage.
package struct NormalizedText: Sendable {
  /// One for each Unicode scalar of the folded text.
  package let scalars: [UInt32]
  /// For each of them, where it began and ended in the source.
  private let starts: [Int32]
  private let ends: [Int32]

  package init(_ text: String) {
    let comparable = ComparableText(text, as: .cased)
    let bytes = comparable.bytes
    var scalars: [UInt32] = []
    var starts: [Int32] = []
    var ends: [Int32] = []
    scalars.reserveCapacity(bytes.count)
    var index = bytes.first == 0x20 ? 1 : 0
    let end = bytes.count > index && bytes.last == 0x20 ? bytes.count - 1 : bytes.count
    while index < end {
      let (scalar, length) = Self.scalar(at: index, of: bytes)
      let origin = comparable.origin(of: index..<index + length)
      scalars.append(scalar)
      starts.append(Int32(clamping: origin.lowerBound))
      ends.append(Int32(clamping: origin.upperBound))
      index += length
    }
    self.scalars = scalars
    self.starts = starts
    self.ends = ends
  }

  /// The source scalars of a range of folded ones; for an empty range, the place.
  package func sourceRange(_ range: Range<Int>) -> Range<Int> {
    guard range.lowerBound < starts.count else {
      let end = Int(ends.last ?? 0)
      return end..<end
    }
    let start = Int(starts[range.lowerBound])
    guard !range.isEmpty else { return start..<start }
    return start..<max(start, Int(ends[range.upperBound - 1]))
  }

  /// For bytes that are valid UTF-8.
  private static func scalar(at index: Int, of bytes: [UInt8]) -> (scalar: UInt32, length: Int) {
    let lead = UInt32(bytes[index])
    if lead < 0x80 { return (lead, 1) }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    var value = lead & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset] & 0x3F) }
    return (value, length)
  }
}
