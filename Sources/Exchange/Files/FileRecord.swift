import Contract
import Kit
import Store
import Wire

/// A photo or another file that texts show. Equal bytes are stored once: its id is their SHA-256, so the link in a text,
/// `![A walk](commonplace:/files/<id>)`, is the same in every library.
package struct FileRecord: StoredItem {
  package static let collectionName = "files"
  package static let tableName = "file"

  package var id = ""
  package var revision: Int64 = 0
  package var createdAt = Instant(milliseconds: 0)
  package var updatedAt = Instant(milliseconds: 0)
  package var name = ""
  /// Always the id.
  package var hash = ""
  /// In bytes.
  package var size: Int64 = 0
  package var mediaType = ""
  /// In pixels, as displayed; nil for a file that states no size.
  package var width: Int?
  package var height: Int?
  package var takenOn: CalendarDay?

  package init() {}

  package static let longestName = 255

  package static let fields = Fields<Self> {
    Field(
      "name", \.name, .text(1...longestName, notBlank: true), "Its name, by which `[[name]]` leads to it."
    ).settable("The new name.", clearable: false).searched(.title)
    Field("hash", \.hash, .hash, "SHA-256 of the bytes, which is its id.").blob
      .shared(.latest, with: "size")
    Field("size", \.size, "Its size in bytes.")
    Field("mediaType", \.mediaType, .text(1...100), "Its media type, by its first bytes.")
    Field("width", \.width, .integer(1...PictureHeader.longestSide), "The picture's width in pixels, as displayed.")
    Field("height", \.height, .integer(1...PictureHeader.longestSide), "The picture's height in pixels, as displayed.")
    Field("takenOn", \.takenOn, "The day on which the camera took it, as the file states; it may be wrong.")
  }

  package func check() throws {
    guard sameBytes(hash, id) else { throw StoreError.broken(path: "", reason: "badHash") }
  }

  /// The end of its name in a folder: `.jpg`; empty for an unknown type.
  package var fileExtension: String { FileType(mediaType: mediaType).map { "." + $0.rawValue } ?? "" }

  /// A name without line ends and path separators; the id's beginning if nothing remains.
  package static func name(_ given: String, of hash: String) -> String {
    var name = String.UnicodeScalarView()
    let allowed = given.unicodeScalars.filter { !$0.isLineEndOrControl && $0 != "/" && $0 != "\\" }
    name.append(contentsOf: allowed.prefix(longestName))
    let whole = String(name)
    return whole.isBlank ? String(hash.prefix(12)) : whole
  }
}

extension FileRecord {
  /// The Markdown that shows it in a text.
  package var markdown: String { FileEmbeds.markdown(named: name, hash: id) }
}
