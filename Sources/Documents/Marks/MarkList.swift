import Contract
import Store
import Wire

/// The requested part of a document's bookmarks or memos.
struct MarkListParams: Payload {
  var id: DocumentID
  var after: String?
  var limit: Int?
  static let example = MarkListParams(id: "0192", after: nil, limit: 100)
  static let fields = [
    "id": "The document.", "after": "`next` of the previous page.", "limit": "Maximum number. Default 1,000.",
  ]
  static let limits: [String: FieldLimits] = ["after": .length(1...256), "limit": .range(1...1_000)]
}

/// A mark's place among those of its document: by page, by its place on the page, and by id.
struct MarkPlace: Comparable {
  var page: Int
  var offset: Int
  var id: String

  static func < (left: MarkPlace, right: MarkPlace) -> Bool {
    (left.page, left.offset, left.id) < (right.page, right.offset, right.id)
  }
}

extension MarkPlace {
  /// `page/offset/id`: an id has no slash.
  var cursor: String { "\(page)/\(offset)/\(id)" }

  init(cursor: String) throws(RPCError) {
    let parts = cursor.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let page = Int(parts[0]), let offset = Int(parts[1]) else {
      throw .invalidParams(field: "after", reason: Text("param.badCursor", ["value": cursor]))
    }
    self.init(page: page, offset: offset, id: String(parts[2]))
  }
}

extension Mark {
  var place: MarkPlace { MarkPlace(page: page, offset: offset, id: id) }
}

extension Page {
  /// The marks after a cursor, in the document's order.
  init<M: Mark>(
    of marks: [M], after: String?, limit: Int?, _ make: (M) throws -> Item
  ) throws {
    let sorted = marks.sorted { $0.place < $1.place }
    let limit = limit ?? 1_000
    var offset = 0
    if let after {
      let place = try MarkPlace(cursor: after)
      offset = sorted.firstIndex { place < $0.place } ?? sorted.count
    }
    let part = sorted.dropFirst(offset).prefix(limit)
    let hasMore = offset + part.count < sorted.count
    self.init(
      items: try part.map(make), offset: offset, limit: limit, total: sorted.count,
      next: hasMore ? part.last?.place.cursor : nil)
  }
}
