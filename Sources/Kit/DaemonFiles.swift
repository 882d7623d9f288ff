import FoundationEssentials
import Glibc

/// Removes files of the daemon from folders to which others may have added files.
package enum DaemonFiles {
  /// Removes the regular files of a folder whose names match. Links, folders and all other names stay, and a link in
  /// the folder's place is not followed.
  package static func remove(in folder: String, where isOurs: (String) -> Bool) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_uid == geteuid() else { return }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where isOurs(name) {
      guard fstatat(descriptor, name, &information, AT_SYMLINK_NOFOLLOW) == 0,
        information.st_mode & S_IFMT == S_IFREG
      else { continue }
      unlinkat(descriptor, name, 0)
    }
  }

  /// Whether a text consists of exactly `count` lower-case hexadecimal digits, as our file names do.
  package static func isHexadecimal(_ text: some StringProtocol, count: Int) -> Bool {
    text.utf8.count == count
      && text.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }
}
