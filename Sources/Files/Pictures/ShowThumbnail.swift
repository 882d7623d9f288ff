import Contract
import Exchange
import Kit
import PDF
import Store
import Wire

enum ShowThumbnail: ExternalReadMethod {
  static let name = "files/thumbnail"
  static let summary =
    "A small picture of a photo, or of the first page of a PDF: a PNG. A moving or compact picture that is small "
    + "anyway is returned as it is; a file without a picture has a `placeholder`."
  static let effects: Effects = [.reads, .files]
  static let errors: [ErrorKind] = [.elsewhere, .notFound, .diskFull, .readOnly, .busy]
  static let doing = Text("doing.drawPage")

  enum Size: String, Choice {
    case small, large

    /// The longer side, in pixels.
    var side: Int { self == .small ? 256 : 1_024 }
  }

  struct Params: Payload {
    var id: ItemID
    var size: Size?
    var inline: Bool?
    static let example = Params(id: ItemID(unchecked: ShownFile.example.id), size: .small, inline: nil)
    static let fields = [
      "id": "The file.", "size": "The longer side: `small` has 256 pixels (default), `large` 1,024.",
      "inline": "Also returns the bytes in base64, for clients without a common file system.",
    ]
  }

  struct Result: Payload {
    var path: String?
    var width: Int?
    var height: Int?
    var size: Int64?
    var data: String?
    var placeholder: Bool
    static let example = Result(
      path: "/home/ann/.cache/commonplace/files/0f/0f34-256.png", width: 256, height: 192, size: 14_000, data: nil,
      placeholder: false)
    static let fields = [
      "path": "The image file. It stays for a minute, and while its client is connected.",
      "width": "Width in pixels.", "height": "Height in pixels.", "size": "The image's size in bytes.",
      "data": "The image in base64, with `inline`.",
      "placeholder": "Whether there is no image, and the front end should show its own.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Plan: Sendable {
    var file: FileRecord
    var size: Size
    var inline: Bool
    var client: String
  }

  struct Fetched: Sendable {
    var picture: PictureFile?
    var data: String?
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let file = try snapshot.get(FileRecord.self, id: params.id.text)
    try snapshot.requireFile(file.hash)
    return Plan(
      file: file, size: params.size ?? .small,
      inline: params.inline == true, client: snapshot.caller.connectionID)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    let picture = try await services.filePictures.picture(
      of: plan.file, side: plan.size.side, for: plan.client, with: services)
    guard let picture, plan.inline else { return Fetched(picture: picture) }
    return Fetched(picture: picture, data: try await InlineBytes.base64(of: picture.path, progress))
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    let picture = fetched.picture
    return Result(
      path: picture?.path, width: picture?.width, height: picture?.height, size: picture?.size, data: fetched.data,
      placeholder: picture == nil)
  }
}
