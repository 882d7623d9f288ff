import Contract
import Store
import Wire

/// Items in the order in which they came, part by part: a part goes on behind the last item of the one before, whatever
/// came or went meanwhile.
struct ArrivalListing<Item: StoredItem> {
  /// Which items; SQL without values.
  var condition = "1"
  var offset: Int?
  var after: String?
  var limit: Int

  func page<Shown: Payload>(in snapshot: Snapshot, _ show: (Item) throws -> Shown) throws -> Page<Shown> {
    let db = snapshot.db
    let place = try after.map { try Self.place($0) }
    let behind = condition + (place == nil ? "" : " AND (createdAt, id) > (?, ?)")
    var records = try Item.all(
      in: db, "WHERE \(behind) ORDER BY createdAt, id LIMIT ? OFFSET ?",
      (place ?? []) + [.integer(limit + 1), .integer(offset ?? 0)])
    let hasMore = records.count > limit
    if hasMore { records.removeLast() }
    let total = try count(condition, [], in: snapshot)
    return Page(
      items: try records.map(show),
      offset: try place.map { try total - count(behind, $0, in: snapshot) } ?? offset ?? 0,
      limit: limit, total: total,
      next: hasMore ? records.last.map { "\($0.createdAt.milliseconds)/\($0.id)" } : nil)
  }

  private func count(_ condition: String, _ values: [SQLValue], in snapshot: Snapshot) throws -> Int {
    try snapshot.db.first("SELECT count(*) FROM \(Item.tableName) WHERE \(condition)", values) { $0.int(0) } ?? 0
  }

  private static func place(_ cursor: String) throws(RPCError) -> [SQLValue] {
    let parts = cursor.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let at = Int64(parts[0]), ItemID(validating: parts[1]) != nil else {
      throw .invalidParams(field: "after", reason: Text("param.badCursor", ["value": cursor]))
    }
    return [.integer(at), .text(parts[1])]
  }
}

/// A method that lists the items of a collection, or some of them, in the order in which they came.
protocol ArrivalList: ReadMethod where Params == PartParams<Size>, Result == Page<Shown> {
  associatedtype Size: PartSize
  associatedtype Item: StoredItem
  associatedtype Shown: Payload
  /// Which items; SQL without values.
  static var condition: String { get }
  /// What makes a client's item of a stored one.
  static func show(in snapshot: Snapshot) throws -> (Item) throws -> Shown
}

extension ArrivalList {
  static var condition: String { "1" }

  static func run(_ params: PartParams<Size>, in snapshot: Snapshot) throws -> Page<Shown> {
    try ArrivalListing<Item>(
      condition: condition, offset: params.offset, after: params.after, limit: params.limit ?? Size.usual
    ).page(in: snapshot, show(in: snapshot))
  }
}

/// How many items a part of a list has.
protocol PartSize: Sendable {
  static var usual: Int { get }
  static var most: Int { get }
}

/// The parameters of a method that lists part by part.
struct PartParams<Size: PartSize>: Payload {
  var offset: Int?
  var after: String?
  var limit: Int?
  static var example: Self { Self(offset: nil, after: nil, limit: 20) }
  static var fields: [String: String] { PartFields.notes(usually: Size.usual) }
  static var limits: [String: FieldLimits] { PartFields.limits(most: Size.most) }
  static var atMostOne: [[String]] { PartFields.atMostOne }
}

/// The parameters `offset`, `after` and `limit` of a method that lists part by part.
enum PartFields {
  static func notes(usually: Int) -> [String: String] {
    [
      "offset": "How many to step over.", "after": "`next` of the part before.",
      "limit": "How many at most. Default \(usually).",
    ]
  }

  static func limits(most: Int) -> [String: FieldLimits] {
    ["offset": .atLeast(0), "after": .length(1...256), "limit": .range(1...Double(most))]
  }

  static let atMostOne = [["offset", "after"]]
}
