import FoundationEssentials
import Glibc
import Store
import Synchronization
import Wire

/// A folder in memory-backed storage, which every user may write to: ours has a random name, which no other user
/// could create in advance. It is created at its first use. Folders of killed daemons are removed after the next
/// daemon's start, since they contain pictures of protected pages.
final class MemoryFolder: Sendable {
  private let made = Mutex<String?>(nil)
  private static let prefix = "commonplace-\(getuid())-"

  func path() throws -> String {
    try made.withLock { made in
      if let made { return made }
      var template = Array("/dev/shm/\(Self.prefix)\(getpid())-XXXXXX".utf8CString)
      guard template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) != nil else {
        throw RPCError(writing: FileFailure(path: "/dev/shm/\(Self.prefix)\(getpid())", errno))
      }
      let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      made = folder
      return folder
    }
  }

  func remove() {
    let folder = made.withLock { $0.take() }
    if let folder { Self.remove(folder) }
  }

  static func removeLeftovers() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? [] where name.hasPrefix(prefix) {
      let digits = name.dropFirst(prefix.count).prefix { $0 != "-" }
      guard let process = Int32(digits), kill(process, 0) != 0, errno == ESRCH else { continue }
      // Any user may create a folder of this name.
      var information = stat()
      guard lstat("/dev/shm/" + name, &information) == 0, information.st_mode & S_IFMT == S_IFDIR,
        information.st_uid == geteuid()
      else { continue }
      remove("/dev/shm/" + name)
    }
  }

  private static func remove(_ folder: String) {
    Pictures.removeFiles(in: folder)
    rmdir(folder)
  }
}
