import Contract
import Kit
import Store
import Wire

/// PDFs with bookmarks, highlights, memos and a reading position.
package enum DocumentsFeature {
  package static let feature = Feature(
    name: "documents",
    routes: [
      Route(AddDocument.self), Route(AddFiles.self), Route(WatchFolder.self),
      Route(UnwatchFolder.self), Route(ListWatchedFolders.self), Route(GetDocument.self), Route(ListDocuments.self),
      Route(UpdateDocument.self),
      Route(RemoveDocument.self), Route(ShowPage.self), Route(ListPages.self), Route(ReadText.self),
      Route(SelectText.self),
      Route(RenderPage.self), Route(ShowThumbnail.self), Route(SetPosition.self), Route(ToggleBookmark.self),
      Route(SetBookmark.self),
      Route(ListBookmarks.self), Route(ToggleHighlight.self), Route(AddHighlight.self), Route(ListHighlights.self),
      Route(UpdateHighlight.self), Route(RemoveHighlight.self), Route(AddMark.self), Route(ShowMarkPicture.self),
      Route(SetMemo.self), Route(ListMemos.self),
      Route(RefreshDocument.self), Route(AdoptMarks.self), Route(PlaceHighlight.self),
      Route(ResolveLink.self), Route(FindInDocument.self), Route(LocateQuote.self),
      Route(SimilarDocuments.self), Route(DocumentStatistics.self),
      Route(ShowOutline.self), Route(ListLinks.self), Route(FollowReference.self),
      Route(LocateSource.self), Route(FollowSource.self), Route(ShowMetadata.self),
      Route(ListAttachments.self),
      Route(SaveAttachment.self), Route(ImportMarks.self), Route(ExportDocument.self),
      Route(CiteDocument.self), Route(IdentifyDocument.self), Route(ImportBibliography.self),
      Route(ExportBibliography.self), Route(ListProperties.self), Route(ListDocumentRules.self),
      Route(AddDocumentRule.self),
      Route(UpdateDocumentRule.self), Route(RemoveDocumentRule.self), Route(ApplyDocumentRules.self),
    ],
    migrations: DocumentTables.migrations,
    collections: [
      ItemCollection(
        DocumentRecord.self,
        derived: DocumentTables.derived,
        parts: [
          .init(collection: HighlightRecord.collectionName, column: "document"),
          .init(collection: BookmarkRecord.collectionName, column: "document"),
          .init(collection: MemoRecord.collectionName, column: "document"),
        ],
        payload: ShownDocument.payload,
        searchEntries: { id, isWhole, db in try DocumentSearch.entries(of: id, isWhole: isWhole, in: db) },
        restored: DocumentRecord.restored, linking: LinkedDocuments.documents
      ).followed(by: .tags("documentTag", item: "document"), DocumentProperties.added)
        .shared(CollectionSync(identity: ["hash"])),
      ItemCollection(
        BookmarkRecord.self, payload: ShownPageMark<BookmarkRecord>.payload,
        searchEntries: { id, _, db in try MarkSearch.bookmark(id, in: db) }, restored: BookmarkRecord.restored
      ).followed(by: MarkTotals.bookmarks).shared(CollectionSync(holder: "document")),
      ItemCollection(
        HighlightRecord.self,
        payload: { highlight, snapshot in
          try snapshot.find(DocumentRecord.self, id: highlight.document).map {
            try Highlight(highlight, of: $0, in: snapshot)
          }
        },
        searchEntries: { id, _, db in try MarkSearch.highlight(id, in: db) }, linking: LinkedDocuments.highlights
      ).followed(by: MarkTotals.highlights).shared(CollectionSync(holder: "document")),
      ItemCollection(
        MemoRecord.self,
        payload: ShownPageMark<MemoRecord>.payload,
        searchEntries: { id, _, db in try MarkSearch.memo(id, in: db) }, restored: MemoRecord.restored,
        linking: LinkedDocuments.memos
      ).followed(by: MarkTotals.memos).shared(CollectionSync(holder: "document")),
      ItemCollection(DocumentRuleRecord.self, payload: ShownDocumentRule.payload).shared(),
    ],
    day: { try DocumentDay.items($0, in: $1) },
    searches: [DocumentSearch.source, MarkSearch.highlights, MarkSearch.memos, MarkSearch.bookmarks],
    texts: [PageForm(), MarksForm()],
    fileImporter: { try await FetchedDocument.take($0, with: $1) },
    start: { services in
      MemoryFolder.removeLeftovers()
      ReceivedFile.removeLeftovers(in: services.folder, now: services.now())
      // The first page that a client opens should not wait for a worker to start. This comes before the indexer's
      // work, which no client waits for yet. If workers cannot start, the first request for a worker reports it.
      services.workers.keepSpares()
      await services.indexer.resume(with: services)
      await services.folderWatch.begin(with: services)
    },
    stop: { services in
      services.memory.known(FolderWatch.self)?.end()
      services.memory.known(Pictures.self)?.removeFromMemory()
    })
}
