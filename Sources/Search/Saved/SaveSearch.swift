import Contract
import Kit
import Store
import Wire

enum SaveSearch: WriteMethod {
  static let name = "search/save"
  static let summary =
    "Saves a query of `search/query`. From then on `search/didChange` reports new and lost results. With the `id` of a "
    + "saved search, changes that one; it keeps its title and collections unless they are given. `search/forget` "
    + "removes it."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.conflict]

  struct Params: Payload {
    var text: String
    var title: Patch<String> = .absent
    var collections: Patch<[String]> = .absent
    var id: SearchID?
    var ifRevision: Int64?
    static let example = Params(
      text: "is:overdue", title: .value("Overdue"), collections: .absent, id: nil, ifRevision: nil)
    static let fields = [
      "text": "The query.",
      "title":
        "Its title, on one line. If absent, a saved search keeps its title. `null`, and the default of a new one: the "
        + "query itself.",
      "collections":
        "The collections to search, by their names in hits. If absent, a saved search keeps its own. `null`, and the "
        + "default of a new one: all.",
      "id": "An id chosen by the client, or that of a saved search.",
      "ifRevision": "Fails with `conflict` if it has another revision.",
    ]
    static let limits = SavedSearchRecord.fields.limits("text", "title")
      .merging(["collections": .length(1...32)]) { $1 }
  }
  typealias Result = SavedSearch

  static func run(_ params: Params, in transaction: Transaction) throws -> SavedSearch {
    let snapshot = transaction.snapshot
    let known = try params.id.flatMap { try snapshot.find(SavedSearchRecord.self, id: $0.text) }
    let title = params.title.applied(to: known?.title)
    if title?.unicodeScalars.contains(where: \.isLineEndOrControl) == true {
      throw RPCError.invalidParams(field: "title", reason: Text("search.titleForm"))
    }
    let places = params.collections.applied(to: try known?.collectionList)
    // An invalid query is not saved; control characters alone are blank too.
    guard try LibraryQuery(params.text, collections: places, in: snapshot) != nil else {
      throw RPCError.invalidParams(field: "text", reason: Text("param.blank"))
    }
    let collections = try places.map { try StoredJSON($0).json }
    let saved: SavedSearchRecord
    if let known {
      try transaction.require(known, at: params.ifRevision)
      saved = try transaction.change(known) {
        ($0.title, $0.text, $0.collections) = (title, params.text, collections)
      }
    } else {
      var record = SavedSearchRecord()
      record.id = params.id?.text ?? transaction.services.newID()
      (record.title, record.text, record.collections) = (title, params.text, collections)
      saved = try transaction.insert(record)
    }
    let services = transaction.services
    // With the watch's own caller: for the saving client it may be another day, and the client would be notified of
    // results that have not changed.
    let watched = Snapshot(db: snapshot.db, clock: snapshot.clock, caller: FeatureCaller.daemon(services))
    let seen = try SeenSearch(saved, in: watched)
    transaction.afterCommit { services.searchWatch.begin(from: seen, with: services) }
    return try SavedSearch(saved, in: snapshot)
  }
}

enum ListSavedSearches: ArrivalList {
  static let name = "search/saved"
  static let summary = "The saved searches, in the order saved, each with its present number of results."
  static let effects: Effects = .reads

  enum Size: PartSize {
    static let usual = 50
    static let most = 200
  }

  static func show(in snapshot: Snapshot) -> (SavedSearchRecord) throws -> SavedSearch {
    { try SavedSearch($0, in: snapshot) }
  }
}
