import Contract
import Store
import Wire

/// Boards of posts: of groupwares, forums and feeds, kept to be read offline.
enum BoardsFeature {
  static let feature = Feature(
    name: "boards",
    routes: [
      Route(AddSource.self), Route(ListSources.self), Route(UpdateSource.self), Route(RemoveSource.self),
      Route(RefreshBoards.self), Route(ListBoards.self), Route(SelectBoard.self), Route(ListPosts.self),
      Route(ShowPost.self), Route(SearchPosts.self), Route(MarkRead.self), Route(SavePosts.self),
      Route(ImportSources.self), Route(ExportSources.self),
    ],
    migrations: BoardTables.migrations,
    collections: [
      ItemCollection(
        SourceRecord.self,
        payload: { id, snapshot in
          try snapshot.find(SourceRecord.self, id: id).map { try JSONEncoding.value(of: ShownSource($0, in: snapshot)) }
        },
        restored: .init([]) { try PostRemoval.sweep(source: $0, in: $1) }),
      ItemCollection(
        BoardRecord.self,
        payload: { id, snapshot in
          try snapshot.find(BoardRecord.self, id: id).map {
            try JSONEncoding.value(of: BoardView(in: snapshot).board($0))
          }
        }),
      ItemCollection(
        PostRecord.self,
        holder: SourceRecord.collectionName,
        payload: { id, snapshot in
          try PostView(nil, of: nil, in: snapshot).post(id).map { try JSONEncoding.value(of: $0) }
        },
        searchEntries: { id, _, db in try PostSearchEntry.entries(of: id, in: db) }, linking: PostLinks.linking),
      ItemCollection(
        PostAccount.self,
        holder: SourceRecord.collectionName,
        payload: { id, snapshot in
          guard let account = try snapshot.find(PostAccount.self, id: id) else { return nil }
          return try PostView(nil, of: nil, in: snapshot).post(account.post, from: account.source).map {
            try JSONEncoding.value(of: $0)
          }
        },
        searchEntries: { id, _, db in try PostSearchEntry.accountEntries(of: id, in: db) }),
      ItemCollection(
        PostMarkRecord.self,
        payload: { id, snapshot in
          try snapshot.find(PostMarkRecord.self, id: id).map { try JSONEncoding.value(of: PostMark($0, in: snapshot)) }
        },
        restored: .init(["readAt", "savedAt"]) { try PostMarks.tell($0, in: $1) }),
    ],
    texts: BoardTexts.entries,
    day: { try BoardDay.items($0, in: $1) }, searches: [PostSearchEntry.source],
    start: { services in services.boardRefresher.begin(with: services) },
    stop: { services in services.memory.known(Refresher.self)?.end() },
    jobs: { memory in
      (memory.known(BoardDesk.self)?.sources ?? []).map { StatusReport.Job(method: RefreshBoards.name, connection: $0) }
    })
}

/// A mark as history and conflicts show it.
struct PostMark: Payload {
  var id: PostID
  var title: String?
  var readAt: Instant?
  var savedAt: Instant?
  static let example = PostMark(
    id: "0193", title: "Notices", readAt: Instant(milliseconds: 1_795_225_445_678), savedAt: nil)
  static let fields = [
    "id": "The post.", "title": "The post's title, while it is here.", "readAt": "When it was read.",
    "savedAt": "When it was saved.",
  ]
}

extension PostMark {
  init(_ record: PostMarkRecord, in snapshot: Snapshot) throws {
    let title = try snapshot.find(PostSummary.self, id: record.id)?.head.title
    self.init(
      id: PostID(unchecked: record.id), title: title, readAt: record.readAt, savedAt: record.savedAt)
  }
}
