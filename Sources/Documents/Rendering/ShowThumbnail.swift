import Contract
import Exchange
import Kit
import PDF
import Store
import Wire

enum ShowThumbnail: ExternalReadMethod {
  static let name = "documents/thumbnail"
  static let summary =
    "A thumbnail of the first page, without highlights: a PNG whose longer side has 256 pixels. It is cached by the "
    + "document's `hash` and rendered again if missing."
  static let effects: Effects = [.reads, .files]
  static let errors = RenderPage.errors
  static let doing = Text("doing.drawPage")

  struct Params: Payload {
    var id: DocumentID
    var inline: Bool?
    var password: String?
    static let example = Params(id: "0192", inline: nil, password: nil)
    static let fields = [
      "id": "The document.", "inline": "Also returns the bytes in base64, for clients without a common file system.",
      "password": "The password of a protected document; stored in memory only.",
    ]
    static let secrets: Set<String> = ["password"]
  }

  struct Result: Payload {
    var path: String
    var width: Int
    var height: Int
    var size: Int64
    var data: String?
    static let example = Result(
      path: "/home/ann/.cache/commonplace/thumbnails/0f/0f-181-256.png", width: 181, height: 256, size: 14_000,
      data: nil)
    static let fields = [
      "path":
        "The image file. It stays at least 60 s, and as long as all thumbnails together take less than 64 MiB; that of "
        + "a protected document stays as an image of `documents/render` does.",
      "width": "Width in pixels.", "height": "Height in pixels.", "size": "The file's size in bytes.",
      "data": "The file in base64, with `inline`.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Plan: Sendable {
    var document: DocumentRecord
    var page: StoredPage
    var password: Password
    var inline: Bool
    var client: String
  }

  typealias Fetched = RenderPage.Fetched

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    // A list of documents does not open them.
    try document.requireFile(in: snapshot, fetching: false)
    return Plan(
      document: document, page: try StoredPage.get(0, of: document, in: snapshot),
      password: snapshot.password(for: document, given: params.password), inline: params.inline ?? false,
      client: snapshot.caller.connectionID)
  }

  static func known(_ plan: Plan, in snapshot: Snapshot) throws -> Fetched? {
    guard !plan.inline, !plan.document.isProtected else { return nil }
    let services = snapshot.services
    return services.thumbnails.known(plan.document.hash, by: plan.client, with: services).map {
      Fetched(picture: $0)
    }
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    do {
      let request = try Thumbnails.request(for: plan.page)
      // Protected documents are rendered as any page of them.
      let picture =
        plan.document.isProtected
        ? try await protectedPicture(plan, request, with: services)
        : try await services.thumbnails.picture(of: plan.document.hash, request, for: plan.client, with: services)
      guard plan.inline else { return Fetched(picture: picture) }
      return Fetched(picture: picture, data: try await InlineBytes.base64(of: picture.path, progress))
    } catch let failure as WorkerFailure {
      throw RPCError(failure, source: plan.document.title)
    }
  }

  private static func protectedPicture(
    _ plan: Plan, _ request: PictureRequest, with services: Services
  ) async throws -> PictureFile {
    let password = try await services.complete(plan.password, of: plan.document)
    let drawn = RenderPage.Plan(
      document: plan.document, picture: request, pixels: try request.pixelCount(on: plan.page), hasMarks: false,
      password: password, inline: false, client: plan.client)
    let picture = try await services.pictures.picture(drawn, with: services)
    services.unlock(plan.document, with: password)
    return picture
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    let picture = fetched.picture
    return Result(
      path: picture.path, width: picture.width, height: picture.height, size: picture.size, data: fetched.data)
  }
}
