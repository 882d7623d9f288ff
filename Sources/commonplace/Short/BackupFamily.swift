import Contract
import FoundationEssentials
import Store
import Wire

/// A backup, and the later ones that “commonplace backup” of the same name has created beside it:
///
///     backups
///     backups-2026-11-27-083000
///     backups-2026-11-27-083000-2
struct BackupFamily {
  let path: String

  /// The newest of them. The path itself if it is not a folder, or if none beside it is newer.
  var newest: String {
    guard let own = CopyDate.date(of: LibraryFolder(path)) else { return path }
    let dated = later.compactMap { path in CopyDate.date(of: LibraryFolder(path)).map { (date: $0, path: path) } }
    guard let newest = dated.max(by: { $0.date.milliseconds < $1.date.milliseconds }),
      newest.date.milliseconds > own.milliseconds
    else { return path }
    return newest.path
  }

  private var later: [String] {
    let (folder, name) = (parentFolder(of: path), path.split(separator: "/").last ?? "")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix(name) && Self.isTime($0.dropFirst(name.count)) }.sorted()
      .map { folder == "/" ? "/" + $0 : folder + "/" + $0 }
  }

  private static func isTime(_ ending: Substring) -> Bool {
    ending.wholeMatch(of: /-\d{4}-\d{2}-\d{2}-\d{6}(-\d+)?/) != nil
  }
}
