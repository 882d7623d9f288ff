import FoundationEssentials
import Glibc
import Kit
import Store

/// What an earlier daemon of this library was making when it was killed.
///
/// Files on their way lie in the library's folder `parts`. Those on their way to a place of the user's choice lie there,
/// beside it, so that the last step is a rename; a link in `parts` says where, for the next daemon.
package enum Leftovers {
  static let noteEnding = ".export"

  /// Names in `parts` with this ending that are older than this daemon: than the moment at which it took the lock.
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

  /// Removes what was on its way out. Only what still has the name that it was given there; and only files or empty
  /// folders, by names that we make: somebody else may have put notes into the library.
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

  /// A file, or a folder of files; what lies deeper is none of ours.
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
