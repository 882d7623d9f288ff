import Contract
import Exchange
import Kit
import Store
import Wire

enum ListFiles: ReadMethod {
  static let name = "files/list"
  static let summary = "The files of the library, last added first, or those that the texts of one item show."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var query: String?
    var collection: String?
    var id: ItemID?
    var unused: Bool?
    var offset: Int?
    var after: String?
    var limit: Int?
    static let example = Params(
      query: nil, collection: "diary", id: "0193", unused: nil, offset: nil, after: nil, limit: 20)
    static let fields = [
      "query": "Words that a file's name must contain, the last as a prefix. Empty matches all.",
      "collection": "With `id`: only the files that this item's texts show, such as an entry's.",
      "id": "The item of `collection`.", "unused": "Whether to list only files that no text shows.",
      "offset": "The number of items to skip.", "after": "`next` of the previous page.",
      "limit": PartFields.limitNote(usually: 100),
    ]
    static let limits: [String: FieldLimits] = [
      "query": .length(0...1_000), "collection": .length(1...64), "offset": .atLeast(0),
      "after": .length(1...4_096), "limit": .range(1...1_000),
    ]
    static let atMostOne = PartFields.atMostOne + [["id", "unused"]]
  }
  typealias Result = Page<File>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<File> {
    var listing = ItemListing<FileRecord>(by: Keyset.arrival.descending)
    try listing.narrow(toWords: params.query ?? "", in: snapshot.db)
    if params.unused == true { listing.narrow("NOT " + FileUses.isUsed) }
    guard (params.id == nil) == (params.collection == nil) else {
      let missing = params.id == nil ? "id" : "collection"
      throw RPCError.invalidParams(field: missing, reason: Text("param.missing"))
    }
    if let id = params.id, let collection = params.collection {
      let item = ItemKey(collection: collection, id: id.text)
      guard snapshot.services.library.links(of: collection) != nil, try snapshot.holds(item) else {
        throw RPCError.notFound(collection, id: id.text)
      }
      listing.narrow(
        "id IN (SELECT target FROM link WHERE collection = ? AND item = ? AND targetCollection = ?)",
        [.text(collection), .text(id.text), .text(FileRecord.collectionName)])
    }
    return try listing.page(
      ListPart(offset: params.offset, after: params.after, limit: params.limit ?? 100), in: snapshot
    ) { try File(ShownFile($0, in: snapshot), isListed: true) }
  }
}
