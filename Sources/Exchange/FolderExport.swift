import Contract
import Kit
import Store
import Wire

/// The params of an export to a folder or a file.
package protocol FolderExportParams: Payload {
  var path: String { get }
  var overwrite: Bool? { get }
  /// Whether it is a folder with a file for each item, rather than a file with a line for each.
  var isFolder: Bool { get }
}

extension FolderExportParams {
  /// The notes on these params, and on the others of a method.
  package static func notes(_ others: [String: String]) -> [String: String] {
    let notes = [
      "path": "An absolute path that does not exist yet, or a file with `overwrite`.",
      "overwrite": "\(ExportPlace.overwriteNote) Not for a folder, which is never replaced.",
    ]
    return notes.merging(others) { $1 }
  }
}

/// The plan of an export to a folder or a file.
package struct FolderExportPlan<Params: FolderExportParams>: Sendable {
  package var params: Params
  package var caller: any Caller
}

/// What an export has written.
package struct FolderExported<Beside: Sendable>: Sendable {
  /// The number of items.
  package var count: Int
  package var beside: Beside
}

/// A method that exports the texts of items to a folder or a file.
package protocol FolderExportMethod: ExternalReadMethod
where Params: FolderExportParams, Plan == FolderExportPlan<Params>, Fetched == FolderExported<Beside> {
  /// What is written beside the items.
  associatedtype Beside: Sendable = FilesBeside

  /// The items in the form of their files, and the files that they show.
  static func spool(_ params: Params, of snapshot: Snapshot) throws -> (ExportSpool, Beside)

  static func write(
    _ spool: ExportSpool, beside: Beside, _ plan: Plan, to export: FileExport, _ progress: Progress,
    checkCancelled: () throws -> Void
  ) throws
}

extension FolderExportMethod where Beside == FilesBeside {
  package static func write(
    _ spool: ExportSpool, beside: Beside, _ plan: Plan, to export: FileExport, _ progress: Progress,
    checkCancelled: () throws -> Void
  ) throws {
    if plan.params.isFolder {
      try export.writeFolder(spool, beside: beside, progress, checkCancelled: checkCancelled)
    } else {
      try export.writeFile(spool, progress, checkCancelled: checkCancelled)
    }
  }
}

extension FolderExportMethod {
  package static var effects: Effects { [.reads, .files] }
  package static var paramEffects: [String: Effects] { ["overwrite": .destroys] }
  package static var errors: [ErrorKind] { [.exists, .diskFull, .notAllowed, .notFound] }

  /// - Throws: `invalidParams` if a folder is to be replaced.
  package static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    guard params.overwrite != true || !params.isFolder else {
      throw RPCError.invalidParams(field: "overwrite", reason: Text("file.folderStays"))
    }
    return FolderExportPlan(params: params, caller: snapshot.caller)
  }

  /// - Throws: an `RPCError` if the folder or the file cannot be written.
  package static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    let params = plan.params
    let export = FileExport(to: params.path, overwrite: params.overwrite ?? false, services: services)
    do {
      // Before the work, not after it.
      try await onThread { _ in try export.checkPlace() }
      let (spool, beside) = try await services.library.read(as: plan.caller) { try Self.spool(params, of: $0) }
      try await onThread { checkCancelled in
        try Self.write(spool, beside: beside, plan, to: export, progress, checkCancelled: checkCancelled)
      }
      return Fetched(count: spool.parts.count, beside: beside)
    } catch let failure as FileFailure {
      throw RPCError(writing: failure, replaceable: true)
    }
  }
}

extension FileRevision {
  /// The revision of an item as a file states it.
  package init(of item: some ExchangedItem, in snapshot: Snapshot) throws {
    let epoch = snapshot.services.library.identity.epoch
    self.init(
      number: item.revision, epoch: epoch, ancestor: try MergeBase(stored: item.mergeBase)?.ancestor(in: epoch))
  }
}
