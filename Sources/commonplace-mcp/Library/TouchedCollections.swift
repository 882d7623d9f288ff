import Wire

extension Catalog {
  /// The collections that a method lists, answers or changes, the one that it is about first; nil if they are unknown,
  /// such as those of a method of all collections, or of a newer daemon.
  func collections(touchedBy method: Method) -> [String]? {
    Self.touched[method.name] ?? (method.answered ?? method.listed).map { [$0] }
  }

  /// Methods whose result is no item: their schemas do not say what they touch. Parts of a document are its own.
  private static let touched: [String: [String]] = {
    let rows: [(collections: [String], area: String, verbs: String)] = [
      (["boards"], "boards", "select"),
      (["boards", "posts", "sources"], "boards", "refresh"), (["posts", "sources", "boards"], "boards", "answerApp"),
      (["posts"], "boards", "hide markRead removePage save tag thread"),
      (["posts", "postRules"], "boards", "applyRules"),
      (["postRules"], "boards", "removeRule"),
      (["sources"], "boards", "export"), (["sources", "posts"], "boards", "import"),
      (["sources", "boards", "posts"], "boards", "removeSource"),
      (["books"], "books", "answerReader cite cover export order removeFromShelf series"),
      (["books", "readingGoals"], "books", "setGoal statistics"),
      (["books", "bookReviews"], "books", "decide import"),
      (
        ["diary"], "diary",
        "add calendar discardDraft draft drafts export import journals mirror remove removeAll renameJournal share update"
      ),
      (["notes"], "notes", "discardDraft draft drafts export import mirror remove"),
      (["files"], "files", "content remove removeUnused thumbnail"),
      (
        ["documents"], "documents",
        "addFiles attachments cite exportBibliography find fromSource identify importBibliography links locate "
          + "locateSource metadata outline page "
          + "pages properties reference refresh remove render resolve saveAttachment select setPosition similar statistics text thumbnail unwatch "
          + "watch watched"
      ),
      (["documents", "highlights", "bookmarks", "memos"], "documents", "adopt export importMarks"),
      (["highlights"], "documents", "markPicture removeHighlight toggleHighlight"),
      (["bookmarks"], "documents", "setBookmark toggleBookmark"),
      (["memos"], "documents", "setMemo"),
      (["documents", "documentRules"], "documents", "applyRules"), (["documentRules"], "documents", "removeRule"),
      (["projects", "calendars"], "projects", "agenda"), (["calendars"], "projects", "refreshCalendars removeCalendar"),
      (["projects"], "projects", "actions board discardDraft draft drafts reminders remove removeAll statistics"),
      (["projects", "cardBoards"], "projects", "export import"),
      (["cardBoards"], "projects", "columns"),
      (["cardBoards", "projects"], "projects", "removeBoard"),
      (["searches", "savedSearches"], "search", "forget"),
    ]
    return rows.reduce(into: [:]) { touched, row in
      for verb in row.verbs.split(separator: " ") { touched["\(row.area)/\(verb)"] = row.collections }
    }
  }()
}
