import Contract
import Display
import Kit
import Store
import Wire

/// `documents/0192/page/2.md`: the text of a page, from 0 as in links, in paragraphs.
struct PageForm: LibraryTextForm {
  let collections: Set = [DocumentRecord.collectionName]

  func shows(_ path: TextPath) -> Bool { Self.page(path) != nil }

  private static func page(_ path: TextPath) -> (document: String, page: Int)? {
    let parts = path.segments
    guard parts.count == 4, parts[0] == "documents", parts[2] == "page",
      parts[3].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let page = Int(parts[3])
    else { return nil }
    return (parts[1], page)
  }

  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    guard let (id, page) = Self.page(path), let document = try snapshot.find(DocumentRecord.self, id: id),
      page < document.pageCount, try StoredPage.find(page, of: document.hash, in: snapshot.db) != nil
    else { return nil }
    let heading = "# \(document.title) · \(pageLabel(page: page, of: document.pageCount))"
    let text = ShownLines.shown(heading + "\n\n" + (try body(of: page, in: document, snapshot)) + "\n")
    let item = TextItem(
      collection: DocumentRecord.collectionName, id: id, title: document.title, revision: document.revision,
      lines: 0..<TextLines.split(text).count, content: "")
    return RenderedText(text: text, items: [item], isReadOnly: true)
  }

  /// A page whose text cannot be shown says why.
  private func body(of page: Int, in document: DocumentRecord, _ snapshot: Snapshot) throws -> String {
    do {
      let text = ReflowedPage(PageLayout(try snapshot.requireText(of: page, in: document))).text
      return text.isBlank ? snapshot.words(Text("text.picture")) : text
    } catch let error as RPCError where error.kind == .passwordRequired || error.kind == .busy {
      return snapshot.words(error.text)
    }
  }

  func place(of target: TextTarget, in snapshot: Snapshot) throws -> LineOfText? {
    guard let document = try snapshot.find(DocumentRecord.self, id: target.id) else { return nil }
    var page = document.page
    if let place = target.places.first(where: { $0.name == "highlight" }),
      let highlight = try snapshot.find(HighlightRecord.self, id: place.value)
    {
      page = highlight.page
      // Its marks may have been adopted by another document.
      if highlight.document != document.id {
        return TextPath("documents", highlight.document, "page", String(page)).map { LineOfText($0) }
      }
    } else if let place = target.places.first(where: { $0.name == "page" }), let number = Int(place.value) {
      page = number
    }
    return TextPath("documents", target.id, "page", String(max(0, page))).map { LineOfText($0) }
  }
}

/// `documents/0192/marks.md`: the highlights, memos and bookmarks of a document by page.
struct MarksForm: LibraryTextForm {
  let collections: Set = [
    HighlightRecord.collectionName, MemoRecord.collectionName, BookmarkRecord.collectionName,
  ]
  let grows = true

  func shows(_ path: TextPath) -> Bool {
    path.segments.count == 3 && path.segments[0] == "documents" && path.segments[2] == "marks"
  }

  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    guard let document = try snapshot.find(DocumentRecord.self, id: path.segments[1]) else { return nil }
    let text = try text(of: document.id, in: snapshot)
    guard text.utf8.count <= RenderedText.mostBytes else { throw RPCError(.tooLarge, text: Text("text.tooLarge")) }
    let item = TextItem(
      collection: DocumentRecord.collectionName, id: document.id, title: document.title, revision: document.revision,
      lines: 0..<TextLines.split(text).count, content: "")
    return RenderedText(text: text, items: [item], isReadOnly: true)
  }

  private func text(of document: String, in snapshot: Snapshot) throws -> String {
    let marks = MarkdownMarks(marks: try ExportedMarks(of: document, in: snapshot)) { snapshot.words(Text($0, $1)) }
    return ShownLines.shown(marks.text)
  }

  func place(of target: TextTarget, in snapshot: Snapshot) throws -> LineOfText? {
    let (document, link): (String, String)
    if let highlight = try snapshot.find(HighlightRecord.self, id: target.id) {
      (document, link) = (highlight.document, "#highlight=\(highlight.id))")
    } else if let memo = try snapshot.find(MemoRecord.self, id: target.id) {
      (document, link) = (memo.document, "#page=\(memo.page))")
    } else if let bookmark = try snapshot.find(BookmarkRecord.self, id: target.id) {
      (document, link) = (bookmark.document, "#page=\(bookmark.page))")
    } else {
      return nil
    }
    guard let path = TextPath("documents", document, "marks") else { return nil }
    let lines = TextLines.split(try text(of: document, in: snapshot))
    return LineOfText(path, line: lines.firstIndex { $0.contains(link) } ?? 0)
  }
}
