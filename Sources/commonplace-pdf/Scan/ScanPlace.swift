import CScan

/// One side of an image as it comes to lie along a side of the picture.
struct ScanPlace {
  /// The pixels of the picture that show some of it.
  let pixels: Range<Int>
  let isReversed: Bool
  let side: scan_side
  /// How much of each pixel is covered, from 0 to 256, in the direction of the image.
  let covers: [UInt16]

  /// - Parameters:
  ///   - start: where the image begins, in the picture's pixels, and `length` where it goes from there.
  ///   - size: the image's pixels.
  ///   - bounds: the part of the picture's side that may be drawn on.
  ///   - fades: whether what lies beside the image is mixed into its edges, as cairo does with stencils.
  /// - Returns: nil if the image is not to be seen, or so large that cairo shows its pixels as squares.
  init?(start: Double, length: Double, size: Int, within bounds: ClosedRange<Double>, fades: Bool) {
    // Of what is no number `max` and `min` make the bounds.
    guard start.isFinite, (start + length).isFinite else { return nil }
    let low = max(bounds.lowerBound, min(start, start + length))
    let high = min(bounds.upperBound, max(start, start + length))
    // A hair less than a pixel is a whole one.
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
        // Between the last pixel and the next one, which is none.
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
