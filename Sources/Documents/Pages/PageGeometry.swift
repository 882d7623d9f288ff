import PDF
import Wire

/// A place on a displayed page, in points from its top left corner.
struct Point: Equatable, Sendable {
  var x: Double
  var y: Double
}

/// An upright box on a displayed page.
struct Box: Equatable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  init(left: Double, top: Double, right: Double, bottom: Double) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  init(_ box: CharacterBox, unit: Double) {
    self.init(
      left: Double(box.left) * unit, top: Double(box.top) * unit, right: Double(box.right) * unit,
      bottom: Double(box.bottom) * unit)
  }

  /// The box around a quad, whose corners may be in any order.
  init(quad: [Double]) {
    let xs = stride(from: 0, to: 8, by: 2).map { quad[$0] }
    let ys = stride(from: 1, to: 8, by: 2).map { quad[$0] }
    self.init(left: xs.min()!, top: ys.min()!, right: xs.max()!, bottom: ys.max()!)
  }

  var width: Double { right - left }
  var height: Double { bottom - top }
  var area: Double { max(0, width) * max(0, height) }
  var center: Point { Point(x: (left + right) / 2, y: (top + bottom) / 2) }

  /// Whether all edges are within one step of the places of characters.
  func isAlmost(_ other: Box) -> Bool {
    [(left, other.left), (top, other.top), (right, other.right), (bottom, other.bottom)]
      .allSatisfy { abs($0 - $1) <= PageText.units.lowerBound }
  }

  /// Clockwise from the beginning of the text's top edge.
  var quad: [Double] {
    func short(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }
    let (left, top, right, bottom) = (short(left), short(top), short(right), short(bottom))
    return [left, top, right, top, right, bottom, left, bottom]
  }

  /// `quad` as JSON, written without creating an array.
  func writeQuad(to json: inout JSONWriter) {
    func thousandths(_ value: Double) -> Int64 { Int64((value * 1_000).rounded()) }
    let (left, top, right, bottom) = (thousandths(left), thousandths(top), thousandths(right), thousandths(bottom))
    func corner(_ x: Int64, _ y: Int64, _ json: inout JSONWriter) {
      json.write(thousandths: x)
      json.write(byte: UInt8(ascii: ","))
      json.write(thousandths: y)
    }
    json.write(byte: UInt8(ascii: "["))
    corner(left, top, &json)
    json.write(byte: UInt8(ascii: ","))
    corner(right, top, &json)
    json.write(byte: UInt8(ascii: ","))
    corner(right, bottom, &json)
    json.write(byte: UInt8(ascii: ","))
    corner(left, bottom, &json)
    json.write(byte: UInt8(ascii: "]"))
  }

  func union(_ other: Box) -> Box {
    Box(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }

  func intersection(_ other: Box) -> Double {
    max(0, min(right, other.right) - max(left, other.left))
      * max(0, min(bottom, other.bottom) - max(top, other.top))
  }

  func contains(_ point: Point) -> Bool {
    point.x >= left && point.x <= right && point.y >= top && point.y <= bottom
  }

  /// The distance of a point from the box, in each direction.
  func gap(to point: Point) -> (x: Double, y: Double) {
    (max(left - point.x, 0, point.x - right), max(top - point.y, 0, point.y - bottom))
  }
}
