import Contract
import Exchange
import Kit
import Store
import Wire

enum AddFile: ExternalWriteMethod {
  static let name = "files/add"
  static let summary =
    "Stores a photo or another file, so that texts can show it by its `markdown`. If the bytes already exist, returns "
    + "that file."
  static let effects: Effects = [.writes, .files]
  static let doing = Text("doing.addFile")
  static let errors = GivenBytes.errors

  struct Params: Payload {
    var path: String?
    var data: String?
    var name: String?
    static let example = Params(path: "/home/ann/walk.jpg", data: nil, name: nil)
    static let fields = GivenBytes.fields
    static let limits = GivenBytes.limits
    static let exactlyOne = GivenBytes.exactlyOne
  }
  typealias Result = File

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> GivenBytes {
    GivenBytes(path: params.path, data: params.data, name: params.name)
  }

  static func fetch(_ given: GivenBytes, with services: Services, progress: Progress) async throws -> StoredBytes {
    try await given.stored(with: services)
  }

  static func finish(_ stored: StoredBytes, of given: GivenBytes, in transaction: Transaction) throws -> File {
    let (file, isNew) = try stored.record(in: transaction)
    if !isNew { transaction.keepSilent() }
    return try File(file, in: transaction.snapshot)
  }
}
