import FoundationEssentials
import Glibc

/// What paths depend on beside the environment, so that tests can give another machine.
package struct Machine: Sendable {
  /// Where relative paths start.
  package var currentFolder: String
  /// The user's home folder in the user database, for processes that were started without `HOME`.
  package var home: @Sendable () -> String?
  /// Whether a folder is there, is ours, and is closed to all others.
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

  /// The specification wants the runtime folder owned by the user and of mode 0700; whoever else could write there
  /// could put a socket of their own in our place.
  private static func isPrivate(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid() && status.st_mode & 0o777 == 0o700
  }
}
