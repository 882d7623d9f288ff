import FoundationEssentials
import Glibc
import Kit
import Store

/// Unfinished files of an earlier daemon of this library that was killed.
///
/// Unfinished files are in the library's folder `parts`. Exports to a path of the user are written beside that path, so
/// that the last step is a rename; a link in `parts` leads the next daemon to them.
package enum Leftovers {
  static let noteEnding = ".export"

  /// Names in `parts` with this ending that are older than this daemon, that is, than its lock.
  package static func names(ending: String, in folder: LibraryFolder) -> [String] {
    var lock = stat()
    guard stat(folder.lock, &lock) == 0 else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.parts)) ?? []
    return names.filter { name in
      var own = stat()
      guard name.hasSuffix(ending), lstat(folder.parts + "/" + name, &own) == 0 else { return false }
      let (time, start) = (own.st_mtim, lock.st_mtim)
      return (time.tv_sec, time.tv_nsec) < (start.tv_sec, start.tv_nsec)
    }
  }

  /// Removes unfinished exports, if they still have the name of their note. Removes only files or empty folders with
  /// names that this program generates, since the library may contain notes of somebody else.
  package static func removeExports(of folder: LibraryFolder) {
    for name in names(ending: noteEnding, in: folder) {
      let note = folder.parts + "/" + name
      let id = String(name.dropLast(noteEnding.count))
      var own = stat()
      let isOurs = lstat(note, &own) == 0 && own.st_uid == geteuid() && UUID(uuidString: id) != nil
      if isOurs, let part = try? FileManager.default.destinationOfSymbolicLink(atPath: note), part.hasPrefix("/"),
        part.hasSuffix(".\(id).part")
      {
        remove(part)
      }
      unlink(note)
    }
  }

  /// Removes a file, or a folder of files; nested folders are none of ours.
  private static func remove(_ part: String) {
    var information = stat()
    guard lstat(part, &information) == 0, information.st_uid == geteuid() else { return }
    guard information.st_mode & S_IFMT == S_IFDIR else {
      unlink(part)
      return
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: part)) ?? [] { unlink("\(part)/\(name)") }
    rmdir(part)
  }
}
