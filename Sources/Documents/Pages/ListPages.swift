import Contract
import Display
import Kit
import SQLite
import Store
import Wire

/// The pages of a document for a scrolling view: sizes before anything is rendered, and which pages have marks. All
/// data are in the library, so no worker is needed.
enum ListPages: ReadMethod {
  static let name = "documents/pages"
  static let summary =
    "The size, label, bookmark, number of highlights and memo of all pages, or of a range. `documents/page` has the "
    + "marks themselves."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.elsewhere, .noFile, .notFound, .passwordRequired]

  struct Params: Payload {
    var id: DocumentID
    var from: Int?
    var after: String?
    var limit: Int?
    static let example = Params(id: "0192", from: 2, after: nil, limit: 1)
    static let fields = [
      "id": "The document.", "from": "The first page, from 0. Default 0.", "after": "`next` of the previous page.",
      "limit": "Maximum number. Default 1,000.",
    ]
    static let limits: [String: FieldLimits] = [
      "from": .atLeast(0), "after": .length(1...256), "limit": .range(1...5_000),
    ]
    static let atMostOne = [["from", "after"]]
  }

  struct PageSummary: Payload {
    var page: Int
    var label: String
    var pdfLabel: String?
    var width: Double
    var height: Double
    var rotation: Int
    var broken: Bool?
    var bookmarked: Bool
    var highlightCount: Int
    var hasMemo: Bool
    static let example = PageSummary(
      page: 2, label: "3 / 12", pdfLabel: "iii", width: 595.28, height: 841.89, rotation: 0, broken: nil,
      bookmarked: true, highlightCount: 1, hasMemo: true)
    static let terms = ["label": "pageLabel"]
    static let fields = PageNotes.fields.merging([
      "highlightCount": "The number of its highlights.", "hasMemo": "Whether it has a memo.",
    ]) { $1 }

    func write(to json: inout JSONWriter) {
      json.beginObject()
      json.member("page", page)
      json.member("label", label)
      json.member("pdfLabel", pdfLabel)
      json.member("width", width)
      json.member("height", height)
      json.member("rotation", rotation)
      json.member("broken", broken)
      json.member("bookmarked", bookmarked)
      json.member("highlightCount", highlightCount)
      json.member("hasMemo", hasMemo)
      json.endObject()
    }
  }
  typealias Result = Page<PageSummary>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<PageSummary> {
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    try document.requireFile(in: snapshot)
    let from = try first(params, of: document)
    let limit = params.limit ?? 1_000
    let range = from..<min(document.pageCount, from + limit)
    let marks = try PageMarks(of: document.id, range, in: snapshot.db)
    let items = try StoredPage.all(range, of: document.hash, in: snapshot.db).map { page in
      PageSummary(
        page: page.page, label: pageLabel(page: page.page, of: document.pageCount), pdfLabel: page.label,
        width: page.shownSize.width, height: page.shownSize.height, rotation: page.rotation,
        broken: page.isBroken ? true : nil, bookmarked: marks.bookmarks[page.page] != nil,
        highlightCount: marks.highlights[page.page] ?? 0, hasMemo: marks.memos[page.page] != nil)
    }
    return Page(
      items: items, offset: from, limit: limit, total: document.pageCount,
      next: range.upperBound < document.pageCount ? String(range.upperBound - 1) : nil)
  }

  private static func first(_ params: Params, of document: DocumentRecord) throws -> Int {
    guard let after = params.after else {
      let from = params.from ?? 0
      guard from < document.pageCount else {
        throw RPCError.pageOutOfRange(from, count: document.pageCount, field: "from")
      }
      return from
    }
    guard let last = Int(after), (0..<document.pageCount).contains(last) else {
      throw RPCError.invalidParams(field: "after", reason: Text("param.badCursor", ["value": after]))
    }
    return last + 1
  }
}

/// How many marks of each kind are on each page of a range. Orphans are on no page.
private struct PageMarks {
  let highlights: [Int: Int]
  let bookmarks: [Int: Int]
  let memos: [Int: Int]

  init(of document: String, _ range: Range<Int>, in db: Database) throws {
    func counts(_ table: String) throws -> [Int: Int] {
      var counts: [Int: Int] = [:]
      try db.each(
        """
        SELECT page, count(*) FROM \(table) WHERE document = ? AND page >= ? AND page < ? AND state IS NULL GROUP BY page
        """, [.text(document), .integer(range.lowerBound), .integer(range.upperBound)]
      ) { counts[$0.int(0)] = $0.int(1) }
      return counts
    }
    highlights = try counts(HighlightRecord.tableName)
    bookmarks = try counts(BookmarkRecord.tableName)
    memos = try counts(MemoRecord.tableName)
  }
}
