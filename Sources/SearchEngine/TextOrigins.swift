/// Maps each byte of a comparable form to its Unicode scalars in the original.
///
/// Nearly every byte corresponds to one scalar, so only the start is stored for each, and the end only for the others:
/// composed letters, runs of blanks.
package struct TextOrigins: Sendable {
  private let starts: [UInt32]
  /// Bytes that correspond to another number of scalars than one, ascending, and the ends of those scalars.
  private var others: [UInt32] = []
  private var ends: [UInt32] = []
  private let end: Int

  init() {
    starts = []
    end = 0
  }

  init(starts: UnsafeBufferPointer<UInt32>, ends: UnsafeBufferPointer<UInt32>) {
    self.starts = Array(starts)
    end = Int(ends.last ?? 0)
    for place in starts.indices where ends[place] != starts[place] + 1 {
      others.append(UInt32(place))
      self.ends.append(ends[place])
    }
  }

  /// Its memory in bytes.
  package var size: Int { (starts.count + others.count + ends.count) * 4 }

  /// The scalars for a range of the bytes. For an empty range, its position.
  package func origin(of range: Range<Int>) -> Range<Int> {
    guard range.lowerBound < starts.count else { return end..<end }
    let start = Int(starts[range.lowerBound])
    guard !range.isEmpty else { return start..<start }
    return start..<max(start, end(of: range.upperBound - 1))
  }

  private func end(of place: Int) -> Int {
    var (low, high) = (0, others.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(others[middle]) < place { low = middle + 1 } else { high = middle }
    }
    return low < others.count && Int(others[low]) == place ? Int(ends[low]) : Int(starts[place]) + 1
  }
}
