import Contract
import Exchange
import Kit
import Store
import Wire

enum ShowContent: ExternalReadMethod {
  static let name = "files/content"
  static let summary = "The bytes of a file, as a file of the library or in the reply."
  static let effects: Effects = [.reads, .files]
  static let doing = Text("doing.showFile")
  static let errors: [ErrorKind] = [.elsewhere, .notFound, .tooLarge]

  struct Params: Payload {
    var id: ItemID
    var inline: Bool?
    static let example = Params(id: ItemID(unchecked: ShownFile.example.id), inline: nil)
    static let fields = [
      "id": "The file.",
      "inline": "Also returns the bytes in base64, at most 12 MiB, for clients without a common file system.",
    ]
  }

  struct Result: Payload {
    var path: String
    var name: String
    var mediaType: String
    var size: Int64
    var data: String?
    static let example = Result(
      path: "/home/ann/library/blobs/0f/0f34", name: "walk.jpg", mediaType: "image/jpeg", size: 2_400_000, data: nil)
    static let fields = [
      "path": "The path of the bytes, which must not be changed.", "name": "Its name.", "mediaType": "Its media type.",
      "size": "Its size in bytes.", "data": "The bytes in base64, with `inline`.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Plan: Sendable {
    var file: FileRecord
    var path: String
    var inline: Bool
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let file = try snapshot.get(FileRecord.self, id: params.id.text)
    try snapshot.requireFile(file.hash)
    return Plan(file: file, path: try snapshot.services.blobs.path(named: file.hash), inline: params.inline == true)
  }

  static func known(_ plan: Plan, in snapshot: Snapshot) throws -> String?? { plan.inline ? nil : .some(nil) }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> String? {
    plan.inline ? try await InlineBytes.base64(of: plan.path, progress) : nil
  }

  static func finish(_ data: String?, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    let file = plan.file
    return Result(path: plan.path, name: file.name, mediaType: file.mediaType, size: file.size, data: data)
  }
}
