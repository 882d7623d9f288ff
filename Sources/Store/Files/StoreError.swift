import Glibc
import SQLite
import Wire

/// Why a library cannot be opened or used. Each has one sentence and, on the command line, an exit code of its own.
package enum StoreError: Error, Sendable, Equatable {
  /// The reason is a word of the catalogue's family `reason`, the column that holds what it cannot hold, or what SQLite
  /// says in its own words.
  case broken(path: String, reason: String)
  /// Another program holds a lock on the file for longer than we wait.
  case busy(path: String)
  case cannotUseFile(path: String, reason: String)
  case cannotUseFolder(path: String, reason: String)
  case diskFull(path: String)
  /// The disk reports errors. What it still holds need not be damaged.
  case failing(path: String)
  /// The folder is another user's.
  case foreign(path: String)
  /// It was moved or removed while it was open.
  case gone(path: String)
  case inUse(owner: Owner?)
  case networkFileSystem(path: String)
  /// The library was written by a newer version, which knows migrations that this one does not.
  case newer(path: String, unknown: [String])
  /// The disk has too few bytes left for the steps that bring the library to this version. `needed` are surely enough.
  case noRoomForSteps(path: String, needed: Int64, free: Int64)
  /// Everybody may write into this folder, which holds the library.
  case openToOthers(path: String)
  case readOnly(path: String)
  /// Another process has become its owner while it was open here.
  case taken(path: String)
  /// The process has as many open files as it may.
  case tooManyFiles
  /// A long write that failed could not be taken back yet, as there is no room for that or the disk fails.
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
    case .taken(let path): RPCError(.libraryInUse, text: Text("error.libraryTaken", ["path": path]))
    case .tooManyFiles: RPCError.tooManyFiles
    case .unfinished(let path, let isFull):
      isFull
        ? RPCError(.diskFull, text: Text("error.unfinishedWrite", ["path": path]))
        : RPCError(.ioError, text: Text("error.unfinishedOnFailing", ["path": path]))
    case .readOnly(let path): RPCError(.readOnly, text: Text("error.readOnlyLibrary", ["path": path]))
    }
  }

  /// What SQLite says, in our words; nil for a mistake of ours.
  package init?(_ error: any Error, path: String) {
    if let error = error as? StoreError {
      self = error
      return
    }
    if let error = error as? FileFailure {
      switch error.errno {
      case _ where error.isDiskFull: self = .diskFull(path: path)
      case _ where error.isOfDisk: self = .failing(path: path)
      case EACCES, EPERM, EROFS: self = .readOnly(path: path)
      case _ where error.isOutOfDescriptors: self = .tooManyFiles
      default: return nil
      }
      return
    }
    guard let error = error as? DatabaseError else { return nil }
    let folder = LibraryFolder(path)
    switch error.code {
    case .full: self = .diskFull(path: path)
    case .ioError where Self.fullDisk.contains(error.extendedCode):
      self = DiskTrial.failsToWrite(folder) ? .failing(path: path) : .diskFull(path: path)
    case .busy, .locked: self = .busy(path: path)
    case .cannotOpen where Self.hasNoDescriptorLeft: self = .tooManyFiles
    case .readOnly, .cannotOpen, .permission:
      self = DiskTrial.failsToRead(folder) ? .failing(path: path) : .readOnly(path: path)
    case .notADatabase, .corrupt:
      self = DiskTrial.failsToRead(folder) ? .failing(path: path) : .broken(path: path, reason: error.message)
    case .ioError: self = .failing(path: path)
    default: return nil
    }
  }

  /// Whether a write failed for want of room, whoever says so.
  ///
  /// - Parameter path: the library's, where it is at hand and a disk that fails is to be told from a full one.
  package static func isDiskFull(_ error: any Error, path: String? = nil) -> Bool {
    if let error = error as? RPCError { return error.kind == .diskFull }
    if let error = error as? DatabaseError, path == nil {
      return error.code == .full || fullDisk.contains(error.extendedCode)
    }
    if case .diskFull? = StoreError(error, path: path ?? "") { return true }
    return false
  }

  /// SQLite does not say why a file could not be opened.
  private static var hasNoDescriptorLeft: Bool {
    let descriptor = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor < 0 else {
      close(descriptor)
      return false
    }
    return FileFailure(path: "/", errno).isOutOfDescriptors
  }

  /// Beside SQLITE_FULL: a limit on file sizes, and shared memory or a log for which there is no room.
  private static let fullDisk: [ResultCode] = [
    .ioErrorWrite, .ioErrorSharedMemorySize, .ioErrorSharedMemoryOpen, .ioErrorTruncate,
  ]
}

extension RPCError {
  package static let tooManyFiles = RPCError(code: Code.busy, kind: .busy, text: Text("error.tooManyFiles"))
}
