import Exchange
import Wire

/// A highlight of calibre's viewer, with its place in the book.
struct CalibreMark {
  var text: String?
  var note: String?
  private var place: [Int64]

  private static let longest = 100_000

  init(_ mark: JSONValue) {
    text = mark["highlighted_text"]?.stringValue?.readable?.shortened(to: Self.longest).text
    note = mark["notes"]?.stringValue?.readable?.shortened(to: Self.longest).text
    // `/2/4[chapter]/10/1:15`: the numbers are in the order of the book.
    let steps = (mark["start_cfi"]?.stringValue ?? "").split { !$0.isASCII || !$0.isNumber }
    place = [mark["spine_index"]?.integerValue ?? 0] + steps.prefix(100).map { Int64($0) ?? 0 }
  }

  func isBefore(_ other: CalibreMark) -> Bool { place.lexicographicallyPrecedes(other.place) }
}
