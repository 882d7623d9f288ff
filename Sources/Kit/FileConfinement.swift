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
/// not opened by it. A setting with a path, whose files the daemon opens later, is stored with the confinement of the
/// client that made it.
package struct FileConfinement: Sendable, Equatable {
  @TaskLocal package static var current: FileConfinement?

  /// Absolute paths without links.
  package let folders: [String]
  /// Folders that stay out of reach, even if they are in one of the others.
  package let closed: [String]

  package init(folders: [String], closed: [String]) {
    (self.folders, self.closed) = (folders.map(Self.plain), closed.map(Self.plain))
  }

  /// Opens a file that a client named.
  ///
  /// - Returns: its descriptor, which belongs to the caller; -1 with `errno` if it cannot be opened. A path outside of
  ///   the client's folders is EACCES; one with a link is ELOOP or ENOTDIR. A folder that contains a closed one is
  ///   opened only with `O_DIRECTORY` or `O_PATH`, for callers that check its entries, by `isClosed` or by this
  ///   function.
  package static func open(_ path: String, _ flags: Int32) -> Int32 {
    guard let current else { return Glibc.open(path, flags) }
    return current.open(path, flags)
  }

  private func open(_ path: String, _ flags: Int32) -> Int32 {
    let parts = Self.parts(of: path)
    let isFolder = flags & (Self.pathOnly | O_DIRECTORY) != 0
    if path == "/", admits(path, asFolder: isFolder) { return Glibc.open(path, flags) }
    guard path.hasPrefix("/"), !parts.contains(where: { $0 == "." || $0 == ".." }), admits(path, asFolder: isFolder)
    else {
      errno = EACCES
      return -1
    }
    var descriptor = Glibc.open("/", Self.walk)
    for (index, part) in parts.enumerated() where descriptor >= 0 {
      let isLast = index == parts.count - 1
      let next = openat(descriptor, part, (isLast ? flags : Self.walk) | O_NOFOLLOW)
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

  /// Whether a path is one of the client's closed folders, or in one.
  package static func isClosed(_ path: String) -> Bool {
    guard let current else { return false }
    let path = plain(path)
    return current.closed.contains { contains($0, path) }
  }

  private func admits(_ path: String, asFolder isFolder: Bool) -> Bool {
    let path = Self.plain(path)
    return folders.contains { Self.contains($0, path) }
      && !closed.contains { Self.contains($0, path) || !isFolder && Self.contains(path, $0) }
  }

  /// A path with single slashes, and none at its end.
  private static func plain(_ path: String) -> String { "/" + parts(of: path).joined(separator: "/") }

  /// By bytes, as the system splits a path: a letter that combines with a slash is one character with it.
  fileprivate static func parts(of path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  private static func contains(_ folder: String, _ path: String) -> Bool {
    sameBytes(folder, path) || path.utf8.starts(with: (folder == "/" ? "/" : folder + "/").utf8)
  }

  /// Checks that a confined client changes only a setting with a path that it made itself.
  ///
  /// - Parameters:
  ///   - path: the path of the setting.
  ///   - maker: the confinement of the client that made it.
  /// - Throws: `notAllowed`.
  package static func requireOwn(
    _ path: String, madeBy maker: FileConfinement?, for client: FileConfinement?
  ) throws(RPCError) {
    guard let client, client != maker else { return }
    throw RPCError(.notAllowed, text: Text("file.otherSetting", ["path": path]))
  }

  // MARK: Storing

  /// `{"folders":["/home/ann/papers"],"closed":[]}`, for the row of a setting.
  package var json: String {
    func list(_ paths: [String]) -> JSONValue { .array(paths.map { .string($0) }) }
    return JSONValue.object(["folders": list(folders), "closed": list(closed)]).description
  }

  /// A text that `json` did not write admits no file.
  package init(json: String) {
    let value = try? JSONParser.parse(json)
    func list(_ name: String) -> [String]? { value?[name]?.arrayValue?.compactMap(\.stringValue) }
    if let folders = list("folders"), let closed = list("closed") {
      self.init(folders: folders, closed: closed)
    } else {
      self.init(folders: [], closed: [])
    }
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
    path = "/proc/self/fd/\(folder)/\(FileConfinement.parts(of: end).last ?? "")"
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
