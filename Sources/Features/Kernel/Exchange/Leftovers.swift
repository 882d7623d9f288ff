import Foundation
import Store

/// What an earlier daemon of this library was making when it was killed.
///
/// Files on their way lie in the library's folder `parts`. Those on their way to a place of the user's choice lie there,
/// beside it, so that the last step is a rename; a link in `parts` says where, for the next daemon.
enum Leftovers {
  static let noteEnding = ".export"

  /// Names in `parts` with this ending that are older than this daemon: than the moment at which it took the lock.
  static func names(ending: String, in folder: LibraryFolder) -> [String] {
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

  /// Removes what was on its way out. Only what still has the name that it was given there.
  static func removeExports(of folder: LibraryFolder) {
    for name in names(ending: noteEnding, in: folder) {
      let note = folder.parts + "/" + name
      let id = name.dropLast(noteEnding.count)
      if let part = try? FileManager.default.destinationOfSymbolicLink(atPath: note), part.hasPrefix("/"),
        part.hasSuffix(".\(id).part")
      {
        try? FileManager.default.removeItem(atPath: part)
      }
      unlink(note)
    }
  }
}
