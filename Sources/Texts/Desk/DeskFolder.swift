import Glibc
import Kit
import Store
import Synchronization
import Wire

/// The folder of the desk: `$XDG_STATE_HOME/commonplace/desk/3f9a02c1/diary/2026-11-26.md`.
///
/// It holds nothing that the library does not have, but what somebody has written into a file and not yet saved.
struct DeskFolder: Sendable {
  let path: String
  /// The same without symbolic links, as some editors name its files.
  private let resolved = Resolved()

  /// Several libraries may share the state folder. The name is a hash, since an attacker may choose the id of a library.
  init(_ services: Services) {
    let name = Blobs.hash(of: Array(services.library.identity.id.utf8)).prefix(8)
    path = "\(services.stateFolder)/desk/\(name)"
  }

  func file(of text: TextPath) -> String { "\(path)/\(text.text)" }

  func uri(of text: TextPath) -> String { "file://" + FileURI.encoded(file(of: text)) }

  /// The text of a file; nil for a file elsewhere.
  func text(ofFile uri: String) -> TextPath? {
    guard let file = FileURI.path(of: uri) else { return nil }
    for folder in [path, resolved(path)].compactMap(\.self) where file.hasPrefix(folder + "/") {
      return TextPath(parsing: String(file.dropFirst(folder.count + 1)))
    }
    return nil
  }

  /// The real path of a folder, from the moment when it is there.
  private final class Resolved: Sendable {
    private let known = Mutex<String?>(nil)

    func callAsFunction(_ path: String) -> String? {
      known.withLock { known in
        if known == nil, let real = realpath(path, nil) {
          known = String(cString: real)
          free(real)
        }
        return known
      }
    }
  }

  /// Nil if there is no such file.
  ///
  /// - Throws: `FileFailure`; `RPCError` for something else than a file, or one that is too large.
  func read(_ text: TextPath) throws -> [UInt8]? {
    do {
      return try GivenFile(
        opening: file(of: text), limit: 2 * RenderedText.mostBytes, followingLinks: false
      ).bytes()
    } catch let failure as FileFailure where failure.isMissing {
      return nil
    }
  }

  /// Differs once a program has written the file.
  struct Stamp: Equatable {
    var inode: UInt
    var size: Int
    var seconds: Int
    var nanoseconds: Int
  }

  /// Nil if there is no such file.
  func stamp(of text: TextPath) -> Stamp? { stamp(ofFile: file(of: text)) }

  private func stamp(ofFile file: String) -> Stamp? {
    var information = stat()
    guard lstat(file, &information) == 0 else { return nil }
    return Stamp(
      inode: UInt(information.st_ino), size: Int(information.st_size), seconds: Int(information.st_mtim.tv_sec),
      nanoseconds: Int(information.st_mtim.tv_nsec))
  }

  var exists: Bool { access(path, F_OK) == 0 }

  func has(_ text: TextPath) -> Bool { access(file(of: text), F_OK) == 0 }

  /// Writes a file beside its place and renames it: an editor reads the old one or the new one.
  ///
  /// - Returns: the stamp of the file as it was written.
  /// - Throws: `FileFailure`.
  func write(_ bytes: [UInt8], as text: TextPath) throws -> Stamp? {
    let file = file(of: text)
    try makeFolders(above: file)
    let temporary = file + ".part"
    unlink(temporary)
    try NewFile(at: temporary).write(bytes)
    // Under the file's own name another program could already have written it again.
    let stamp = stamp(ofFile: temporary)
    guard rename(temporary, file) == 0 else { throw FileFailure(path: file, errno) }
    return stamp
  }

  /// Renames a file that is not ours to overwrite.
  ///
  /// - Throws: `FileFailure`.
  func setAside(_ text: TextPath) throws {
    let file = file(of: text)
    guard rename(file, file + "~") == 0 || errno == ENOENT else { throw FileFailure(path: file, errno) }
  }

  func remove(_ text: TextPath) { unlink(file(of: text)) }

  private func makeFolders(above file: String) throws {
    let parent = parentFolder(of: file)
    if mkdir(parent, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, parent.utf8.count > 1 else { throw FileFailure(path: parent, errno) }
    try makeFolders(above: parent)
    guard mkdir(parent, 0o700) == 0 || errno == EEXIST else { throw FileFailure(path: parent, errno) }
  }
}

/// `file:` URIs (RFC 8089) of local files.
enum FileURI {
  static func encoded(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encoded(String($0)) }
      .joined(separator: "/")
  }

  /// - Returns: nil for another scheme, another host, or an escape that is broken.
  static func path(of uri: String) -> String? {
    guard uri.utf8.count <= 8_192, uri.hasPrefix("file://") else { return nil }
    var rest = uri.dropFirst("file://".count)
    if rest.hasPrefix("localhost/") { rest = rest.dropFirst("localhost".count) }
    guard rest.hasPrefix("/"), let path = PercentEncoding.decoded(rest), !path.hasNUL else { return nil }
    return path
  }
}
