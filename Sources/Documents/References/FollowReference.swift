import Contract
import Display
import Kit
import PDF
import SearchEngine
import Store
import Wire

/// Where a reference in the text leads.
enum FollowReference: ReadMethod {
  static let name = "documents/reference"
  static let summary =
    "The targets of a reference in the text, at a point or as text: the entry of `[12]` or `Smith (2019)` in the list of "
    + "literature, the caption of `Fig. 3`, the theorem, section or equation. For files whose references are no links, "
    + "which `documents/links` lists."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.elsewhere, .noFile, .notFound, .passwordRequired]

  struct Params: Payload {
    var id: DocumentID
    var page: Int
    var point: MarkedText.Point?
    var text: String?
    var limit: Int?
    static let example = Params(id: "0192", page: 2, point: .example, text: nil, limit: nil)
    static let fields = [
      "id": "The document.", "page": "The page of the reference, from 0.",
      "point": "A point on the reference, in points from the top left.",
      "text": "The reference as text, such as `Fig. 3`.", "limit": "Maximum number of targets. Default 3.",
    ]
    static let limits: [String: FieldLimits] = [
      "page": .atLeast(0), "text": .length(1...500, notBlank: true), "limit": .range(1...20),
    ]
    static let exactlyOne = [["point", "text"]]
  }

  struct Target: Payload {
    var page: Int
    var label: String
    var text: String
    var quads: [[Double]]
    var link: String
    static let example = Target(
      page: 11, label: "12 / 12", text: "[12] R. Ihaka, R. Gentleman: R. 1996.",
      quads: [[72, 90, 240, 90, 240, 102, 72, 102]], link: "commonplace:/documents/0192#page=11")
    static let terms = ["label": "pageLabel"]
    static let fields = [
      "page": "The page, from 0.", "label": "The page number from 1, and the number of pages.",
      "text": "The text that begins there: the entry or the caption.",
      "quads": "Its lines; empty if the positions of the characters are unknown.",
      "link": "The stable link of the page.",
    ]
  }

  struct Result: Payload {
    var kind: TextReference.Kind?
    var text: String?
    var items: [Target]
    static let example = Result(kind: .citation, text: "[12]", items: [.example])
    static let fields = [
      "kind": "What it refers to; absent if there is no reference.", "text": "The reference; absent if there is none.",
      "items": "The targets, most likely first; empty if none was found.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    _ = try StoredPage.get(params.page, of: document, in: snapshot)
    var reference: TextReference?
    var source: [Unicode.Scalar]
    var ownPlace: Int?
    if let point = params.point {
      let rows = PageRows(PageLayout(try snapshot.requireText(of: params.page, in: document)))
      source = rows.layout.scalars
      ownPlace = rows.end(at: Point(point)).flatMap(\.first)
      reference = ownPlace.flatMap { TextReference(in: source, at: $0) }
    } else {
      source = Array((params.text ?? "").unicodeScalars)
      reference = TextReference(in: source, at: nil)
    }
    guard let reference else { return Result(kind: nil, text: nil, items: []) }
    let search = ReferenceSearch(
      reference, from: params.page, except: ownPlace.map { (params.page, $0) }, of: document, in: snapshot)
    let targets = try search.targets(limit: params.limit ?? 3)
    return Result(
      kind: reference.kind,
      text: String(scalars: source[reference.range]).replacing("\n", with: " "),
      items: targets.map { target in
        Target(
          page: target.page, label: pageLabel(page: target.page, of: document.pageCount), text: target.text,
          quads: target.quads, link: DocumentLink(params.id, .page(target.page)).text)
      })
  }
}

/// The search for the target of a reference in the text of a document.
struct ReferenceSearch {
  struct Target {
    var page: Int
    var text: String
    var quads: [[Double]]
    var likelihood: Double
  }

