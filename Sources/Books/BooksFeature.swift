import Kit
import Store
import Wire

/// Books of catalogues, and the user's own shelf.
package enum BooksFeature {
  package static let feature = Feature(
    name: "books",
    routes: [
      Route(SearchBooks.self), Route(GetBook.self), Route(ShowCover.self),
      Route(ShowShelf.self), Route(AddToShelf.self), Route(UpdateOnShelf.self), Route(RemoveFromShelf.self),
      Route(OrderBooks.self),
      Route(CiteBook.self), Route(ImportBooks.self), Route(ReviewBooks.self), Route(DecideBook.self),
      Route(ExportBooks.self), Route(ListSeries.self), Route(BookStatistics.self), Route(SetGoal.self),
      Route(AnswerReader.self),
    ],
    migrations: BookTables.migrations,
    collections: [
      ItemCollection(
        BookRecord.self,
        payload: { try BookView(in: $1).book($0) },
        searchEntries: { id, _, db in try BookSearch.entries(of: id, in: db) }, linking: BookLinks.linking
      ).shared(),
      ItemCollection(
        BookReviewRecord.self, listsRemoved: false,
        payload: { try BookReview(ShownReview($0, BookView(in: $1))) }),
      // A removed goal is set again.
      ItemCollection(ReadingGoalRecord.self, listsRemoved: false, payload: ShownReadingGoal.payload).shared(),
    ],
    day: { try BookDay.items($0, in: $1) }, searches: [BookSearch.source], texts: [BookForm()],
    stop: { services in services.memory.known(AnswerCache.self)?.finish() })
}

/// The links in books on the shelf: in the user's note, and in the quotes with their notes. Texts of a catalogue have
/// no links.
enum BookLinks {
  static let linking = Linking(
    title: .init("title"), texts: [.init("note"), .init("quotes", read: texts)],
    shown: { id, snapshot in
      try snapshot.find(BookRecord.self, id: id).map {
        LinkedItem(title: $0.title, of: BookRecord.collectionName, id: id)
      }
    })

  private static func texts(_ stored: String) throws -> [String] {
    try StoredJSON<[BookQuote]>(stored: stored).value().flatMap { [$0.text, $0.note].compactMap(\.self) }
  }
}
