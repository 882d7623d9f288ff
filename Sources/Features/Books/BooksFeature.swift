import Store
import Wire

/// Books of catalogues, and the reader's own shelf.
enum BooksFeature {
  static let feature = Feature(
    name: "books",
    routes: [
      Route(SearchBooks.self), Route(GetBook.self), Route(ShowCover.self),
      Route(ShowShelf.self), Route(AddToShelf.self), Route(UpdateOnShelf.self), Route(RemoveFromShelf.self),
      Route(CiteBook.self), Route(ImportBooks.self), Route(ReviewBooks.self), Route(DecideBook.self),
      Route(ExportBooks.self),
    ],
    migrations: BookTables.migrations,
    collections: [
      ItemCollection(
        BookRecord.self,
        payload: { try BookView(in: $1).book($0) },
        searchEntries: { id, _, db in try BookSearch.entries(of: id, in: db) }, linking: BookLinks.linking),
      ItemCollection(
        BookReviewRecord.self,
        payload: { try BookReview(ShownReview($0, BookView(in: $1))) }),
    ],
    texts: BookTexts.entries,
    day: { try BookDay.items($0, in: $1) }, searches: [BookSearch.source],
    stop: { services in services.memory.known(KeptAnswers.self)?.finish() })
}
