import Glibc
import SQLite
import Wire

extension StoreError {
  /// Maps an error of SQLite or of a file; nil for a programming error.
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
    // A client's JSON is parsed before a read or write begins; only a column can be none.
    if error is JSONSyntaxError {
      self = .broken(path: path, reason: "json")
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
    case _ where error.isOfData: self = .broken(path: path, reason: error.message)
    default: return nil
    }
  }

  /// Whether a write failed for lack of disk space, from the error of any layer.
  ///
  /// - Parameter path: the library's, if it is available and a failing disk has to be distinguished from a full one.
  package static func isDiskFull(_ error: any Error, path: String? = nil) -> Bool {
    if let error = error as? RPCError { return error.kind == .diskFull }
    if let error = error as? DatabaseError, path == nil {
      return error.code == .full || fullDisk.contains(error.extendedCode)
    }
    if case .diskFull? = StoreError(error, path: path ?? "") { return true }
    return false
  }

  /// Whether no descriptor is left: SQLite does not report why a file could not be opened.
  private static var hasNoDescriptorLeft: Bool {
    let descriptor = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor < 0 else {
      close(descriptor)
      return false
    }
    return FileFailure(path: "/", errno).isOutOfDescriptors
  }

  /// In addition to SQLITE_FULL: a limit on file sizes, and shared memory or a WAL without space.
  private static let fullDisk: [ResultCode] = [
    .ioErrorWrite, .ioErrorSharedMemorySize, .ioErrorSharedMemoryOpen, .ioErrorTruncate,
  ]
}

extension DatabaseError {
  /// Whether a value that no daemon writes is the reason: a text where a statement, trigger or index reads JSON, or
  /// numbers whose sum overflows.
  var isOfData: Bool { code == .error && (message.contains("JSON") || sameBytes(message, "integer overflow")) }
}
