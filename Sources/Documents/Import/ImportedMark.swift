import Contract
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
