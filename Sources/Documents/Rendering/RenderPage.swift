import Contract
import Exchange
import Kit
import PDF
import Store
import Wire

enum RenderPage: ExternalReadMethod {
  static let name = "documents/render"
  static let summary =
    "Renders a page, or a part of it, with its highlights, to a file. While the daemon is idle, the next and previous "
    + "pages are rendered the same way in advance."
  static let effects: Effects = [.reads, .files]
  static let errors: [ErrorKind] = [
    .elsewhere, .noFile, .notFound, .passwordRequired, .workerCrashed, .timedOut, .corrupt, .tooLarge, .diskFull,
    .sandboxUnavailable, .busy,
    .superseded,
  ]
  static let doing = Text("doing.drawPage")

  enum Format: String, Choice {
    case png, raw
  }

  struct Area: Payload {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    static let example = Area(x: 0, y: 0, width: 300, height: 200)
    static let fields = [
      "x": "Points from the left.", "y": "Points from the top.", "width": "Width in points.",
      "height": "Height in points.",
    ]
    static let limits: [String: FieldLimits] = [
      "x": .range(-1e6...1e6), "y": .range(-1e6...1e6), "width": .range(0.01...1e6), "height": .range(0.01...1e6),
    ]
  }

  struct Params: Payload {
    var id: DocumentID
    var page: Int
    var width: Int?
    var scale: Double?
    var region: Area?
    var marks: Bool?
    var format: Format?
    var inline: Bool?
    var password: String?
    static let example = Params(
      id: "0192", page: 2, width: 1_000, scale: nil, region: nil, marks: true, format: .png, inline: nil, password: nil)
    static let fields = [
      "id": "The document.", "page": "The page, from 0.", "width": "The image's width in pixels; the height follows.",
      "scale": "Pixels per point, instead of `width`.", "region": "Only this part of the page as displayed.",
      "marks": "Whether highlights are rendered. Default true.",
      "format":
        "`png` (default), or `raw`: rows of four bytes per pixel, blue, green, red, 255, in memory-backed storage.",
      "inline": "Also returns the bytes in base64, for clients without a common file system.",
      "password": "The password of a protected document; stored in memory only.",
    ]
    static let exactlyOne = [["width", "scale"]]
    static let limits: [String: FieldLimits] = [
      "page": .atLeast(0), "width": .range(1...32_766), "scale": .range(0.001...1_000),
    ]
    static let secrets: Set<String> = ["password"]
  }

  struct Result: Payload {
    var path: String
    var width: Int
    var height: Int
    var format: Format
    var stride: Int?
    var size: Int64
    var data: String?
    static let example = Result(
      path: "/home/ann/.cache/commonplace/pictures/0f.png", width: 1_000, height: 1_414, format: .png, stride: nil,
      size: 343_000, data: nil)
    static let fields = [
      "path":
        "The image file; it stays for 60 s, and as long as this client is connected and has not requested 1 GiB more.",
      "width": "Width in pixels.",
      "height": "Height in pixels.", "format": "The image's format.", "stride": "For `raw`: bytes from row to row.",
      "size": "The file's size in bytes.", "data": "The file in base64, with `inline`.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Plan: Sendable {
    var document: DocumentRecord
    var picture: PictureRequest
    /// The picture's number of pixels.
    var pixels: Int
    /// Whether highlights are rendered.
    var hasMarks: Bool
    var password: Password
    var inline: Bool
    var client: String
  }

  struct Fetched: Sendable {
    var picture: PictureFile
    var data: String?
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    let page = try StoredPage.get(params.page, of: document, in: snapshot)
    let hasMarks = params.marks ?? true
    let marks =
      hasMarks ? try HighlightRecord.all(of: document.id, page: params.page, in: snapshot).marks : []
    let picture = PictureRequest(
      page: params.page, size: params.width.map { .width($0) } ?? .scale(params.scale ?? 1),
      region: params.region.map { Region(x: $0.x, y: $0.y, width: $0.width, height: $0.height) }, marks: marks,
      format: params.format == .raw ? .raw : .png)
    let pixels: Int
    do {
      pixels = try picture.pixelCount(on: page)
    } catch {
      throw RPCError(error, source: document.title)
    }
    return Plan(
      document: document, picture: picture, pixels: pixels, hasMarks: hasMarks,
      password: snapshot.password(for: document, given: params.password),
      inline: params.inline ?? false, client: snapshot.caller.connectionID)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    var plan = plan
    plan.password = try await services.complete(plan.password, of: plan.document)
    do {
      let picture = try await services.pictures.picture(plan, with: services)
      services.unlock(plan.document, with: plan.password)
      plan.password.isProven = true
      services.pictures.drawAhead(of: plan, with: services)
      guard plan.inline else { return Fetched(picture: picture) }
      return Fetched(picture: picture, data: try await InlineBytes.base64(of: picture.path, progress))
    } catch let failure as WorkerFailure {
      throw RPCError(failure, source: plan.document.title)
    }
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    let picture = fetched.picture
    let isRaw = plan.picture.format == .raw
    return Result(
      path: picture.path, width: picture.width, height: picture.height, format: isRaw ? .raw : .png,
      stride: isRaw ? picture.width * 4 : nil, size: picture.size, data: fetched.data)
  }
}

extension RenderPage.Plan {
  /// The same plan for another page, as the library has it now; nil if there is no such page to render ahead.
  func turned(to page: Int, with services: Services) async throws -> RenderPage.Plan? {
    guard page >= 0, page < document.pageCount else { return nil }
    let turned = try await services.library.read(as: DaemonCaller()) { snapshot -> RenderPage.Plan? in
      guard let document = try snapshot.find(DocumentRecord.self, id: document.id), document.hash == self.document.hash,
        let stored = try StoredPage.find(page, of: document.hash, in: snapshot.db), !stored.isBroken
      else { return nil }
      var plan = self
      plan.picture.page = page
      plan.picture.marks =
        hasMarks ? try HighlightRecord.all(of: document.id, page: page, in: snapshot).marks : []
      plan.pixels = try plan.picture.pixelCount(on: stored)
      return plan
    }
    guard let turned, turned.pixels <= RenderPage.mostPixelsAhead else { return nil }
    return turned
  }
}

extension RenderPage {
  /// 32 MB of `raw`: twice a screen of 4K.
  fileprivate static let mostPixelsAhead = 8_000_000
}

extension PictureRequest {
  /// The number of pixels of this page's picture.
  func pixelCount(on page: StoredPage) throws(WorkerFailure) -> Int {
    guard !page.isBroken else { throw .pageUnavailable(page: page.page) }
    let whole = Region(x: 0, y: 0, width: page.width, height: page.height)
    let (width, height, _) = try pixels(of: region ?? whole)
    return width * height
  }
}
