import Contract
import Kit
import Store
import Wire

/// Boards of posts from groupware, forums and feeds, stored to be read offline.
package enum BoardsFeature {
  package static let feature = Feature(
    name: "boards",
    routes: [
      Route(AddSource.self), Route(ListSources.self), Route(UpdateSource.self), Route(RemoveSource.self),
      Route(RefreshBoards.self), Route(ListBoards.self), Route(SelectBoard.self), Route(ListPosts.self),
      Route(ShowPost.self), Route(ShowThread.self), Route(SearchPosts.self), Route(MarkRead.self),
      Route(SavePosts.self),
      Route(ImportSources.self), Route(ExportSources.self), Route(HidePosts.self), Route(ListRules.self),
      Route(AddRule.self), Route(UpdateRule.self), Route(RemoveRule.self), Route(ApplyRules.self), Route(KeepPage.self),
      Route(RemovePage.self), Route(QuotePost.self), Route(UnquotePost.self), Route(TagPosts.self),
      Route(NotePost.self), Route(ListApps.self), Route(AddApp.self), Route(RemoveApp.self), Route(AnswerApp.self),
      Route(DownloadAttachment.self), Route(RemoveDownload.self),
    ],
    migrations: BoardTables.migrations,
    collections: [
      ItemCollection(
        SourceRecord.self,
        payload: ShownSource.payload,
        restored: .init(["isQuiet", "url", "items", "credential"]) {
          try PostRemoval.sweep(source: $0, in: $1)
          try SourceLimits.reportCounts(of: $0, in: $1)
          try UpdateSource.askRestored($0, in: $1)
        }
      ).shared(CollectionSync(identity: ["url", "kind"])),
      ItemCollection(
        BoardRecord.self, listsRemoved: false,
        payload: { try BoardView(in: $1).board($0) }),
      ItemCollection(
        PostRecord.self,
        holder: SourceRecord.collectionName,
        payloads: { snapshot in
          let view = try PostView(nil, of: nil, in: snapshot)
          return { try view.post($0.id) }
        },
        searchEntries: { id, _, db in try PostSearchEntry.entries(of: id, in: db) }, linking: PostLinks.linking,
        counts: { try UnreadCounts.after($0, in: $1) }
      ).shared(CollectionSync(rows: KeepPage.rows)),
      ItemCollection(
        PostAccount.self,
        holder: SourceRecord.collectionName,
        payloads: { snapshot in
          let view = try PostView(nil, of: nil, in: snapshot)
          return { try view.post($0.post, from: $0.source) }
        },
        searchEntries: { id, _, db in try PostSearchEntry.accountEntries(of: id, in: db) }),
      ItemCollection(RuleRecord.self, payload: ShownRule.payload).shared(),
      ItemCollection(
        PostMarkRecord.self, listsRemoved: false,
        payload: ShownPostMark.payload,
        searchEntries: { id, _, db in try PostSearchEntry.noteEntries(of: id, in: db) },
        restored: .init(["readAt", "savedAt", "hiddenAt", "tags", "rules", "quotes", "note", "files"]) {
          try PostMarks.notify($0, in: $1)
        }
      ).shared(),
    ],
    day: { try BoardDay.items($0, in: $1) }, searches: [PostSearchEntry.source],
    texts: [PostForm(), PostListForm()],
    neededFiles: { ids, _, snapshot in try DownloadedFile.needed(among: ids, in: snapshot) },
    start: { services in services.boardRefresher.begin(with: services) },
    stop: { services in services.memory.known(Refresher.self)?.end() },
    jobs: { memory in
      (memory.known(BoardFetches.self)?.sources ?? []).map {
        StatusReport.Job(method: RefreshBoards.name, connection: $0)
      }
    })
}

/// A mark as history and conflicts show it.
struct ShownPostMark: SnapshotItem {
  static let name = "PostMark"
  static let example = PostMarkRecord()

  let item: PostMarkRecord
  private let title: String?

  init(_ record: PostMarkRecord, in snapshot: Snapshot) throws {
    item = record
    title = try snapshot.find(PostSummary.self, id: record.id)?.head.title
  }

  static let head: [DerivedMember<Self>] = [
    DerivedMember("id", "The post.", example: "0193") { PostID(unchecked: $0.item.id) },
    DerivedMember("title", "The post's title, while it is here.", example: "Notices") { $0.title },
  ]
  static let derived: [DerivedMember<Self>] = []
}
