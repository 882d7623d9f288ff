import Contract
import Exchange
import HTTP
import Kit
import PDF
import Store
import Wire

package struct DocumentID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// A row of a document.
struct DocumentRecord: StoredItem {
  static let collectionName = "documents"
  static let tableName = "document"

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var title = ""
  /// The file's author, unless the user has set another.
  var author: String?
  /// In the order in which they were given, without duplicates; see `TagList`.
  var tags: [String] = []
  /// The URL that `documents/refresh` would fetch; nil for a document that was given as bytes.
  var url: String?
  /// The SHA-256 of its present bytes.
  var hash = ""
  var size: Int64 = 0
  var pageCount = 0
  /// Opens only with a password.
  var isProtected = false
  /// Whether text and index rows may be stored on disk: yes, unless it is protected and the user did not ask for it.
  var keepsText = false
  /// The reading position; not undoable.
  var page = 0
  /// How far down the page, 0 to 1.
  var y = 0.0
  /// When the reading position was last set; not undoable.
  var lastReadAt: Instant?
  /// The URLs and paths that it was added from, a JSON list.
  var origins = "[]"
  /// The name of the credential of config.toml that contains its password.
  var credential: String?
  /// Whether a person typed or confirmed the document's origin. An origin from an archive leads to public addresses
  /// only, and to no file.
  var isTyped = true
  /// The key by which texts cite it; it gets one with its bibliography.
  var citationKey: String?
  /// What it is, in CSL-JSON; nil if that is not known.
  var bibliography: String?
  /// The entry that its bibliography was last imported from, by which the next import sees what changed in the file.
  var imported: String?
  /// The user's own fields, as a JSON object of texts; nil for none.
  var properties: String?

  /// False for a reference whose file was not added yet. It has no pages.
  var hasFile: Bool { !BlobsElsewhere.isNoFile(hash) }

  func check() throws {
    if let url, DocumentURL(url) == nil { throw StoreError.broken(path: "", reason: "badURL") }
    _ = try item()
    _ = try importedBibliography()
    try DocumentProperties.check(properties)
  }

  /// Of a title and of an author, in Unicode scalars.
  static let longestLine = 1_000

  /// More than any file that a worker accepts has (`HostileInput`).
  static let mostPages = 1_000_000

  static let fields = Fields<Self> {
    Field("title", \.title, .text(1...longestLine, notBlank: true), "Its title in the library.")
      .settable("The new title.", clearable: false)
    Field(
      "author", \.author, .text(1...longestLine, notBlank: true),
      "The author: from the file, else from the bibliography, unless set. Absent if none of them states one."
    ).settable("The author; null for none.")
    Field.tags("tags", \.tags, "Its tags, in the order given.")
    Field(
      "url", \.url, .location,
      "The URL it is fetched from, with `{credential}` in place of a token; absent if it was added as bytes."
    )
    .settable(
      as: String.self, "The new URL, or the same to confirm one imported with an archive; null for none.",
      limits: .length(1...8_192, notBlank: true)
    ) { url, document, _ in
      _ = try DocumentURL(checking: url)
      document.url = WebURL.storable(url.trimmingBlanks())
      document.isTyped = true
    }.imported(by: TokenURLs.url)
    Field("hash", \.hash, .hash, "SHA-256 of the file; without one (`noFile`), a text that is none of any file.").blob
      .shared(.latest, with: "size", "pageCount", "isProtected", "keepsText")
    Field("size", \.size, "The file's size in bytes.")
    Field("pageCount", \.pageCount, .integer(0...Self.mostPages), "The number of pages.")
    Field("isProtected", \.isProtected, "Whether it needs a password to open.")
    Field("keepsText", \.keepsText)
    Field("page", \.page, .integer(0...Self.mostPages)).quiet.shared(.quiet, with: "y")
    Field("y", \.y).quiet
    Field("lastReadAt", \.lastReadAt, "The time of the last `documents/setPosition`; absent if none.").quiet
      .shared(.quiet)
    Field("origins", \.origins, .locations, "All URLs and paths that it was added from.")
      .quiet.imported(by: TokenURLs.origins)
    Field(
      "credential", \.credential, .text(1...256, notBlank: true),
      "The credential of config.toml that is its password, by name."
    ).shared(.own).settable("The credential of config.toml that is its password, by name; null for none.")
    Field("isTyped", \.isTyped).internal.imported(as: .bool(false))
    Field(
      "citationKey", \.citationKey, .text(1...100, notBlank: true),
      "The key by which texts cite it, assigned with the bibliography. Later changes of that do not change the key."
    )
    .settable(
      as: String.self, "The citation key, unique among documents and books; null for none.",
      limits: .length(1...100, notBlank: true)
    ) { key, document, snapshot in
      document.citationKey = try CitationKey.given(key, for: document.id, in: snapshot)
    }
    Field(
      "bibliography", \.bibliography, .json(.dictionary(.any)),
      "What it is, in CSL-JSON: type, title, author, issued, container-title, DOI and so on. Absent in lists."
    )
    .settable(
      as: JSONObject.self,
      "What it is, in CSL-JSON, such as `{\"type\": \"book\", \"title\": \"Emma\"}` or a candidate of "
        + "`documents/identify`; null for none."
    ) { json, document, snapshot in
      try document.take(CSLItem(checking: .object(json), field: "bibliography"), in: snapshot)
    }.omittedInLists
    Field("imported", \.imported).internal.shared(.quiet)
    Field(
      "properties", \.properties, .json(.dictionary(.string)),
      "The user's own fields, by name, such as `{\"correspondent\": \"ACME\"}`; absent without any."
    )
    .settable(
      as: JSONObject.self,
      "Properties to set, by name; a member that is null removes its property, others stay. Null removes all. Names have "
        + "at most 100 characters, values 1,000."
    ) { given, document, _ in
      document.properties = try DocumentProperties.updated(document.properties, with: given)
    }
  }
}

extension FieldType where Value == String? {
  /// A URL or a path, stored without tokens. Another program may have written the library.
  fileprivate static var location: FieldType {
    String.fieldType.traveling(as: String.wireType.written { WebURL.storable($0) }).optional
  }
}

extension FieldType where Value == String {
  /// A JSON list of URLs and paths.
  fileprivate static var locations: FieldType {
    String.fieldType.traveling(
      as: WireType(.array(.text(.namingFiles))) { locations, json in
        json.write(list: JSONList.strings(locations)) { $1.write(string: WebURL.storable($0)) }
      })
  }
}

/// How far the text of a document is extracted. It is derived from the pages that have text, so nothing can
/// contradict it: a document that was removed and restored is as far as its bytes are.
enum DocumentState: String, Choice {
  /// Readable; the text of its later pages is still being extracted.
  case indexing
  case ready
  /// The text of some pages could not be extracted. Pages can still be rendered.
  case failed
  /// Only another device has its file.
  case elsewhere
  /// The file that it is linked to was not at its place when it was last used.
  case missing
  /// The file that it is linked to had other bytes when it was last used.
  case changed
  /// It is a reference: no file was added yet.
  case noFile
}
