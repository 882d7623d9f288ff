import Kit
import Store
import Wire

extension ListPosts {
  /// The reply with the posts of all sources or of a folder. No source is requested for it.
  static func timeline(_ plan: Plan, in snapshot: Snapshot) throws -> PostList {
    let params = plan.params
    let list: PostTimeline.List =
      params.hidden == true ? .hidden : params.unread == true ? .unread : params.saved == true ? .saved : .all
    let folder = try params.folder.map { try SourceFolder($0, in: snapshot) }
    let part = ListPart(offset: params.offset, after: params.after, limit: params.limit ?? 30)
    let page: TimelinePage
    let isOldestFirst = params.oldest == true
    if let folder, list == .all || list == .unread {
      page = try FolderTimeline(
        of: folder, onlyUnread: list == .unread, isOldestFirst: isOldestFirst, db: snapshot.db
      ).page(part)
    } else {
      page = try PostTimeline(list: list, of: folder, isOldestFirst: isOldestFirst, db: snapshot.db).page(part)
    }
    let view = try PostView(params.style, of: nil, in: snapshot)
    return PostList(
      RemotePage(
        items: try page.posts.compactMap(view.post), offset: page.offset, limit: part.limit, total: page.total,
        totalIsEstimate: page.totalIsEstimate, next: page.next, generation: plan.generation,
        state: page.total == 0 ? .empty : .results, hint: page.total == 0 ? snapshot.words(list.emptyHint) : nil,
        freshness: .cached, fetchedAt: nil, failure: nil),
      board: nil)
  }
}

extension PostTimeline.List {
  fileprivate var emptyHint: Text {
    switch self {
    case .all: Text("boards.empty")
    case .unread: Text("boards.noneUnread")
    case .saved: Text("boards.noneSaved")
    case .hidden: Text("boards.noneHidden")
    }
  }
}
