import Contract
import Kit
import Store
import Wire

enum ExportLibrary: ExternalReadMethod {
  static let name = "library/export"
  static let summary = "Exports the library as one archive that any program can read: a tar of JSON lines and files."
  static let effects: Effects = [.reads, .files]
  static let doing = Text("doing.exportLibrary")
  static let errors: [ErrorKind] = [.exists, .notFound, .corrupt, .diskFull, .readOnly, .ioError]

  struct Params: Payload {
    var path: String
    static let example = Params(path: "/home/ann/library.tar")
    static let fields = [
      "path":
        "An absolute path that does not exist yet. The archive has: `library.json` with format, epoch, clock and "
        + "counts; `items/<collection>.jsonl`, one item per line; `derived/<table>.jsonl`, data made from files; "
        + "`blobs/<sha256>`, the files."
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Result: Payload {
    var path: String
    var items: Int
    var blobs: Int
    var bytes: Int64
    static let example = Result(path: "/home/ann/library.tar", items: 12, blobs: 1, bytes: 400_000)
    static let fields = [
      "path": "The path of the archive.", "items": "The number of items.", "blobs": "The number of files.",
      "bytes": "Its size in bytes.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  typealias Plan = String
  typealias Fetched = ArchiveReport

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> String { params.path }

  static func fetch(_ path: String, with services: Services, progress: Progress) async throws -> ArchiveReport {
    let place = NamedPlace(path)
    return try await translatingArchiveErrors(of: place, missing: "archive.noFolder") {
      try await onThread { checkCancelled in
        let report = try services.library.export(to: place.path) {
          try checkCancelled()
          progress.report(percentage: $0)
        }
        FileWrites.note()
        return report
      }
    }
  }

  static func finish(_ report: ArchiveReport, of path: String, in snapshot: Snapshot) throws -> Result {
    Result(path: path, items: report.items, blobs: report.blobs, bytes: report.bytes)
  }
}

enum ImportLibrary: ExternalLongWriteMethod {
  static let name = "library/import"
  static let summary = "Imports an archive of `library/export` into this library, which must be empty. One undo step."
  /// The sources and calendars of the archive are fetched after the reply.
  static let effects: Effects = [.writes, .files, .network]
  static let doing = Text("doing.importLibrary")
  static let errors: [ErrorKind] = [.exists, .notFound, .corrupt, .newerLibrary, .diskFull, .readOnly]

  struct Params: Payload {
    var path: String
    static let example = Params(path: "/home/ann/library.tar")
    static let fields = ["path": "The absolute path of the archive."]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Result: Payload {
    var items: Int
    var blobs: Int
    static let example = Result(items: 12, blobs: 1)
    static let fields = ["items": "The number of items added.", "blobs": "The number of files imported."]
  }

  typealias Plan = String
  typealias Fetched = Archive

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> String { params.path }

  static func fetch(_ path: String, with services: Services, progress: Progress) async throws -> Archive {
    let place = NamedPlace(reading: path)
    return try await translatingArchiveErrors(of: place) {
      try await onThread { checkCancelled in
        let archive = try services.library.readArchive(at: place.path) {
          try checkCancelled()
          progress.report(percentage: $0)
        }
        FileWrites.note()
        return archive
      }
    }
  }

  static func finish(
    _ archive: Archive, of path: String, from position: ArchivePosition?, in transaction: Transaction
  ) throws -> Sliced<ArchivePosition, Result> {
    do {
      if let position = try transaction.add(archive, from: position) { return .more(position) }
    } catch let error as ArchiveError {
      throw error.reply { $0 }
    }
    return .done(Result(items: archive.itemCount, blobs: archive.blobCount))
  }
}

/// - Parameter missing: the key of the error for a path that does not exist.
private func translatingArchiveErrors<Result>(
  of place: NamedPlace, missing: String = "archive.missing", _ body: () async throws -> Result
) async throws -> Result {
  do {
    return try await body()
  } catch let error as ArchiveError {
    throw error.reply(place.named)
  } catch let error as FileFailure where error.isMissing {
    throw RPCError(.notFound, text: Text(missing, ["path": place.named(error.path)]))
  } catch let error as FileFailure {
    let text = Text("archive.failed", ["path": place.named(error.path), "reason": error.reason])
    throw RPCError(error, otherwise: RPCError(.readOnly, text: text))
  }
}

extension ArchiveError {
  /// - Parameter name: returns the path as the client knows it.
  fileprivate func reply(_ name: (String) -> String) -> RPCError {
    switch self {
    case .exists(let path): RPCError(.exists, text: Text("archive.exists", ["path": name(path)]))
    case .missingBlob(let hash): RPCError(.corrupt, text: Text("check.blobMissing", ["hash": hash]))
    case .damagedBlob(let hash): RPCError(.corrupt, text: Text("check.blobDamaged", ["hash": hash]))
    case .damaged(let path, let reason):
      RPCError(.corrupt, text: Text("archive.damaged", ["path": name(path), "reason": reason]))
    case .newer(let path, let unknown):
      RPCError(.newerLibrary, text: Text("archive.newer", ["path": name(path), "found": unknown]))
    case .notEmpty: RPCError(.exists, text: Text("archive.notEmpty"))
    }
  }
}
