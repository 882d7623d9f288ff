import Contract
import Display
import Kit
import Store
import Wire

enum ListRemoved: ReadMethod {
  static let name = "changes/removed"
  static let summary =
    "The removed items that `changes/restore` can bring back, the last removed first: what, when, and by which client. "
    + "What is removed and restored with another item is not listed: the marks of a removed document, the boards and "
    + "posts of a source."
  static let effects: Effects = .reads

  struct Params: Payload {
    var collection: String?
    var limit: Int?
    var after: String?
    static let example = Params(collection: "documents", limit: 20, after: nil)
    static let fields = [
      "collection": "Only the items of this collection.", "limit": PartFields.limitNote(usually: 50),
      "after": "`next` of the previous page.",
    ]
    static let limits: [String: FieldLimits] = ["limit": .range(1...500)]
  }

  struct Entry: Payload {
    var clock: Int64
    var collection: String
    var id: ItemID
    var title: String?
    var of: ItemID?
    var text: String?
    var client: String
    var label: String
    var at: Instant
    var display: Display

    struct Display: Payload {
      var title: String
      var day: String
      var dayTime: String
      static let example = Display(title: "A paper", day: "today", dayTime: "3:04 AM")
      static let fields = [
        "title": "The title, or its placeholder.", "day": "The day of the removal, or its word: today, yesterday.",
        "dayTime": "The time of the removal.",
      ]
    }

    static let example = Entry(
      clock: 42, collection: "documents", id: "0192", title: "A paper", of: nil, text: nil, client: "nvim",
      label: "documents/remove", at: Instant(milliseconds: 1_795_225_445_678), display: .example)
    static let fields = [
      "clock": "The commit that removed it.", "collection": "The item's collection.", "id": "The item.",
      "title": "Its last title, or that of a mark's document; absent if it has none.", "of": "The document of a mark.",
      "text": "The beginning of the marked text.", "client": "The name of the client that removed it, or empty.",
      "label": "The method that removed it.", "at": "When it was removed.", "display": "Strings for people.",
    ]
  }
  typealias Result = Page<Entry>

  private static let textLength = 200

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<Entry> {
    let library = snapshot.services.library
    try checkCollections(params.collection.map { [$0] }, field: "collection", in: snapshot.services)
    let all = library.collections.compactMap(library.collection)
    let listed = all.filter { collection in
      collection.listsRemoved && params.collection.map { sameBytes($0, collection.name) } ?? true
    }
    let place = try place(ofCursor: params.after)
    let limit = params.limit ?? 50
    let found = try LoggedRemoval.list(
      of: listed, among: all, after: place, limit: limit + 1, upTo: ListPart.size, in: snapshot)
    let total = try LoggedRemoval.count(of: listed, among: all, in: snapshot)
    let offset = try place.map { try LoggedRemoval.count(of: listed, among: all, through: $0, in: snapshot) } ?? 0
    let items = Array(found.prefix(limit))
    let last = offset + items.count < total ? items.last?.place : nil
    return Page(
      items: try items.map { try Entry($0, in: snapshot) }, offset: offset, limit: limit, total: total,
      next: last.map { "\($0.clock).\($0.index)" })
  }

  private static func place(ofCursor after: String?) throws(RPCError) -> LoggedRemoval.Place? {
    guard let after else { return nil }
    let numbers = after.split(separator: ".", omittingEmptySubsequences: false).map { Int64($0) }
    guard numbers.count == 2, let clock = numbers[0], let index = numbers[1] else {
      throw .invalidParams(field: "after", reason: Text("param.badCursor", ["value": after]))
    }
    return LoggedRemoval.Place(clock: clock, index: index)
  }
}

extension ListRemoved.Entry {
  fileprivate init(_ item: LoggedRemoval, in snapshot: Snapshot) throws {
    let (reader, services) = (snapshot.reader, snapshot.services)
    let whole = try Self.whole(of: item, in: snapshot)
    let collection = services.library.collection(item.collection)
    let own = collection?.title(of: item.values)
    let day = services.dates.relativeString(
      .mediumDate, on: services.day(of: item.at, in: reader.zone).yearMonthDay,
      today: services.today(for: reader).yearMonthDay, for: reader)
    self.init(
      clock: item.place.clock, collection: item.collection, id: ItemID(unchecked: item.id), title: own ?? whole?.title,
      of: whole.map { ItemID(unchecked: $0.id) },
      text: whole == nil
        ? nil : collection?.text(item.values).map { String($0.unicodeScalars.prefix(ListRemoved.textLength)) },
      client: item.client, label: item.label, at: item.at,
      display: Display(
        title: own ?? whole?.title ?? snapshot.words(Text("day.noTitle")), day: day,
        dayTime: services.dates.string(.time, at: item.at.milliseconds, for: reader)))
  }

  /// The item that a part belongs to.
  private static func whole(of item: LoggedRemoval, in snapshot: Snapshot) throws -> (id: String, title: String?)? {
    let library = snapshot.services.library
    for owner in library.collections.lazy.compactMap(library.collection) {
      guard let part = owner.parts.first(where: { sameBytes($0.collection, item.collection) }),
        let id = item.values[part.column]?.stringValue
      else { continue }
      return (id, owner.title(of: try owner.payload(id, snapshot)))
    }
    return nil
  }
}

enum RestoreRemoved: WriteMethod, ManyItemsMethod {
  static let name = "changes/restore"
  static let summary =
    "Brings removed items back as they were, with their ids and history, whichever client removed them. The marks of a "
    + "document come with it, and so do the boards and posts of a source."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.conflict, .exists, .notFound, .tooLarge]

  struct Params: Payload {
    var id: ItemID
    var collection: String?
    static let example = Params(id: "0192", collection: nil)
    static let fields = [
      "id": "The removed item.",
      "collection": "The item's collection. Needed only if removed items of several have this id; by default the last "
        + "removed is restored.",
    ]
  }

  struct Result: Payload {
    var collection: String
    var id: ItemID
    var kind: ChangePayload.Kind
    var title: String?
    var others: Int
    var display: Display

    struct Display: Payload {
      var title: String
      var kind: String
      static let example = Display(title: "A paper", kind: "restored")
      static let fields = ["title": "The title, or its placeholder.", "kind": "The word for `kind`."]
    }

    static let example = Result(
      collection: "documents", id: "0192", kind: .added, title: "A paper", others: 3, display: .example)
    static let fields = [
      "collection": "The item's collection.", "id": "The restored item.",
      "kind": "`added`: it is in the library again.",
      "title": "Its title; absent if it has none.", "others": "The number of items restored with it, such as marks.",
      "display": "Strings for people.",
    ]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let (snapshot, library) = (transaction.snapshot, transaction.services.library)
    try checkCollections(params.collection.map { [$0] }, field: "collection", in: transaction.services)
    let names = params.collection.map { [$0] } ?? library.collections
    let (key, others) = try transaction.restoreRemoved(
      params.id.text, in: names.filter { library.collection($0)?.listsRemoved == true })
    let collection = library.collection(key.collection)
    let title = try collection?.title(of: collection?.payload(key.id, snapshot))
    return Result(
      collection: key.collection, id: params.id, kind: .added, title: title, others: others,
      display: .init(
        title: title ?? snapshot.words(Text("day.noTitle")), kind: snapshot.words(Text("changes.back"))))
  }
}
