import FoundationEssentials
import Glibc

/// The facts about the machine on which paths depend in addition to the environment, so that tests can replace them.
package struct Machine: Sendable {
  /// The base of relative paths.
  package var currentFolder: String
  /// The user's home folder in the user database, for processes without `HOME`.
  package var home: @Sendable () -> String?
  /// Whether a folder exists, belongs to the user, and is closed to all others.
  package var isPrivateFolder: @Sendable (_ path: String) -> Bool

  package init(
    currentFolder: String, home: @escaping @Sendable () -> String?,
    isPrivateFolder: @escaping @Sendable (_ path: String) -> Bool
  ) {
    self.currentFolder = currentFolder
    self.home = home
    self.isPrivateFolder = isPrivateFolder
  }

  /// This process on this machine.
  package static var this: Machine {
    Machine(
      currentFolder: FileManager.default.currentDirectoryPath, home: { homeInUserDatabase() },
      isPrivateFolder: { isPrivate($0) })
  }

  private static func homeInUserDatabase() -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil, let home = entry.pw_dir
    else { return nil }
    let path = String(cString: home)
    return path.hasPrefix("/") ? path : nil
  }

  /// The XDG specification requires that the user owns the runtime folder and its mode is 0700; another user with write
  /// access could replace our socket.
  private static func isPrivate(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid() && status.st_mode & 0o777 == 0o700
  }
}
