import PDF

/// The text of a page in SQLite's memory; `PageText` has a copy.
struct PageBytes {
  /// UTF-8.
  var text: UnsafeBufferPointer<UInt8>
  var placement: PageText.Placement
  /// A `CharacterBox` for each Unicode scalar, at any address.
  var boxes: UnsafeBufferPointer<UInt8>
  var unit: Double

  /// Whether the places of all characters are available.
  var hasPlaces: Bool {
    placement == .characters && !boxes.isEmpty
      && boxes.count / MemoryLayout<CharacterBox>.stride == scalars(in: 0..<text.count)
  }

  /// How many Unicode scalars begin in a range of the bytes.
  func scalars(in range: Range<Int>) -> Int {
    var count = 0
    for byte in UnsafeBufferPointer(rebasing: text[range]) where byte & 0xC0 != 0x80 { count &+= 1 }
    return count
  }

  /// As `PageLayout.quads`, for a page that has places.
  ///
  /// - Parameters:
  ///   - range: bytes, from the beginning of a character to that of another.
  ///   - first: the number of Unicode scalars before it.
  func quads(of range: Range<Int>, first: Int) -> [[Double]] {
    var quads: [[Double]] = []
    var line: Box?
    var place = first
    var decoder = UTF8()
    var bytes = text[range].makeIterator()
    while case .scalarValue(let scalar) = decoder.decode(&bytes) {
      if scalar == "\n" {
        if let line { quads.append(line.quad) }
        line = nil
      } else if !scalar.isBlank {
        let box = box(at: place)
        if box.area > 0 { line = line?.union(box) ?? box }
      }
      place += 1
    }
    if let line { quads.append(line.quad) }
    return quads
  }

  private func box(at place: Int) -> Box {
    let offset = place * MemoryLayout<CharacterBox>.stride
    return Box(UnsafeRawBufferPointer(boxes).loadUnaligned(fromByteOffset: offset, as: CharacterBox.self), unit: unit)
  }
}
