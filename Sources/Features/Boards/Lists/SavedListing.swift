import Contract
import Store
import Wire

/// The posts that were saved, of all boards, the last saved first.
enum SavedListing {
  struct Place {
    var at: Int64
    var post: String

    init(cursor: String) throws(RPCError) {
      let parts = cursor.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, ItemID(validating: parts[0]) != nil, let at = Int64(parts[1]) else {
        throw .invalidParams(field: "after", reason: Text("param.badCursor", ["value": cursor]))
      }
      (self.at, post) = (at, parts[0])
    }
  }

  private static let from =
    "FROM postMark WHERE savedAt IS NOT NULL AND EXISTS (SELECT 1 FROM post WHERE post.id = postMark.id)"

  static func page(_ plan: ListPosts.Plan, in snapshot: Snapshot) throws -> RemotePage<Post> {
    let (params, db) = (plan.params, snapshot.db)
    let limit = params.limit ?? 30
    let cursor = try params.after.map { try Place(cursor: $0) }
    let behind = cursor.map { [SQLValue.integer($0.at), .text($0.post)] } ?? []
    let condition = cursor == nil ? "" : "AND (savedAt, id) < (?, ?)"
    var found: [(id: String, at: Int64)] = []
    try db.each(
      "SELECT id, savedAt \(from) \(condition) ORDER BY savedAt DESC, id DESC LIMIT ? OFFSET ?",
      behind + [.integer(limit + 1), .integer(params.offset ?? 0)]
    ) { found.append(($0.text(0), $0.integer(1))) }
    let total = try db.first("SELECT count(*) \(from)") { $0.int(0) } ?? 0
    let rest = cursor == nil ? 0 : try db.first("SELECT count(*) \(from) \(condition)", behind) { $0.int(0) } ?? 0
    let view = try PostView(params.style, of: nil, in: snapshot)
    let items = try found.prefix(limit).compactMap { try view.post($0.id) }
    let last = found.count > limit ? found.prefix(limit).last : nil
    return RemotePage(
      items: items, offset: cursor == nil ? params.offset ?? 0 : total - rest, limit: limit, total: total,
      totalIsEstimate: false, next: last.map { "\($0.id)/\($0.at)" }, generation: plan.generation,
      state: total == 0 ? .empty : .results, hint: total == 0 ? snapshot.words(Text("boards.noneSaved")) : nil,
      freshness: .cached, fetchedAt: nil, failure: nil)
  }
}
