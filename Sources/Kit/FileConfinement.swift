import Glibc
import Store
import Wire

/// The folders to which a client has confined the files that its requests name (`session/confine`).
///
/// A client that checks a path before it sends it cannot know what the path leads to when it is opened: somebody may
/// have replaced a folder by a link in between. So a confined path is walked from `/` down, folder by folder, by open
/// descriptors, and no link is followed.
///
/// It is passed on with the request's task, and to the threads for which the task waits. Files that no client named are
/// not opened by it.
package struct FileConfinement: Sendable, Equatable {
  @TaskLocal package static var current: FileConfinement?

  /// Absolute paths without links.
  package var folders: [String]
  /// Folders that stay out of reach, even if they are in one of the others.
  package var closed: [String]

  package init(folders: [String], closed: [String]) {
    (self.folders, self.closed) = (folders, closed)
  }

  /// Opens a file that a client named.
  ///
  /// - Returns: its descriptor, which belongs to the caller; -1 with `errno` if it cannot be opened. A path outside of
  ///   the client's folders is EACCES; one with a link is ELOOP or ENOTDIR.
  package static func open(_ path: String, _ flags: Int32) -> Int32 {
    guard let current else { return Glibc.open(path, flags) }
    return current.open(path, flags)
  }

  private func open(_ path: String, _ flags: Int32) -> Int32 {
    let parts = path.split(separator: "/")
    // A folder that holds a closed one may be a place to write, but is not read as a whole.
    let isPlace = flags & Self.pathOnly != 0
    if path == "/", admits(path, asPlace: isPlace) { return Glibc.open(path, flags) }
    guard path.hasPrefix("/"), !parts.contains(where: { $0 == "." || $0 == ".." }), admits(path, asPlace: isPlace)
    else {
      errno = EACCES
      return -1
    }
    var descriptor = Glibc.open("/", Self.walk)
    for (index, part) in parts.enumerated() where descriptor >= 0 {
      let isLast = index == parts.count - 1
      let next = openat(descriptor, String(part), (isLast ? flags : Self.walk) | O_NOFOLLOW)
      let number = errno
      close(descriptor)
      errno = number
      descriptor = next
    }
    return descriptor
  }

  /// `O_PATH`, which Glibc's module does not have: of a file that may not be read, too.
  package static let pathOnly: Int32 = 0o10_000_000
  fileprivate static let walk = pathOnly | O_DIRECTORY | O_CLOEXEC

  private func admits(_ path: String, asPlace isPlace: Bool) -> Bool {
    let path = path.withoutTrailingSlashes
    func contains(_ folder: String, _ path: String) -> Bool {
      sameBytes(folder, path) || path.utf8.starts(with: (folder == "/" ? "/" : folder + "/").utf8)
    }
    return folders.contains { contains($0, path) }
      && !closed.contains { contains($0, path) || !isPlace && contains(path, $0) }
  }
}

/// A file that a client named, by a path that leads to the same place whatever becomes of the folders above it. For a
/// client that is not confined it is the named path.
package final class NamedPlace: Sendable {
  /// Valid as long as this object. Of a confined client's file that cannot be opened, it leads nowhere.
  package let path: String
  private let named: String
  private let descriptor: Int32?

  /// The place of a file to be created or replaced: its name in its folder.
  package init(_ named: String) {
    self.named = named
    guard FileConfinement.current != nil else {
      (path, descriptor) = (named, nil)
      return
    }
    let end = named.withoutTrailingSlashes
    let folder = FileConfinement.open(parentFolder(of: end), FileConfinement.walk)
    descriptor = folder
    path = "/proc/self/fd/\(folder)/\(end.split(separator: "/").last ?? "")"
  }

  /// A file to be read.
  package init(reading named: String) {
    self.named = named
    guard FileConfinement.current != nil else {
      (path, descriptor) = (named, nil)
      return
    }
    let file = FileConfinement.open(named, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    descriptor = file
    path = "/proc/self/fd/\(file)"
  }

  deinit {
    if let descriptor, descriptor >= 0 { close(descriptor) }
  }

  /// The path of this place, or of one below it, as the client knows it.
  package func named(_ path: String) -> String {
    path.hasPrefix(self.path) ? named + path.dropFirst(self.path.count) : path
  }
}

extension String {
  package var withoutTrailingSlashes: String {
    var path = self[...]
    while path.utf8.count > 1, path.utf8.last == 0x2F { path.removeLast() }
    return String(path)
  }
}
