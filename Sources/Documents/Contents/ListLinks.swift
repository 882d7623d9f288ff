import Contract
import Kit
import PDF
import Store
import Wire

enum ListLinks: ExternalReadMethod {
  static let name = "documents/links"
  static let summary = "The links of a page, with their positions and targets, inside and outside the document."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [
    .elsewhere, .noFile, .notFound, .passwordRequired, .workerCrashed, .sandboxUnavailable, .timedOut, .corrupt,
  ]
  static let doing = Text("doing.readDocument")

  struct Params: Payload {
    var id: DocumentID
    var page: Int
    var password: String?
    static let example = Params(id: "0192", page: 2, password: nil)
    static let fields = [
      "id": "The document.", "page": "The page, from 0.",
      "password": "The password of a protected document; stored in memory only.",
    ]
    static let limits: [String: FieldLimits] = ["page": .atLeast(0)]
    static let secrets: Set<String> = ["password"]
  }

  struct LinkedArea: Payload {
    var quad: [Double]
    var target: LinkPlace
    static let example = LinkedArea(quad: [72, 90, 96, 90, 96, 102, 72, 102], target: .example)
    static let fields = [
      "quad": "Its position on the page, in points from the top left.", "target": "Its target.",
    ]
  }

  struct Result: Payload {
    var page: Int
    var items: [LinkedArea]
    static let example = Result(page: 2, items: [.example])
    static let fields = ["page": "The page, from 0.", "items": "The links, in the file's order; at most 10,000."]
  }

  typealias Plan = ContentsPlan
  typealias Fetched = [PageLink]

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> ContentsPlan {
    let plan = try ContentsPlan(
      .links, of: params.id.text, page: params.page, password: params.password, in: snapshot)
    _ = try StoredPage.get(params.page, of: plan.document, in: snapshot)
    return plan
  }

  static func fetch(_ plan: ContentsPlan, with services: Services, progress: Progress) async throws -> [PageLink] {
    let pages = plan.page..<plan.page + 1
    return try await plan.answer(
      with: services, read: { try HostileInput.links($0, of: pages).first ?? [] }, write: { $0.write($1) },
      ask: { try await $0.links($1, pages: pages).first ?? [] })
  }

  static func finish(_ links: [PageLink], of plan: ContentsPlan, in snapshot: Snapshot) throws -> Result {
    var places = LinkPlaces(of: plan.document, in: snapshot)
    return Result(
      page: plan.page,
      items: try links.map { link in
        LinkedArea(quad: Box(link.area).quad, target: try places.place(link.target))
      })
  }
}

extension Box {
  init(_ region: Region) {
    self.init(left: region.x, top: region.y, right: region.x + region.width, bottom: region.y + region.height)
  }
}
