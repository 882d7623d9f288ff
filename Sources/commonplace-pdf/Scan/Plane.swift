/// A PDF matrix: maps (x, y) to (a x + c y + e, b x + d y + f).
struct Matrix {
  static let identity = Matrix(a: 1, b: 0, c: 0, d: 1, e: 0, f: 0)

  /// Beyond this value a hundredth of a point is lost to rounding, which differs between poppler and this code.
  private static let largest = 1e9

  var a, b, c, d, e, f: Double

  /// Whether the numbers are finite and small enough.
  var isUsable: Bool { [a, b, c, d, e, f].allSatisfy { abs($0) <= Self.largest } }

  init(a: Double, b: Double, c: Double, d: Double, e: Double, f: Double) {
    (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
  }

  /// - Returns: nil unless these are six numbers of moderate size.
  init?(_ values: [PDFValue]) {
    let numbers = values.compactMap(\.number)
    guard numbers.count == 6, values.count == 6 else { return nil }
    self.init(a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], e: numbers[4], f: numbers[5])
    guard isUsable else { return nil }
  }

  /// This transformation followed by another.
  func followed(by other: Matrix) -> Matrix {
    Matrix(
      a: a * other.a + b * other.c, b: a * other.b + b * other.d, c: c * other.a + d * other.c,
      d: c * other.b + d * other.d, e: e * other.a + f * other.c + other.e, f: e * other.b + f * other.d + other.f)
  }

  func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (a * x + c * y + e, b * x + d * y + f)
  }

  /// The image of a rectangle; nil if it is not a finite upright rectangle.
  func area(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Area? {
    let isUpright = abs(b) < 1e-6 && abs(c) < 1e-6
    guard isUpright || abs(a) < 1e-6 && abs(d) < 1e-6 else { return nil }
    let (first, second) = (point(x, y), point(x + width, y + height))
    guard [first.x, first.y, second.x, second.y].allSatisfy(\.isFinite) else { return nil }
    return Area(
      left: min(first.x, second.x), bottom: min(first.y, second.y), right: max(first.x, second.x),
      top: max(first.y, second.y))
  }
}

/// A rectangle of the page, in points, with y upwards.
struct Area {
  var left, bottom, right, top: Double
}
