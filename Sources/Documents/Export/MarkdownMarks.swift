import Display
import HTTP
import Wire

/// Marks as Markdown (CommonMark), for notes:
///
///     # The title
///
///     [commonplace:/documents/0192](commonplace:/documents/0192)
///
///     ## [Page 3](commonplace:/documents/0192#page=2)
///
///     Bookmarked.           or, with a name: Bookmarked: The proof
///
///     The user's note on the page, unchanged.
///
///     > The marked text. [↗](commonplace:/documents/0192#highlight=0193)
///
///     The user's note on the highlight, unchanged.
///
/// An area's picture, if it is included, comes before its text: `![](data:image/png;base64,…)`.
struct MarkdownMarks {
  let marks: ExportedMarks
  /// In base64, by the marks' ids.
  var pictures: [String: String] = [:]
  /// A sentence of the catalogue in the client's language.
  let sentence: (String, [String: String]) -> String

  var text: String {
    let document = marks.document
    let link = DocumentLink(DocumentID(unchecked: document.id)).text
    var parts = ["# \(Self.escaped(document.title))", "[\(link)](\(link))"]
    if let url = document.url { parts.append("<\(Self.address(WebURL.storable(url)))>") }
    for page in marks.pages { parts += self.page(page) }
    parts += orphans
    return parts.joined(separator: "\n\n") + "\n"
  }

  private func page(_ page: Int) -> [String] {
    let link = DocumentLink(DocumentID(unchecked: marks.document.id), .page(page)).text
    var heading = sentence("documents.pageTitle", ["page": String(page + 1)])
    if let label = marks.labels[page], label != String(page + 1) { heading += " (\(Self.escaped(label)))" }
    var parts = ["## [\(heading)](\(link))"]
    parts += marks.bookmarks.first { !$0.isOrphan && $0.page == page }.map { [bookmarked($0)] } ?? []
    parts += marks.memos.filter { !$0.isOrphan && $0.page == page }.map { Self.written($0.text) }
    for highlight in marks.highlights where !highlight.record.isOrphan && highlight.record.page == page {
      parts += self.highlight(highlight)
    }
    return parts
  }

  private func highlight(_ highlight: ExportedHighlight) -> [String] {
    // A mark without text has no quote. The text of an orphan may be unreadable now.
    let locked = sentence("documents.export.lockedWords", [:])
    let quote =
      highlight.shown.isLocked
      ? "*\(locked)*" : Self.escaped(FlowingText.joined(highlight.shown.textLines))
    var parts = pictures[highlight.record.id].map { ["![](data:image/png;base64,\($0))"] } ?? []
    parts.append("> \(quote.isEmpty ? "" : quote + " ")[↗](\(highlight.link))")
    if let note = highlight.record.note, !note.isEmpty { parts.append(Self.written(note)) }
    return parts
  }

  /// The marks that are not in the present file, with the page that they had.
  private var orphans: [String] {
    let highlights = marks.highlights.filter(\.record.isOrphan)
    let memos = marks.memos.filter(\.isOrphan)
    let bookmarks = marks.bookmarks.filter(\.isOrphan)
    guard !highlights.isEmpty || !memos.isEmpty || !bookmarks.isEmpty else { return [] }
    func was(_ page: Int) -> String { sentence("documents.export.wasOn", ["page": String(page + 1)]) }
    let heading = sentence("documents.export.orphans", [:])
    var parts = ["## \(heading)"]
    for highlight in highlights { parts += [was(highlight.record.page)] + self.highlight(highlight) }
    for memo in memos { parts += [was(memo.page), Self.written(memo.text)] }
    for bookmark in bookmarks {
      parts.append("\(was(bookmark.page)) \(bookmarked(bookmark))")
    }
    return parts
  }

  private func bookmarked(_ bookmark: BookmarkRecord) -> String {
    guard let title = bookmark.title else { return sentence("documents.export.bookmarked", [:]) }
    return sentence("documents.export.bookmarkedAs", ["title": Self.escaped(title)])
  }

  /// The user's own text is inserted as Markdown.
  private static func written(_ text: String) -> String {
    text.replacing("\r\n", with: "\n").trimmingBlanks()
  }

  /// Text without Markdown syntax: every punctuation character that could begin some is escaped by a backslash
  /// (CommonMark 2.4).
  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    var isStart = true
    for scalar in text.unicodeScalars {
      let begins = isStart && "#+-=>.)".unicodeScalars.contains(scalar)
      if begins || "\\`*_[]<>&|~$".unicodeScalars.contains(scalar) { escaped.append("\\") }
      escaped.append(scalar == "\n" ? " " : scalar)
      // Digits may begin a list: `1.`
      isStart = isStart && (("0"..."9").contains(scalar) || scalar == " ")
    }
    return String(escaped)
  }

  /// A URL in `<…>` may contain neither these characters nor blanks.
  private static func address(_ url: String) -> String {
    url.replacing("<", with: "%3C").replacing(">", with: "%3E").replacing(" ", with: "%20").replacing("\n", with: "")
  }
}

/// Joins the lines of a page into the original text.
enum FlowingText {
  static func joined(_ lines: [String]) -> String {
    lines.reduce(into: "") { text, line in
      let line = line.trimmingBlanks()
      guard let end = text.unicodeScalars.last, let start = line.unicodeScalars.first else {
        text += line
        return
      }
      if isHyphen(end), text.unicodeScalars.dropLast().last?.properties.isAlphabetic == true {
        // Before a capital or a digit it is the word's own.
        if start.properties.isLowercase { text.unicodeScalars.removeLast() }
        text += line
      } else if isSetWithoutBlanks(end), isSetWithoutBlanks(start) {
        text += line
      } else {
        text += " " + line
      }
    }
  }

  private static func isHyphen(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar == "\u{AD}" || scalar == "\u{2010}"
  }

  /// Han and kana; Korean has blanks between its words, and at a line end a blank is likelier than none.
  private static func isSetWithoutBlanks(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3001...0x303F, 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF,
      0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
