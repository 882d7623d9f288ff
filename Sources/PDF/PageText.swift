/// The text of a page, with the position of every character.
package struct PageText: Sendable, Equatable {
  /// How much is known about the positions of the characters.
  package enum Placement: UInt8, Sendable {
    /// poppler cannot load the page; the text is empty.
    case unavailable = 0
    /// One box for each Unicode scalar of the text.
    case characters = 1
    /// poppler returned another number of boxes than of characters, so that no box can be trusted; the text is
    /// complete.
    case unknown = 2
  }

  /// The version of the extractor. Increase it whenever the same page yields another text or other boxes: stored texts
  /// of earlier versions are then extracted again in the background.
  package static let extractorVersion = 3

  /// The allowed range of `unit`.
  package static let units: ClosedRange<Double> = 1 / 16...PictureRequest.farthest / 16_000

  package var page: Int
  /// Valid UTF-8 in poppler's reading order, lines ended by U+000A; without U+0000 and U+202A to U+202E.
  package var text: String
  package var placement: Placement
  /// One box per Unicode scalar of the text if the placement is `characters`, otherwise empty. The box of a line end
  /// has no width.
  package var boxes: [CharacterBox]
  /// The length of one step of the boxes, in points: 1/16, and more only on pages wider or higher than 2,047 points.
  package var unit: Double

  package init(page: Int, text: String, placement: Placement, boxes: [CharacterBox], unit: Double) {
    self.page = page
    self.text = text
    self.placement = placement
    self.boxes = boxes
    self.unit = unit
  }

  /// The box of the scalar at `offset`, in points of the displayed page from its top left corner.
  package func region(at offset: Int) -> Region {
    let box = boxes[offset]
    return Region(
      x: Double(box.left) * unit, y: Double(box.top) * unit,
      width: Double(Int(box.right) - Int(box.left)) * unit, height: Double(Int(box.bottom) - Int(box.top)) * unit)
  }
}

/// The position of a character, in steps of ``PageText/unit`` from the top left corner of the displayed page.
///
/// Eight bytes, both in memory and in the library. Boxes may extend past the page's edges.
package struct CharacterBox: Sendable, Hashable, BitwiseCopyable {
  package var left: Int16
  package var top: Int16
  package var right: Int16
  package var bottom: Int16

  package init(left: Int16, top: Int16, right: Int16, bottom: Int16) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  package static let zero = CharacterBox(left: 0, top: 0, right: 0, bottom: 0)
}

/// A part of a displayed page, in points from its top left corner.
package struct Region: Sendable, Equatable {
  package var x: Double
  package var y: Double
  package var width: Double
  package var height: Double

  package init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
