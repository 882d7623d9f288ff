import Contract
import Kit
import PDF
import Store
import Wire

package struct HighlightID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

struct HighlightRecord: StoredItem {
  static let collectionName = "highlights"
  static let tableName = "highlight"
  static let defaultColor = "#ffd60a"

  struct Line: Codable, Equatable, Sendable {
    /// Empty if the text may not be stored on disk.
    var text: String
    var quad: [Double]
    /// In Unicode scalars of the page's text.
    var offset: Int
    var length: Int
  }

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var document = ""
  var page = 0
  /// `#rrggbb`.
  var color = ""
  var note: String?
  var kind = ImportedMark.Kind.highlight
  /// Empty for a mark with a shape.
  var lines: [Line] = []
  var anchor = StoredJSON<Anchor>(stored: "{}")
  var state: String?
  /// Its place, unless it marks lines of text.
  var shape: PageShape?
  /// The SHA-256 of the picture of an area.
  var picture: String?
  /// Its data in the file from which it was imported (`ImportedMark`), as JSON; nil for a mark that was made here.
  var imported: String?

  static let fields = Fields<Self> {
    markFields(placedWith: ["lines", "shape", "picture"])
    Field("color", \.color, "`#rrggbb`.").settable(limits: .form(.color), clearable: false)
    Field("note", \.note, .text(0...100_000), "The user's note.").shared(.text)
      .settable("The user's note; null for none.")
    Field("kind", \.kind, "What it is: `highlight`, `underline`, `note` and so on.")
      .settable(
        as: MarkedText.Kind.self, "How text is marked. A mark that is not of text keeps its kind.", clearable: false
      ) { kind, mark, _ in
        guard mark.kind.isOnText else {
          throw RPCError.invalidParams(field: "kind", reason: Text("documents.kindOfPlace"))
        }
        mark.kind = kind.ofMark
      }
    Field("lines", \.lines, .json)
    Field("shape", \.shape, FieldType<PageShape>.json.optional)
    Field(
      "picture", \.picture, FieldType<String>.hash.optional,
      "SHA-256 of an area's picture; `documents/markPicture` returns it."
    ).blob
    Field(
      "imported", \.imported, .json(ImportedMark.shape),
      "The annotation in the file that `documents/importMarks` imported it from."
    ).shared(.quiet)
  }

  func check() throws {
    _ = try anchor.value()
    _ = try importedMark()
  }

  func importedMark() throws -> ImportedMark? {
    try imported.map { try StoredJSON<ImportedMark>(stored: $0).value() }
  }
}

extension HighlightRecord.Line {
  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    text = try fields.decode(String.self, forKey: .text)
    quad = try TextPlace.checked(quad: fields.decode([Double].self, forKey: .quad))
    offset = try TextPlace.checked(fields.decode(Int.self, forKey: .offset), CodingKeys.offset)
    length = try TextPlace.checked(fields.decode(Int.self, forKey: .length), CodingKeys.length)
  }
}
