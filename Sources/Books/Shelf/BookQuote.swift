import Contract
import Wire

/// A passage that the user copied from a book.
struct BookQuote: Payload, Equatable {
  var text: String
  var page: Int?
  var note: String?
  static let example = BookQuote(text: "You remember the sea.", page: 12, note: nil)
  static let fields = [
    "text": "The words, byte for byte.", "page": "The printed page number.", "note": "A note on it.",
  ]
  static let limits: [String: FieldLimits] = [
    "text": .length(1...100_000, notBlank: true), "page": .range(0...1_000_000), "note": .length(0...100_000),
  ]

  /// An empty note equals a missing one.
  static func == (left: BookQuote, right: BookQuote) -> Bool {
    left.text == right.text && left.page == right.page && (left.note ?? "") == (right.note ?? "")
  }

  /// Whether it matches another quote in all that it states.
  func means(_ other: BookQuote) -> Bool {
    sameBytes(text, other.text) && (page == nil || page == other.page)
      && (note.map { sameBytes($0, other.note ?? "") } ?? true)
  }
}
