import Contract
import Kit
import Store
import Wire

enum ShowSearchHistory: ExternalReadMethod {
  static let name = "search/history"
  static let summary = "Past searches, newest first, without duplicates."
  static let effects: Effects = .reads

  struct Params: Payload {
    var scope: SearchScope?
    var offset: Int?
    var after: String?
    var limit: Int?
    static let example = Params(scope: .boards, offset: nil, after: nil, limit: 20)
    static let fields = [
      "scope": "Only searches with this scope: `boards`, `books` or `library`.",
      "offset": "The number of items to skip.",
      "after": "`next` of the previous page.", "limit": "Maximum number. Default 50.",
    ]
    static let limits: [String: FieldLimits] = [
      "offset": .atLeast(0), "after": .length(1...256), "limit": .range(1...200),
    ]
    static let atMostOne = [["offset", "after"]]
  }
  typealias Result = Page<PastSearch>

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Params {
    _ = try params.after.map { try order.place($0) }
    return params
  }

  static func known(_ params: Params, in snapshot: Snapshot) -> Void? {
    snapshot.services.searchNotes.isEmpty ? () : nil
  }

  static func fetch(_ params: Params, with services: Services, progress: Progress) async {
    await services.searchNotes.settle(with: services)
  }

  static func finish(_: Void, of params: Params, in snapshot: Snapshot) throws -> Page<PastSearch> {
    var listing = ItemListing<SearchRecord>(by: order)
    if let scope = params.scope { listing.narrow("scope = ?", [.text(scope.rawValue)]) }
    let part = ListPart(offset: params.offset, after: params.after, limit: params.limit ?? 50)
    return try listing.page(part, in: snapshot) { try PastSearch($0, in: snapshot) }
  }

  private static let order = Keyset(.integer("searchedAt"), .text("id")).descending
}
