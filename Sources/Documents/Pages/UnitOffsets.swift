import Display
import Wire

/// The offset of each scalar of a text, in the client's units.
struct UnitOffsets {
  private let starts: [Int]

  init(_ scalars: [Unicode.Scalar], in encoding: PositionEncoding) {
    var starts = [0]
    starts.reserveCapacity(scalars.count + 1)
    for scalar in scalars {
      let width =
        switch encoding {
        case .utf8: UTF8.width(scalar)
        case .utf16: UTF16.width(scalar)
        case .utf32: 1
        }
      starts.append(starts.last! + width)
    }
    self.starts = starts
  }

  subscript(scalar: Int) -> Int { starts[scalar] }
}

extension PageLayout {
  /// Runs without blanks.
  var words: [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    for index in scalars.indices {
      if scalars[index].properties.isWhitespace {
        if let begun = start { words.append(begun..<index) }
        start = nil
      } else if start == nil {
        start = index
      }
    }
    if let start { words.append(start..<scalars.count) }
    return words
  }
}
