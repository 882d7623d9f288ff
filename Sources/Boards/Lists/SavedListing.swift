import Contract
import Kit
import SQLite
import Store
import Wire

/// The posts that were saved, of all boards, the last saved first.
enum SavedListing {
  static let order = Keyset(.integer("savedAt"), .text("id")).descending

  private static let from =
    "FROM postMark WHERE savedAt IS NOT NULL AND EXISTS (SELECT 1 FROM post WHERE post.id = postMark.id)"

  static func page(_ plan: ListPosts.Plan, in snapshot: Snapshot) throws -> RemotePage<Post> {
    let (params, db) = (plan.params, snapshot.db)
    let limit = params.limit ?? 30
    let following = try params.after.map { order.condition(after: try order.place($0)) }
    let condition = following.map { "AND \($0.sql)" } ?? ""
    var found: [(id: String, place: [SQLValue])] = []
    try db.each(
      "SELECT id, \(order.columns) \(from) \(condition) ORDER BY \(order.order) LIMIT ? OFFSET ?",
      (following?.values ?? []) + [.integer(limit + 1), .integer(params.offset ?? 0)]
    ) { found.append(($0.text(0), order.place($0, from: 1))) }
    let total = try db.first("SELECT count(*) \(from)") { $0.int(0) } ?? 0
    let rest =
      try following.flatMap { try db.first("SELECT count(*) \(from) \(condition)", $0.values) { $0.int(0) } } ?? 0
    let view = try PostView(params.style, of: nil, in: snapshot)
    let items = try found.prefix(limit).compactMap { try view.post($0.id) }
    let last = found.count > limit ? found.prefix(limit).last : nil
    return RemotePage(
      items: items, offset: following == nil ? params.offset ?? 0 : total - rest, limit: limit, total: total,
      totalIsEstimate: false, next: last.map { order.cursor($0.place) }, generation: plan.generation,
      state: total == 0 ? .empty : .results, hint: total == 0 ? snapshot.words(Text("boards.noneSaved")) : nil,
      freshness: .cached, fetchedAt: nil, failure: nil)
  }
}
