import Contract
import Crypto
import PDF
import Store

/// A mark's data in the file from which it was imported.
struct ImportedMark: Payload {
  /// The kinds of marks. `area` is made here; in a file it is a `square`.
  enum Kind: String, Choice, StoredWord {
    case highlight, underline, squiggly, strikeOut, note, area, freeText, line, square, circle, polygon, polyLine, stamp
    case caret, ink, file, sound
  }

  var kind: Kind
  var author: String?
  var subject: String?
  var modifiedAt: Instant?
  var quad: [Double]

  static let example = ImportedMark(
    kind: .underline, author: "Ann", subject: nil, modifiedAt: Instant(milliseconds: 1_795_225_445_000),
    quad: [72, 90, 240, 90, 240, 102, 72, 102])
  static let fields = [
    "kind": "The annotation's type.", "author": "The author, as in the file.",
    "subject": "The annotation's own subject.",
    "modifiedAt": "When it was last modified there.",
    "quad": "Its bounding box on the page, in points from the top left.",
  ]
}

extension ImportedMark.Kind {
  /// Nil for an annotation that is not a user's mark, such as a link or a form field.
  init?(_ kind: Annotation.Kind) {
    switch kind {
    case .text: self = .note
    case .fileAttachment: self = .file
    default:
      guard kind.isMark, let same = Self(rawValue: kind.name) else { return nil }
      self = same
    }
  }

  var isOnText: Bool { self == .highlight || self == .underline || self == .squiggly || self == .strikeOut }
}

extension HighlightRecord {
  func importedMark() throws -> ImportedMark? {
    try imported.map { try StoredJSON<ImportedMark>(stored: $0).value() }
  }
}

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
    guard let color else { return HighlightParams.defaultColor }
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
