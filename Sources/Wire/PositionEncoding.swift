/// The unit in which a client counts offsets in a text, with the names of LSP.
package enum PositionEncoding: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  /// Converts ascending, disjoint UTF-8 ranges of `text` to this encoding.
  package func ranges(_ ranges: [Range<Int>], in text: String) -> [Range<Int>] {
    guard self != .utf8, !ranges.isEmpty else { return ranges }
    var borders: [Int] = []
    borders.reserveCapacity(ranges.count * 2)
    var (offset, next) = (0, 0)
    // All boundaries are converted in one pass over the text.
    func reach(_ byte: Int) {
      while next < ranges.count * 2 {
        let range = ranges[next / 2]
        guard (next.isMultiple(of: 2) ? range.lowerBound : range.upperBound) <= byte else { return }
        borders.append(offset)
        next += 1
      }
    }
    var index = 0
    for byte in text.utf8 {
      // A character is counted at its first byte; one of four bytes counts as two in UTF-16.
      if byte & 0xC0 != 0x80 {
        reach(index)
        if next == ranges.count * 2 { break }
        offset += self == .utf16 && byte >= 0xF0 ? 2 : 1
      }
      index += 1
    }
    reach(Int.max)
    return stride(from: 0, to: borders.count, by: 2).map { borders[$0]..<borders[$0 + 1] }
  }
}
