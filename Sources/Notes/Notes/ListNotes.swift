import Contract
import Kit
import SearchEngine
import Store
import Wire

enum ListNotes: ReadMethod {
  static let name = "notes/list"
  static let summary = "Notes, last changed first, filtered by words and by a tag."
  static let effects: Effects = .reads

  enum Sort: String, Choice {
    case changed, added, title
  }

  struct Params: Payload {
    var query: String?
    var tag: String?
    var sort: Sort?
    var offset: Int?
    var after: String?
    var limit: Int?
    static let example = Params(query: "sand", tag: "novel", sort: .title, offset: nil, after: nil, limit: 20)
    static let fields = [
      "query": "Words that a note must contain, the last as a prefix. Empty matches all.",
      "tag": "A tag that the note must have, or a tag within it: `novel` includes `novel/science fiction`.",
      "sort": "`changed`: last changed first (default); `added`: last added first; `title`: by title.",
      "offset": "The number of items to skip.", "after": "`next` of the previous page.",
      "limit": PartFields.limitNote(usually: 100),
    ]
    static let limits: [String: FieldLimits] = [
      "query": .length(0...1_000), "tag": .length(1...TagList.longest, notBlank: true), "offset": .atLeast(0),
      "after": .length(1...4_096), "limit": .range(1...1_000),
    ]
    static let atMostOne = PartFields.atMostOne
  }
  typealias Result = Page<Note>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<Note> {
    var listing = ItemListing<NoteRecord>(by: (params.sort ?? .changed).order)
    try listing.narrow(toWords: params.query ?? "", in: snapshot.db)
    if let tag = params.tag.map(NoteSearch.tags.condition) { listing.narrow(tag.sql, tag.values) }
    return try listing.page(
      ListPart(offset: params.offset, after: params.after, limit: params.limit ?? 100), in: snapshot
    ) { try Note(ShownNote($0, in: snapshot), isListed: true) }
  }
}

extension ListNotes.Sort {
  var order: Keyset {
    switch self {
    case .changed: .change
    case .added: Keyset.arrival.descending
    case .title: Keyset(.text("fold(title)"), .text("id"))
    }
  }
}
