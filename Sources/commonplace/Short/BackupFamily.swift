import Contract
import FoundationEssentials
import Glibc
import Store
import Wire

/// A backup, and the later ones that “commonplace backup” of the same name has created beside it:
///
///     backups
///     backups-2026-11-27-083000
///     backups-2026-11-27-083000-2
enum BackupFamily {
  /// The newest of some backups, of which a shell may have expanded `backups*`, and of the later ones beside each of
  /// them. The first path if none of them is the folder of a library.
  ///
  /// Only those of one user count: the caller's, or the first one's owner's if the caller owns none of the given ones.
  ///
  /// - Parameter isExact: only the given ones.
  static func newest(of paths: [String], isExact: Bool) -> String {
    let all = isExact ? paths : paths + paths.flatMap(later)
    if all.count == 1 { return all[0] }
    // In a folder like /tmp anybody may create one, or a link to one, which a shell finds, too.
    let isOwn = paths.contains { owner(of: $0) == geteuid() }
    let trusted = isOwn ? geteuid() : owner(of: paths[0]) ?? geteuid()
    let dated = all.filter { owner(of: $0) == trusted }
      .compactMap { path in CopyDate.date(of: LibraryFolder(path)).map { (date: $0, path: path) } }
    return dated.max { $0.date.milliseconds < $1.date.milliseconds }?.path ?? paths[0]
  }

  private static func later(than path: String) -> [String] {
    let (folder, name) = (parentFolder(of: path), path.split(separator: "/").last ?? "")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix(name) && isTime($0.dropFirst(name.count)) }.sorted()
      .map { folder == "/" ? "/" + $0 : folder + "/" + $0 }
  }

  /// The user who has created a folder or link; nil if there is none.
  private static func owner(of path: String) -> uid_t? {
    var information = stat()
    return lstat(path, &information) == 0 ? information.st_uid : nil
  }

  private static func isTime(_ ending: Substring) -> Bool {
    ending.wholeMatch(of: /-\d{4}-\d{2}-\d{2}-\d{6}(-\d+)?/) != nil
  }
}
