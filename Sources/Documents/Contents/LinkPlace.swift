import Contract
import Display
import PDF
import SQLite
import Store

/// The target of a link or a heading, for clients.
struct LinkPlace: Payload {
  enum Kind: String, Choice {
    case page, uri, file, launch, action, broken, other, none
  }

  var kind: Kind
  var page: Int?
  var label: String?
  var x: Double?
  var y: Double?
  var zoom: Double?
  var uri: String?
  var name: String?

  static let example = LinkPlace(
    kind: .page, page: 4, label: "5 / 12", x: nil, y: 96.5, zoom: nil, uri: nil, name: nil)
  static let terms = ["label": "pageLabel"]
  static let fields = [
    "kind":
      "`page`: a place in this document; `uri`; `file`: another file; `launch`: a program; `action`: such as "
      + "`NextPage`; `broken`: a place missing in the document; `other`: a link that cannot be followed; `none`.",
    "page": "The page, from 0.", "label": "The page number from 1, and the number of pages.",
    "x": "Points from the left of the page as displayed, if the file states it.",
    "y": "Points from the top of the page, if the file states it.",
    "zoom": "The zoom factor; 1 is the page's own size.",
    "uri": "An external address, unverified.",
    "name": "The name of the file, program, action or missing place, as in the document.",
  ]
}

/// Converts places of files into places of displayed pages. Each page is looked up once.
struct LinkPlaces {
  private let document: DocumentRecord
  private let db: Database
  private var pages: [Int: StoredPage] = [:]

  init(of document: DocumentRecord, in snapshot: Snapshot) {
    self.document = document
    db = snapshot.db
  }

  mutating func place(_ target: LinkTarget) throws -> LinkPlace {
    var place = LinkPlace(
      kind: .none, page: nil, label: nil, x: nil, y: nil, zoom: nil, uri: nil, name: nil)
    switch target.kind {
    case .page:
      guard let number = target.page, let page = try page(number) else {
        place.kind = .broken
        return place
      }
      place.kind = .page
      place.page = number
      place.label = pageLabel(page: number, of: document.pageCount)
      let shown = page.shown(x: target.x, y: target.y)
      // Many targets are some points above their page.
      place.x = shown.x.map { max(0, min(page.width, $0)).rounded(toPlaces: 2) }
      place.y = shown.y.map { max(0, min(page.height, $0)).rounded(toPlaces: 2) }
      place.zoom = target.zoom?.rounded(toPlaces: 3)
      return place
    case .uri:
      place.kind = .uri
      place.uri = target.text
      return place
    case .file:
      place.kind = .file
      place.page = target.page
    case .launch: place.kind = .launch
    case .action: place.kind = .action
    case .broken: place.kind = .broken
    case .other: place.kind = .other
    case .nowhere: break
    }
    place.name = target.text
    return place
  }

  private mutating func page(_ number: Int) throws -> StoredPage? {
    if let page = pages[number] { return page }
    let page = try StoredPage.find(number, of: document.hash, in: db)
    pages[number] = page
    return page
  }
}

extension StoredPage {
  /// A point of the unrotated page, from the lower left corner of its crop box, on the displayed page from its top
  /// left corner. A coordinate may be unknown; on a page rotated by 90° the other one is unknown then.
  func shown(x: Double?, y: Double?) -> (x: Double?, y: Double?) {
    // The sides of the page before its rotation.
    let (cropWidth, cropHeight) = rotation % 180 == 0 ? (width, height) : (height, width)
    return switch rotation {
    case 90: (y, x)
    case 180: (x.map { cropWidth - $0 }, y)
    case 270: (y.map { cropHeight - $0 }, x.map { cropWidth - $0 })
    default: (x, y.map { cropHeight - $0 })
    }
  }

  func shown(_ point: Point) -> Point {
    let shown = shown(x: point.x, y: point.y)
    return Point(x: shown.x ?? 0, y: shown.y ?? 0)
  }
}

extension Double {
  /// Removes the rounding errors of the arithmetic.
  func rounded(toPlaces places: Int) -> Double {
    let factor = places == 2 ? 100.0 : 1_000
    return (self * factor).rounded() / factor
  }
}
