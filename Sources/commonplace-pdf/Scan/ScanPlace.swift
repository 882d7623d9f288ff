import CScan

/// One dimension of an image, mapped to a dimension of the picture.
struct ScanPlace {
  /// The pixels of the picture that show a part of the image.
  let pixels: Range<Int>
  let isReversed: Bool
  let side: scan_side
  /// The coverage of each pixel, from 0 to 256, in the direction of the image.
  let covers: [UInt16]

  /// - Parameters:
  ///   - start: position of the image's beginning in the picture's pixels; `length` is its signed extent.
  ///   - size: the image's size in pixels.
  ///   - bounds: the drawable part of the picture's dimension.
  ///   - fades: whether the edges are blended with the surroundings, as cairo does with stencils.
  /// - Returns: nil if the image is invisible, or so magnified that cairo shows its pixels as squares.
  init?(start: Double, length: Double, size: Int, within bounds: ClosedRange<Double>, fades: Bool) {
    // For NaN `max` and `min` return the bounds.
    guard start.isFinite, (start + length).isFinite else { return nil }
    let low = max(bounds.lowerBound, min(start, start + length))
    let high = min(bounds.upperBound, max(start, start + length))
    // A position slightly beside a pixel boundary counts as on it.
    let hair = 1.0 / 512
    guard low.isFinite, high.isFinite, high - low > hair, abs(length) > hair else { return nil }
    let first = (low + hair).rounded(.down)
    let end = max(first + 1, (high - hair).rounded(.up))
    let step = Double(size) / abs(length)
    guard step > 0.26 else { return nil }
    pixels = Int(first)..<Int(end)
    isReversed = length < 0
    side = scan_side(
      count: UInt32(pixels.count), start: ((isReversed ? end : first) - start) / length * Double(size), step: step)
    let covers = pixels.map { pixel in
      let (left, right) = (Double(pixel), Double(pixel + 1))
      var cover = min(high, right) - max(low, left)
      if fades, step >= 4.0 / 3 {
        cover *= min(max(start, start + length), right) - max(min(start, start + length), left)
      } else if fades {
        // Between the last pixel and the empty one after it.
        let middle = ((left + right) / 2 - start) / length * Double(size)
        cover *= max(0, min(1, middle + 0.5)) * max(0, min(1, Double(size) - middle + 0.5))
      }
      return cover >= 1 - hair ? 256 : UInt16(max(0, min(256, (256 * cover).rounded())))
    }
    self.covers = isReversed ? covers.reversed() : covers
  }

  /// The pixel that shows the image's beginning.
  var first: Int { isReversed ? pixels.upperBound - 1 : pixels.lowerBound }
  var direction: Int { isReversed ? -1 : 1 }
}
