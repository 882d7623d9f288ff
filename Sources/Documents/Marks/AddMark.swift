import Contract
import Kit
import PDF
import Store
import Wire

/// Marks a place of a page rather than its text: a note at a point, an area with its picture, a drawing.
///
///     fetch    the text of the page, if it is not available yet ─► the area's picture, as a blob
///     finish   the mark with its anchor: the text in it or beside it, else its page
enum AddMark: ExternalWriteMethod {
  static let name = "documents/addMark"
  static let summary =
    "Marks a place of a page: a note at a `point`, an `area` with its picture, or a drawing of `strokes`. Text is marked "
    + "by `documents/addHighlight`."
  static let effects: Effects = [.reads, .writes]
  static let doing = Text("doing.addMark")
  static let errors: [ErrorKind] = [
    .elsewhere, .noFile, .notFound, .exists, .conflict, .passwordRequired, .workerCrashed, .sandboxUnavailable,
    .timedOut,
    .corrupt, .busy,
    .diskFull,
  ]

  struct Params: Payload {
    var id: DocumentID
    var page: Int
    var point: MarkedText.Point?
    var area: RenderPage.Area?
    var strokes: [[Double]]?
    var color: String?
    var note: String?
    var highlight: HighlightID?

    static let example = Params(
      id: "0192", page: 2, point: MarkedText.Point(x: 72, y: 96), area: nil, strokes: nil, color: "#ffd60a",
      note: "Compare chapter 3.", highlight: nil)
    static let fields = [
      "id": "The document.", "page": "The page, from 0.",
      "point": "Where a note is put: its upper left corner.",
      "area": "A part of the page as displayed, such as a figure; its picture is stored.",
      "strokes":
        "The lines of a drawing: `[x1,y1,x2,y2,…]` each, in points from the top left of the page as displayed.",
      "color": "`#rrggbb`. Default `#ffd60a`.", "note": "The user's note.",
      "highlight": "An id chosen by the client for the new mark.",
    ]
    static let exactlyOne = [["point", "area", "strokes"]]
    static let limits = HighlightRecord.fields.limits("color", "note")
      .merging(["page": .atLeast(0), "strokes": .length(1...HostileInput.mostStrokes)]) { $1 }
  }
  typealias Result = Highlight

  struct Plan: Sendable {
    var params: Params
    var document: DocumentRecord
    var shape: PageShape
    var kind: ImportedMark.Kind
    var hasText: Bool
    /// Nil for a mark without a picture.
    var picture: PictureRequest?
    var password: Password
  }

  /// The area's picture.
  typealias Fetched = Blobs.Blob?

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    let page = try StoredPage.get(params.page, of: document, in: snapshot)
    let (kind, shape) = try shape(params, on: page)
    // A picture that may not be stored on disk is rendered from the document whenever it is shown.
    let storesPicture = kind == .area && document.keepsText
    return Plan(
      params: params, document: document, shape: shape, kind: kind,
      hasText: try snapshot.text(of: params.page, in: document) != nil,
      picture: storesPicture ? MarkPicture.request(of: shape.box, on: page) : nil,
      password: snapshot.password(for: document, given: nil))
  }

  private static func shape(_ params: Params, on page: StoredPage) throws -> (ImportedMark.Kind, PageShape) {
    guard !page.isBroken else {
      throw RPCError(.corrupt, text: Text("documents.pageUnavailable", ["page": String(page.page + 1)]))
    }
    if let point = params.point {
      guard (0...page.width).contains(point.x), (0...page.height).contains(point.y) else {
        throw RPCError.invalidParams(field: "point", reason: Text("documents.besidePage"))
      }
      return (.note, PageShape(note(at: point, on: page)))
    }
    if let area = params.area {
      let box = Box(
        left: max(0, area.x), top: max(0, area.y), right: min(page.width, area.x + area.width),
        bottom: min(page.height, area.y + area.height))
      guard box.width > 0, box.height > 0 else {
        throw RPCError.invalidParams(field: "area", reason: Text("documents.besidePage"))
      }
      return (.area, PageShape(box))
    }
    let strokes = params.strokes ?? []
    let count = strokes.reduce(0) { $0 + $1.count }
    guard count <= HostileInput.mostStrokeCoordinates,
      strokes.allSatisfy({ $0.count >= 2 && $0.count.isMultiple(of: 2) && $0.allSatisfy { abs($0) < 1e6 } })
    else {
      let limit = String(HostileInput.mostStrokeCoordinates / 2)
      throw RPCError.invalidParams(field: "strokes", reason: Text("documents.badStrokes", ["limit": limit]))
    }
    let ink = InkStrokes(strokes, on: page)
    guard let box = ink.box else { throw RPCError.invalidParams(field: "strokes", reason: Text("param.missing")) }
    return (.ink, PageShape(box, strokes: ink.lines))
  }

  /// The side of a note's sign, in points.
  private static let noteSide = 20.0

  /// The box of a note's sign, wholly on the page if the page is large enough.
  static func note(at point: MarkedText.Point, on page: StoredPage) -> Box {
    let side = min(noteSide, page.width, page.height)
    let (left, top) = (min(point.x, page.width - side), min(point.y, page.height - side))
    return Box(left: left, top: top, right: left + side, bottom: top + side)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Blobs.Blob? {
    let document = plan.document
    if !plan.hasText, document.keepsText {
      do {
        _ = try await PageTextSource(
          document: document, page: plan.params.page, stored: nil, password: plan.password
        ).fetch(with: services)
      } catch let error as RPCError where error.kind != nil && error.kind != .passwordRequired {
        services.log("a mark on page \(plan.params.page) of \(document.hash.prefix(8)) has no text: \(error)")
      }
    }
    guard let picture = plan.picture else { return nil }
    return try await MarkPicture.draw(picture, of: document, opening: plan.password, with: services)
  }

  static func finish(_ picture: Blobs.Blob?, of plan: Plan, in transaction: Transaction) throws -> Highlight {
    let snapshot = transaction.snapshot
    let document = try snapshot.get(DocumentRecord.self, id: plan.document.id)
    let id = plan.params.highlight?.text ?? transaction.services.newID()
    if let known = try snapshot.find(HighlightRecord.self, id: id) {
      guard known.document == document.id, known.page == plan.params.page else {
        throw RPCError(.exists, text: Text("documents.highlightTaken", ["id": id]))
      }
      return try Highlight(known, of: document, in: snapshot)
    }
    // It got other bytes while the worker rendered, whose pages may be others.
    guard document.hash == plan.document.hash else {
      throw RPCError(.conflict, data: ["collection": .string(DocumentRecord.collectionName), "current": .null])
    }
    if let picture { try transaction.keep(picture) }
    let page = try StoredPage.get(plan.params.page, of: document, in: transaction.snapshot)
    let layout = try snapshot.text(of: page.page, in: document).map { PageLayout($0) }
    let (shape, anchor) = try plan.shape.anchored(in: layout, page: page, of: document, snapshot: snapshot)
    let record = try transaction.insert(
      HighlightRecord(
        id: id, document: document.id, page: page.page, color: plan.params.color ?? HighlightRecord.defaultColor,
        note: plan.params.note, kind: plan.kind, anchor: try StoredJSON(anchor), shape: shape, picture: picture?.hash))
    return try Highlight(record, of: document, in: snapshot)
  }
}
