import Foundation
import Store
import Wire

/// Something on its way to a path. It gets its name when all of it is there; what fails leaves nothing, and nothing that
/// is there is overwritten.
struct FileExport {
  let path: String
  /// Beside it, under a name that nobody else uses.
  let part: String

  init(to path: String, id: String) {
    self.path = path
    part = "\(path).\(id).part"
  }

  func writeFile(_ body: (borrowing NewFile) throws -> Void) throws {
    try completing {
      let file = try NewFile(at: part)
      try body(file)
      try file.sync()
      // Unlike a rename, a link never takes the place of another file.
      guard link(part, path) == 0 else { throw FileFailure(path: path, errno) }
      unlink(part)
    }
  }

  /// `body` is given the folder's path.
  func writeFolder(_ body: (String) throws -> Void) throws {
    var information = stat()
    guard lstat(path, &information) != 0 else { throw FileFailure(path: path, EEXIST) }
    try completing {
      guard mkdir(part, 0o700) == 0 else { throw FileFailure(path: part, errno) }
      try body(part)
      // Onto nothing, or an empty folder that somebody made meanwhile; anything else makes it fail.
      guard rename(part, path) == 0 else { throw FileFailure(path: path, errno) }
    }
  }

  private func completing(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      try? FileManager.default.removeItem(atPath: part)
      throw error
    }
  }
}

extension RPCError {
  /// Why something could not be written, in words.
  init(writing failure: FileFailure) {
    switch failure.errno {
    case EEXIST, ENOTEMPTY: self.init(.exists, text: Text("file.exists", ["path": failure.path]))
    case _ where failure.isDiskFull: self.init(.diskFull, text: Text("error.diskFull", ["path": failure.path]))
    default:
      self.init(.notAllowed, text: Text("file.unwritten", ["path": failure.path, "reason": failure.reason]))
    }
  }
}
