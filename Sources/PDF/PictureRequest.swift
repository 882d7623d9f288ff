/// A picture of a page, or of a part of it.
package struct PictureRequest: Sendable, Equatable {
  package enum Size: Sendable, Equatable {
    /// The picture's width in pixels; its height follows from the aspect ratio.
    case width(Int)
    /// Pixels per point.
    case scale(Double)
  }

  package enum Format: UInt8, Sendable {
    case png = 0
    /// Rows from the top without padding, four bytes per pixel: blue, green, red, 255.
    case raw = 1
  }

  /// A mark on the page: a filled area, or a line.
  package struct Mark: Sendable, Equatable {
    /// The corners of the area in order, or the points along the line, x before y, in points of the displayed page from
    /// its top left corner.
    package var points: [Double]
    package var color: Color
    /// The line's width in points. Nil for an area, which is rendered like a marker pen: by multiplication, so that the
    /// text below stays as dark as it was.
    package var width: Double?

    package init(quad: [Double], color: Color) {
      (points, self.color, width) = (quad, color, nil)
    }

    package init(line points: [Double], width: Double, color: Color) {
      (self.points, self.color, self.width) = (points, color, width)
    }
  }

  package struct Color: Sendable, Equatable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8
    package var alpha: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }
  }

  package var page: Int
  package var size: Size
  /// The part to render; the whole page if nil.
  package var region: Region?
  package var marks: [Mark]
  package var format: Format

  package init(page: Int, size: Size, region: Region? = nil, marks: [Mark] = [], format: Format = .png) {
    self.page = page
    self.size = size
    self.region = region
    self.marks = marks
    self.format = format
  }

  /// The most pixels of a picture: 200 MB while it is rendered.
  package static let mostPixels = 50_000_000
  /// The longest side that cairo can render.
  package static let longestSide = 32_767
  /// The most marks that fit into one message to the worker.
  package static let mostMarks = 2_000
  /// The most coordinates of all marks together in one message.
  package static let mostCoordinates = 18_000
  /// The largest distance of a point from a page's corner.
  package static let farthest = 1_000_000.0

  /// The size in pixels of a picture of `region`, or of a whole page of the size of `region`.
  ///
  /// - Throws: `pictureTooLarge`, or `badRequest` for a size that cannot be rendered at all.
  package func pixels(of region: Region) throws(WorkerFailure) -> (width: Int, height: Int, scale: Double) {
    let scale: Double
    switch size {
    case .width(let width):
      scale = Double(width) / region.width
    case .scale(let pixelsPerPoint):
      scale = pixelsPerPoint
    }
    guard scale.isFinite, scale > 0, region.width.isFinite, region.height.isFinite else {
      throw .badRequest("a picture without a size")
    }
    let width = max(1, (region.width * scale).rounded())
    let height = max(1, (region.height * scale).rounded())
    let longest = Double(Self.longestSide)
    guard width < longest, height < longest, width * height <= Double(Self.mostPixels) else {
      throw .pictureTooLarge(pixels: Int(min(width * height, 1e18)), limit: Self.mostPixels)
    }
    return (Int(width), Int(height), scale)
  }

  /// Refuses invalid requests before they are sent to a worker.
  ///
  /// - Throws: `WorkerFailure.pageUnavailable`, `.pictureTooLarge` or `.badRequest`.
  package func check() throws(WorkerFailure) {
    guard page >= 0, page <= Int(UInt32.max) else { throw .pageUnavailable(page: page) }
    guard marks.count <= Self.mostMarks else { throw .badRequest("more than \(Self.mostMarks) marks") }
    let inPlace = -Self.farthest...Self.farthest
    var coordinates = 0
    for mark in marks {
      coordinates += mark.points.count
      let isArea = mark.width == nil
      guard mark.points.count.isMultiple(of: 2), mark.points.count >= (isArea ? 6 : 4),
        mark.points.allSatisfy(inPlace.contains), mark.width.map({ $0 > 0 && $0 <= Self.farthest }) ?? true
      else { throw .badRequest("a mark's points") }
    }
    guard coordinates <= Self.mostCoordinates else {
      throw .badRequest("more than \(Self.mostCoordinates) coordinates")
    }
    if let region {
      guard inPlace.contains(region.x), inPlace.contains(region.y),
        region.width > 0, region.width <= Self.farthest, region.height > 0, region.height <= Self.farthest
      else { throw .badRequest("the region") }
      _ = try pixels(of: region)
    }
    switch size {
    case .width(let width):
      guard width > 0 else { throw .badRequest("the width") }
      guard width < Self.longestSide else { throw .pictureTooLarge(pixels: width, limit: Self.mostPixels) }
    case .scale(let scale):
      guard scale > 0, scale <= 10_000 else { throw .badRequest("the scale") }
    }
  }
}

/// A rendered picture.
package struct Picture: Sendable, Equatable {
  /// In pixels.
  package var width: Int
  package var height: Int
  /// The length of its file in bytes.
  package var bytes: Int
  /// Whether the page is a single image, which was rendered without poppler. The pool counts these.
  package var isScan: Bool

  package init(width: Int, height: Int, bytes: Int, isScan: Bool = false) {
    self.width = width
    self.height = height
    self.bytes = bytes
    self.isScan = isScan
  }
}
