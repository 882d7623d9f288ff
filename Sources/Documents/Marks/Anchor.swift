import PDF
import Store
import Wire

/// A mark's data about its place, so that it can be placed again in other bytes (design §5).
struct Anchor: Codable, Sendable {
  /// The SHA-256 of the bytes in which it was made.
  var hash: String
  /// The file's permanent /ID.
  var fileID: String?
  var pageLabel: String?
  /// The exact text; for a bookmark or memo the beginning of its page.
  var quote: String
  var prefix: String
  var suffix: String
  /// In Unicode scalars from the beginning of the page's text, and of the document's text if all text before it is
  /// available.
  var offset: Int
  var length: Int
  var documentOffset: Int?
  /// For a bookmark or memo: SHA-256 of the page's folded text.
  var pageHash: String?
}

extension Anchor {
  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    hash = try fields.decode(String.self, forKey: .hash)
    fileID = try fields.decodeIfPresent(String.self, forKey: .fileID)
    pageLabel = try fields.decodeIfPresent(String.self, forKey: .pageLabel)
    quote = try fields.decode(String.self, forKey: .quote)
    prefix = try fields.decode(String.self, forKey: .prefix)
    suffix = try fields.decode(String.self, forKey: .suffix)
    offset = try TextPlace.checked(fields.decode(Int.self, forKey: .offset), CodingKeys.offset)
    length = try TextPlace.checked(fields.decode(Int.self, forKey: .length), CodingKeys.length)
    documentOffset = try fields.decodeIfPresent(Int.self, forKey: .documentOffset).map {
      try TextPlace.checked($0, CodingKeys.documentOffset)
    }
    pageHash = try fields.decodeIfPresent(String.self, forKey: .pageHash)
  }
}

/// Numbers of stored marks. Another program may have written the library, so these numbers must not overflow.
enum TextPlace {
  /// In Unicode scalars. No text is longer, and sums of a few of them do not overflow.
  private static let numbers = 0...(1 << 31)
  /// In points from the top left corner of the page: the furthest place of a character's box on the largest page.
  private static let coordinates = -4 * PictureRequest.farthest...4 * PictureRequest.farthest

  static func checked(_ number: Int, _ key: any CodingKey) throws -> Int {
    guard numbers.contains(number) else { throw StoreError.broken(path: "", reason: key.stringValue) }
    return number
  }

  /// The points of a line, x before y.
  static func checked(line: [Double]) throws -> [Double] {
    guard line.count.isMultiple(of: 2), line.count <= HostileInput.mostStrokeCoordinates,
      line.allSatisfy(coordinates.contains)
    else { throw StoreError.broken(path: "", reason: "strokes") }
    return line
  }

  /// Four corners, or none if the place is unknown.
  static func checked(quad: [Double]) throws -> [Double] {
    guard quad.isEmpty || quad.count == 8, quad.allSatisfy(coordinates.contains) else {
      throw StoreError.broken(path: "", reason: "quad")
    }
    return quad
  }
}
