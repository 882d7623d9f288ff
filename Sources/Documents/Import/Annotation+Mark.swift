import Crypto
import PDF

extension Annotation {
  /// The annotation's text, with normalised line ends; nil if it is empty.
  var remark: String? {
    guard let contents, !contents.isEmpty else { return nil }
    var text = String.UnicodeScalarView()
    var isAfterReturn = false
    for scalar in contents.unicodeScalars {
      if scalar != "\n" || !isAfterReturn { text.append(scalar == "\r" ? "\n" : scalar) }
      isAfterReturn = scalar == "\r"
    }
    return String(text)
  }

  /// `#rrggbb`.
  var colorText: String {
    guard let color else { return HighlightRecord.defaultColor }
    return "#" + hexadecimal([color.red, color.green, color.blue])
  }

  /// The box around it on the displayed page.
  func box(on page: StoredPage) -> Box {
    let corners = [
      page.shown(Point(x: place[0], y: place[1])), page.shown(Point(x: place[2], y: place[3])),
    ]
    return Box(
      left: min(corners[0].x, corners[1].x), top: min(corners[0].y, corners[1].y),
      right: max(corners[0].x, corners[1].x), bottom: max(corners[0].y, corners[1].y))
  }

  /// The boxes around its quads on the displayed page; its own box if it has no quads.
  func boxes(on page: StoredPage) -> [Box] {
    guard !quads.isEmpty else { return [box(on: page)] }
    return quads.map { quad in
      let corners = stride(from: 0, to: 8, by: 2).map { page.shown(Point(x: quad[$0], y: quad[$0 + 1])) }
      return Box(quad: corners.flatMap { [$0.x, $0.y] })
    }
  }
}
