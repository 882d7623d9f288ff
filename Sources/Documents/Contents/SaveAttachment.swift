import Contract
import Exchange
import Glibc
import Kit
import PDF
import Store
import Wire

enum SaveAttachment: ExternalReadMethod {
  static let name = "documents/saveAttachment"
  static let summary = "Writes an embedded file of a document to a given path."
  static let effects: Effects = [.reads, .files]
  static let paramEffects: [String: Effects] = ["overwrite": .destroys]
  static let doing = Text("doing.saveAttachment")
  static let errors: [ErrorKind] = [
    .elsewhere, .noFile, .notFound, .exists, .notAllowed, .diskFull, .tooLarge, .passwordRequired, .workerCrashed,
    .sandboxUnavailable,
    .timedOut, .corrupt,
  ]

  struct Params: Payload {
    var id: DocumentID
    var attachment: Int
    var path: String
    var overwrite: Bool?
    var password: String?
    static let example = Params(
      id: "0192", attachment: 0, path: "/home/ann/figures.csv", overwrite: nil, password: nil)
    static let fields = [
      "id": "The document.", "attachment": "Its `index` in `documents/attachments`.",
      "path": "An absolute path with the new file name; the name in the document is never used.",
      "overwrite": "Whether to replace an existing file. Default false. Symbolic links are not followed.",
      "password": "The password of a protected document; stored in memory only.",
    ]
    static let limits: [String: FieldLimits] = ["attachment": .atLeast(0), "path": .form(.absolutePath)]
    static let secrets: Set<String> = ["password"]
  }

  struct Result: Payload {
    var path: String
    var size: Int64
    var hash: String
    static let example = Result(
      path: "/home/ann/figures.csv", size: 5_120, hash: String(repeating: "0", count: 64))
    static let fields = [
      "path": "The path of the file.", "size": "Its size in bytes.", "hash": "SHA-256 of the bytes.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Plan: Sendable {
    var said: ContentsPlan
    var params: Params
  }
  typealias Fetched = Result

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    Plan(
      said: try ContentsPlan(.attachments, of: params.id.text, password: params.password, in: snapshot), params: params)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    let index = plan.params.attachment
    let files = try await ListAttachments.fetch(plan.said, with: services, progress: progress).files
    guard files.indices.contains(index) else {
      throw RPCError.invalidParams(
        field: "attachment", reason: Text("documents.noAttachment", ["count": String(files.count)]))
    }
    // Into a file of ours first: a worker keeps it open, and must not have a descriptor of the file that the client
    // will read.
    let (source, _) = try await plan.said.source(with: services)
    let received = services.folder.parts + "/" + services.newID() + ".tmp"
    defer { unlink(received) }
    do {
      _ = try await services.workers.save(embeddedFile: index, of: source, into: received)
    } catch {
      throw RPCError(error, source: plan.said.document.title)
    }
    let export = FileExport(
      to: plan.params.path, overwrite: plan.params.overwrite ?? false, services: services)
    do {
      return try await onThread { _ in
        let source = try GivenFile(opening: received, limit: HostileInput.largestFile)
        let blob = try Blobs.hash(descriptor: source.descriptor, path: received)
        try export.writeFile { file in try source.forEachPart { try file.write($0) } }
        return Result(path: export.path, size: blob.size, hash: blob.hash)
      }
    } catch let failure as FileFailure {
      throw RPCError(writing: failure)
    }
  }

  static func finish(_ result: Result, of plan: Plan, in snapshot: Snapshot) throws -> Result { result }
}
