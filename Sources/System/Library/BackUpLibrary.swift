import Contract
import Kit
import Store
import Wire

enum BackUpLibrary: ExternalReadMethod {
  static let name = "library/backup"
  static let summary =
    "Copies the library into a new folder and verifies the copy: opens it, checks it, hashes every blob."
  static let effects: Effects = [.reads, .files]
  static let doing = Text("doing.backUpLibrary")
  static let errors: [ErrorKind] = [.exists, .corrupt, .diskFull, .readOnly]

  struct Params: Payload {
    var path: String
    var linked: Bool?
    static let example = Params(path: "/home/ann/backup-2026-11-21", linked: nil)
    static let fields = [
      "path": "An absolute path that does not exist yet.",
      "linked":
        "Whether the user's own files to which documents are linked are copied too, as the library's. Default false: "
        + "the copy has the links.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Result: Payload {
    var path: String
    var epoch: String
    var items: Int
    var blobs: Int
    var linked: Int?
    var bytes: Int64
    static let example = Result(
      path: "/home/ann/backup-2026-11-21", epoch: "0191", items: 12, blobs: 1, linked: nil, bytes: 400_000)
    static let fields = [
      "path": "The path of the copy.", "epoch": "The copy's own epoch.", "items": "The number of items.",
      "blobs": "The number of files, all of them hashed.",
      "linked": "The number of linked files whose bytes are not in the copy; absent if there are none.",
      "bytes": "Total size in bytes.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  typealias Plan = Params
  typealias Fetched = BackupReport

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Params { params }

  static func fetch(_ plan: Params, with services: Services, progress: Progress) async throws -> BackupReport {
    let (path, place) = (plan.path, NamedPlace(plan.path))
    do {
      return try await onThread { checkCancelled in
        let report = try services.library.backUp(to: place.path, copyingLinked: plan.linked ?? false) {
          try checkCancelled()
          progress.report(percentage: $0)
        }
        FileWrites.note()
        return report
      }
    } catch let error as BackupError {
      throw error.reply(path)
    } catch let error as FileFailure {
      let text = Text("backup.failed", ["path": place.named(error.path), "reason": error.reason])
      throw RPCError(error, otherwise: RPCError(.readOnly, text: text))
    }
  }

  static func finish(_ report: BackupReport, of plan: Params, in snapshot: Snapshot) throws -> Result {
    Result(
      path: plan.path, epoch: report.epoch, items: report.items, blobs: report.blobs,
      linked: report.linked == 0 ? nil : report.linked, bytes: report.bytes)
  }
}

extension BackupError {
  fileprivate func reply(_ path: String) -> RPCError {
    switch self {
    case .exists: RPCError(.exists, text: Text("backup.exists", ["path": path]))
    case .damaged(let reason): RPCError(.corrupt, text: Text("backup.damaged", ["reason": reason]))
    case .missingBlob(let hash): RPCError(.corrupt, text: Text("check.blobMissing", ["hash": hash]))
    }
  }
}