  private let reference: TextReference
  private let page: Int
  /// The place of the reference itself, which is no target.
  private let own: (page: Int, place: Int)?
  private let document: DocumentRecord
  private let snapshot: Snapshot

  init(
    _ reference: TextReference, from page: Int, except own: (page: Int, place: Int)?, of document: DocumentRecord,
    in snapshot: Snapshot
  ) {
    (self.reference, self.page, self.own) = (reference, page, own)
    (self.document, self.snapshot) = (document, snapshot)
  }

  /// Most likely first; of equal ones the nearest, and of the literature the last.
  ///
  /// - Throws: `DatabaseError`, `StoreError`.
  func targets(limit: Int) throws -> [Target] {
    var targets: [Target] = []
    var isInList = false
    for page in 0..<document.pageCount {
      guard let text = try text(of: page, isInList: isInList) else { continue }
      targets += self.targets(on: page, PageLayout(text), &isInList)
      // Pages of nothing but matching lines are no literature.
      if targets.count > 10_000 { break }
    }
    let sorted = targets.sorted { left, right in
      if left.likelihood != right.likelihood { return left.likelihood > right.likelihood }
      return reference.kind == .citation
        ? left.page > right.page : abs(left.page - page) < abs(right.page - page)
    }
    return Array(sorted.prefix(limit))
  }

  /// The text of a page that may have the target, or the heading of the literature.
  private func text(of page: Int, isInList: Bool) throws -> PageText? {
    guard document.keepsText else { return try snapshot.text(of: page, in: document) }
    let mayHave = try PageTextCoding.read(page, of: document.hash, in: snapshot) { stored in
      let bytes = UnsafeRawBufferPointer(stored.text)
      let wanted = reference.kind == .citation && !isInList ? [reference.marker] + Self.headings : [reference.marker]
      return wanted.contains { text in
        Array(text.utf8).withUnsafeBytes { firstPlace(of: $0, in: bytes) } != nil
      }
    }
    return mayHave == true ? try snapshot.text(of: page, in: document) : nil
  }

  private static let headings = [
    "References", "REFERENCES", "Bibliography", "BIBLIOGRAPHY", "Literature", "Literatur", "참고문헌", "参考文献", "參考文獻",
  ]

  private func targets(on page: Int, _ layout: PageLayout, _ isInList: inout Bool) -> [Target] {
    let lines = layout.lines.map { layout.string(layout.trimmed($0)) }
    return lines.indices.compactMap { index in
      let title = lines[index].drop { $0.isNumber || $0 == "." || $0.isWhitespace }
      if Self.headings.contains(String(title)) { isInList = true }
      if let own, own.page == page, layout.lines[index].contains(own.place) { return nil }
      let likelihood = reference.likelihood(
        lines[index], following: lines[(index + 1)...], isInList: isInList)
      guard let likelihood else { return nil }
      let end = end(of: index, in: lines)
      let range = layout.lines[index].lowerBound..<layout.lines[end - 1].upperBound
      return Target(
        page: page, text: lines[index..<end].joined(separator: "\n"), quads: layout.quads(of: range),
        likelihood: likelihood)
    }
  }

  /// The most lines of a target.
  private static let mostLines = 5

  /// The line after the target: an entry ends where the next begins, a section is its heading.
  private func end(of index: Int, in lines: [String]) -> Int {
    let most = min(lines.count, index + Self.mostLines)
    switch reference.kind {
    case .section, .equation: return index + 1
    case .citation where !reference.isByYear:
      return (index + 1..<most).first { lines[$0].prefixMatch(of: /\[[0-9]+\]|[0-9]+\.\s/) != nil } ?? most
    case .citation:
      return (index + 1..<most).first { end in
        lines[end - 1].hasSuffix(".") && lines[index..<end].contains { $0.contains(reference.number) }
      } ?? most
    case .figure, .table, .theorem:
      return (index + 1..<most).first { lines[$0 - 1].hasSuffix(".") } ?? most
    }
  }
}
