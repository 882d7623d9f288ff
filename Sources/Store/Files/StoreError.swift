import Wire

/// Why a library cannot be opened or used. Each case has its own message and, on the command line, its own exit code.
package enum StoreError: Error, Sendable, Equatable {
  /// The reason is a key of the catalogue's family `reason`, the column with an invalid value, or a message of SQLite.
  case broken(path: String, reason: String)
  /// Another program locks the file for longer than the timeout.
  case busy(path: String)
  case cannotUseFile(path: String, reason: String)
  case cannotUseFolder(path: String, reason: String)
  case diskFull(path: String)
  /// The disk reports errors. The data on it need not be damaged.
  case failing(path: String)
  /// The folder belongs to another user.
  case foreign(path: String)
  /// The library was moved or deleted while it was open.
  case gone(path: String)
  case inUse(owner: Owner?)
  case networkFileSystem(path: String)
  /// A newer version wrote the library, with migrations that this version does not have.
  case newer(path: String, unknown: [String])
  /// The disk has too little space for the migrations to this version. `needed` is an upper bound in bytes.
  case noRoomForSteps(path: String, needed: Int64, free: Int64)
  /// Everybody may write to this folder, which contains the library.
  case openToOthers(path: String)
  case readOnly(path: String)
  /// Another process became the owner while the library was open here.
  case ownedByOther(path: String)
  /// The process has reached its limit of open files.
  case tooManyFiles
  /// A failed long write could not be rolled back yet, since the disk has no space for it or fails.
  case unfinished(path: String, isFull: Bool)

  package var rpcError: RPCError {
    switch self {
    case .broken(let path, let reason):
      RPCError(.corrupt, text: Text("error.brokenLibrary", ["path": path, "reason": reason]))
    case .busy(let path):
      RPCError(code: RPCError.Code.busy, kind: .busy, text: Text("error.libraryBusy", ["path": path]))
    case .cannotUseFile(let path, let reason):
      RPCError(.readOnly, text: Text("error.cannotUseFile", ["path": path, "reason": reason]))
    case .cannotUseFolder(let path, let reason):
      RPCError(.readOnly, text: Text("error.cannotUseFolder", ["path": path, "reason": reason]))
    case .diskFull(let path): RPCError(.diskFull, text: Text("error.diskFull", ["path": path]))
    case .failing(let path): RPCError(.ioError, text: Text("error.ioError", ["path": path]))
    case .foreign(let path): RPCError(.notAllowed, text: Text("error.foreignLibrary", ["path": path]))
    case .gone(let path): RPCError(.readOnly, text: Text("error.libraryGone", ["path": path]))
    case .inUse(let owner):
      RPCError(
        .libraryInUse,
        text: owner.map { Text("error.libraryInUse", ["pid": String($0.pid), "socket": $0.socket]) }
          ?? Text("error.libraryInUseUnknown"))
    case .networkFileSystem(let path): RPCError(.readOnly, text: Text("error.networkFileSystem", ["path": path]))
    case .newer(let path, let unknown):
      RPCError(
        .newerLibrary, text: Text("error.newerLibrary", ["path": path, "found": unknown.joined(separator: ", ")]))
    case .noRoomForSteps(let path, let needed, let free):
      RPCError(
        .diskFull,
        text: Text(
          "error.noRoomForSteps",
          ["path": path, "needed": String((needed >> 20) + 1), "free": String(free >> 20)]))
    case .openToOthers(let path): RPCError(.notAllowed, text: Text("error.libraryOpenToOthers", ["path": path]))
    case .ownedByOther(let path): RPCError(.libraryInUse, text: Text("error.libraryTaken", ["path": path]))
    case .tooManyFiles: RPCError.tooManyFiles
    case .unfinished(let path, let isFull):
      isFull
        ? RPCError(.diskFull, text: Text("error.unfinishedWrite", ["path": path]))
        : RPCError(.ioError, text: Text("error.unfinishedOnFailing", ["path": path]))
    case .readOnly(let path): RPCError(.readOnly, text: Text("error.readOnlyLibrary", ["path": path]))
    }
  }
}

extension RPCError {
  package static let tooManyFiles = RPCError(code: Code.busy, kind: .busy, text: Text("error.tooManyFiles"))
}
