/// A `Range` header for a file of some size.
enum ByteRange: Equatable {
  /// No header, several ranges, or another unit: the whole file is a valid answer.
  case whole
  case part(Range<Int>)
  case unsatisfiable

  /// Parses `bytes=0-499`, `bytes=500-` and `bytes=-500`.
  init(_ headers: [String], of size: Int) {
    self = .whole
    guard headers.count == 1, headers[0].hasPrefix("bytes="), !headers[0].contains(",") else { return }
    let ends = headers[0].dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return }
    switch (Int(ends[0]), Int(ends[1])) {
    case (let start?, let end?) where start <= end:
      self = start < size ? .part(start..<min(end, size - 1) + 1) : .unsatisfiable
    case (let start?, nil) where ends[1].isEmpty: self = start < size ? .part(start..<size) : .unsatisfiable
    case (nil, let count?) where ends[0].isEmpty:
      self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
    default: break
    }
  }
}
