/// From where in a text each byte of its comparable form came, in Unicode scalars.
///
/// Nearly every byte came from one scalar, so only where one begins is kept of each, and where it ends of the others:
/// composed letters, runs of blanks.
package struct TextOrigins: Sendable {
  private let starts: [UInt32]
  /// Bytes that came from another number of scalars than one, ascending, and where those end.
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

  /// Memory that it takes.
  package var size: Int { (starts.count + others.count + ends.count) * 4 }

  /// The scalars from which a range of the bytes came. Of an empty range, the place.
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
