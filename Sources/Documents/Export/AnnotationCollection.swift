import Display
import HTTP
import Wire

/// Marks as W3C Web Annotations (https://www.w3.org/TR/annotation-model/), a collection with one page in it.
///
/// Every highlight has three selectors, each for another kind of client: the page (FragmentSelector, RFC 8118, which
/// counts from 1), the text with its surroundings (TextQuoteSelector), and, if known, its place in the text of the
/// whole document in Unicode code points (TextPositionSelector).
struct AnnotationCollection {
  let marks: ExportedMarks

  private static let context = "http://www.w3.org/ns/anno.jsonld"
  private static let pdfFragments = "http://tools.ietf.org/rfc/rfc8118"

  var json: JSONValue {
    let items = marks.highlights.map(annotation) + marks.memos.map(annotation) + marks.bookmarks.map(annotation)
    let page: JSONObject = [
      "id": .string(link + "#annotations=1"), "type": "AnnotationPage", "startIndex": 0, "items": .array(items),
    ]
    return [
      "@context": .string(Self.context), "id": .string(link + "#annotations"), "type": "AnnotationCollection",
      "label": .string(marks.document.title), "total": .integer(Int64(items.count)), "first": .object(page),
    ]
  }

  private var id: DocumentID { DocumentID(unchecked: marks.document.id) }
  private var link: String { DocumentLink(id).text }

  // MARK: The three kinds

  private func annotation(_ highlight: ExportedHighlight) -> JSONValue {
    let record = highlight.record
    var annotation = base(
      record, id: highlight.link, motivation: record.note == nil ? "highlighting" : "commenting")
    if let note = record.note { annotation["body"] = body(note) }
    let name = "color-\(record.color.dropFirst())"
    annotation["stylesheet"] = [
      "type": "CssStylesheet", "value": .string(".\(name) { \(Self.style(of: record)); }"),
    ]
    let targets = parts(of: highlight).map { part -> JSONValue in
      var target = self.target(page: record.isOrphan ? nil : record.page, record.shape?.box)
      target["styleClass"] = .string(name)
      target["selector"] = .array((target["selector"]?.arrayValue ?? []) + selectors(part, of: highlight))
      return .object(target)
    }
    annotation["target"] = targets.count == 1 ? targets[0] : .array(targets)
    return .object(annotation)
  }

  private static func style(of record: HighlightRecord) -> String {
    switch record.kind {
    case .underline: "text-decoration: underline \(record.color)"
    case .squiggly: "text-decoration: underline wavy \(record.color)"
    case .strikeOut: "text-decoration: line-through \(record.color)"
    case .area, .square: "outline: solid \(record.color)"
    default: "background-color: \(record.color)"
    }
  }

  private func annotation(_ memo: MemoRecord) -> JSONValue {
    var annotation = base(memo, id: "\(link)#memo=\(memo.id)", motivation: "commenting")
    annotation["body"] = body(memo.text)
    annotation["target"] = .object(target(page: memo.isOrphan ? nil : memo.page))
    return .object(annotation)
  }

  private func annotation(_ bookmark: BookmarkRecord) -> JSONValue {
    var annotation = base(bookmark, id: "\(link)#bookmark=\(bookmark.id)", motivation: "bookmarking")
    if let title = bookmark.title { annotation["body"] = body(title, purpose: "bookmarking") }
    annotation["target"] = .object(target(page: bookmark.isOrphan ? nil : bookmark.page))
    return .object(annotation)
  }

  private func base(_ mark: some Mark, id: String, motivation: String) -> JSONObject {
    [
      "id": .string(id), "type": "Annotation", "motivation": .string(motivation),
      "created": .string(mark.createdAt.description), "modified": .string(mark.updatedAt.description),
    ]
  }

  private func body(_ text: String, purpose: String = "commenting") -> JSONValue {
    ["type": "TextualBody", "value": .string(text), "format": "text/plain", "purpose": .string(purpose)]
  }

  // MARK: Where they are

  /// A URL as an IRI, which must not contain braces.
  private static func address(_ url: String) -> String {
    WebURL.masked(url).replacing(SecretPlace.written, with: SecretPlace.encoded)
  }

  /// The document, by its public URL if it has one.
  ///
  /// - Parameter box: a part of the page (RFC 8118: left, top, width, height).
  private func target(page: Int?, _ box: Box? = nil) -> JSONObject {
    var target: JSONObject = [
      "type": "SpecificResource",
      "source": [
        "id": .string(marks.document.url.map(Self.address) ?? link), "type": "Text", "format": "application/pdf",
      ],
    ]
    // An orphan is on no page of the present file.
    guard let page else { return target }
    var fragment = "page=\(page + 1)"
    if let box {
      let view = [box.left, box.top, box.width, box.height].map { String($0.rounded(toPlaces: 2)) }
      fragment += "&viewrect=\(view.joined(separator: ","))"
    }
    target["selector"] = [
      ["type": "FragmentSelector", "conformsTo": .string(Self.pdfFragments), "value": .string(fragment)]
    ]
    return target
  }

  /// The parts of a highlight without a gap, in Unicode scalars of its quote.
  private func parts(of highlight: ExportedHighlight) -> [Range<Int>] {
    if highlight.record.isDrawing { return [0..<0] }
    let runs = Reanchoring.runs(
      of: highlight.record.lines, from: highlight.anchor.offset, in: Array(highlight.anchor.quote.unicodeScalars))
    return runs.count > 1 ? runs : [0..<highlight.anchor.length]
  }

  private func selectors(_ part: Range<Int>, of highlight: ExportedHighlight) -> [JSONValue] {
    // A mark without text has only its page.
    if highlight.record.isDrawing { return [] }
    let anchor = highlight.anchor
    let quote = Array(anchor.quote.unicodeScalars)
    var selectors: [JSONValue] = []
    if quote.isEmpty {
      // For a protected document, whose text is in memory while it is unlocked.
      let shown = highlight.shown
      if let text = shown.text, !text.isEmpty {
        selectors.append(Self.quote(text, before: shown.prefix ?? "", after: shown.suffix ?? ""))
      }
    } else {
      func text(_ range: Range<Int>) -> String {
        String(String.UnicodeScalarView(quote[range.clamped(to: quote.indices)]))
      }
      let before = anchor.prefix + text(0..<part.lowerBound)
      let after = text(part.upperBound..<quote.count) + anchor.suffix
      selectors.append(
        Self.quote(
          text(part), before: String(String.UnicodeScalarView(before.unicodeScalars.suffix(Anchor.context))),
          after: String(String.UnicodeScalarView(after.unicodeScalars.prefix(Anchor.context)))))
    }
    if !highlight.record.isOrphan, let start = anchor.documentOffset {
      selectors.append([
        "type": "TextPositionSelector", "start": .integer(Int64(start + part.lowerBound)),
        "end": .integer(Int64(start + part.upperBound)),
      ])
    }
    return selectors
  }

  private static func quote(_ text: String, before: String, after: String) -> JSONValue {
    ["type": "TextQuoteSelector", "exact": .string(text), "prefix": .string(before), "suffix": .string(after)]
  }
}
