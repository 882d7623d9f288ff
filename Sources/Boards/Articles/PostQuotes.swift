import Contract
import Display
import Kit
import SearchEngine
import Store
import Wire

/// A passage of a post that the user marked. It is found again by its words, whatever else of the post changes.
struct PostQuote: Payload, Equatable {
  var text: String
  var note: String?
  /// When it was marked; set by the daemon.
  var at: Instant?
  static let example = PostQuote(text: "At noon, as always.", note: "Not on Sundays.")
  static let fields = ["text": "The words.", "note": "A note on them.", "at": "When they were marked."]
  static let limits: [String: FieldLimits] = [
    "text": .length(1...20_000, notBlank: true), "note": .length(0...20_000),
  ]

  static let most = 200

  /// Adds a quote, or replaces the note of the one with the same words.
  ///
  /// - Throws: `invalidParams` of `field` if there are too many.
  static func adding(
    _ quote: PostQuote, to quotes: [PostQuote], at now: Instant, field: String
  ) throws -> StoredJSON<[PostQuote]> {
    var quotes = quotes
    if let index = quotes.firstIndex(where: { sameBytes($0.text, quote.text) }) {
      quotes[index].note = quote.note ?? quotes[index].note
    } else {
      quotes.append(PostQuote(text: quote.text, note: quote.note, at: now))
    }
    guard quotes.count <= most else {
      throw RPCError.invalidParams(field: field, reason: Text("boards.tooManyQuotes", ["most": String(most)]))
    }
    return try StoredJSON(quotes)
  }
}

/// A quote and its place in the post's text.
struct PlacedQuote: Payload {
  var text: String
  var note: String?
  var at: Instant?
  var offset: Int?
  var length: Int?
  static let example = PlacedQuote(
    text: "At noon, as always.", note: nil, at: Instant(milliseconds: 1_795_225_445_678), offset: 0, length: 19)
  static let fields = [
    "text": "The words as they were marked.", "note": "A note on them.", "at": "When they were marked.",
    "offset":
      "In the client's position encoding, from the start of `contents`; absent if the words are not there any more.",
    "length": "In the same units.",
  ]

  /// The quotes of a post in the order in which they were marked.
  static func all(_ quotes: [PostQuote], in contents: String, for encoding: PositionEncoding) -> [PlacedQuote] {
    guard !quotes.isEmpty else { return [] }
    let text = VisibleText(contents)
    return quotes.map { quote in
      var placed = PlacedQuote(text: quote.text, note: quote.note, at: quote.at)
      if let range = text.range(of: quote.text), let place = encoding.ranges([range], in: contents).first {
        (placed.offset, placed.length) = (place.lowerBound, place.count)
      }
      return placed
    }
  }
}

/// A text without its white space, whose places lead back to the text: a passage is found although it was marked in
/// HTML, where lines end elsewhere.
struct VisibleText {
  private var bytes: [UInt8] = []
  /// The offset of each byte in the text.
  private var offsets: [Int32] = []

  init(_ text: String) {
    bytes.reserveCapacity(text.utf8.count)
    offsets.reserveCapacity(text.utf8.count)
    for (offset, byte) in Self.visible(text) {
      bytes.append(byte)
      offsets.append(Int32(offset))
    }
  }

  /// The UTF-8 range of the first occurrence of a passage.
  func range(of passage: String) -> Range<Int>? {
    let needle = Self.visible(passage).map(\.byte)
    let place = needle.withUnsafeBytes { needle in bytes.withUnsafeBytes { firstPlace(of: needle, in: $0) } }
    guard let place else { return nil }
    return Int(offsets[place])..<Int(offsets[place + needle.count - 1]) + 1
  }

  private static func visible(_ text: String) -> [(offset: Int, byte: UInt8)] {
    var visible: [(offset: Int, byte: UInt8)] = []
    var offset = 0
    for scalar in text.unicodeScalars {
      let isBlank = scalar.properties.isWhitespace
      for byte in UTF8.encode(scalar)! {
        if !isBlank { visible.append((offset, byte)) }
        offset += 1
      }
    }
    return visible
  }
}
