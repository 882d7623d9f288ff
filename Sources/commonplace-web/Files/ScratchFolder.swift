import FoundationEssentials
import Glibc
import Synchronization
import Wire

/// A folder of this bridge among the daemon's caches, for uploads and exports on their way. Only the user can read it.
///
/// It is locked as long as the bridge lives, so that the next bridge removes those of killed ones.
final class ScratchFolder: Sendable {
  private static let prefix = "web-"

  let path: String
  private let lock: Int32
  private let lastNumber = Atomic(0)

  /// - Throws: `BridgeFailure` if it cannot be created.
  init(in caches: String) throws(BridgeFailure) {
    Self.removeLeftovers(in: caches)
    path = "\(caches)/\(Self.prefix)\(getpid())"
    try? FileManager.default.createDirectory(
      atPath: caches, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    Self.remove(path)
    guard mkdir(path, 0o700) == 0 else { throw .system("web.failed", errno) }
    lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw .system("web.failed", errno) }
  }

  /// A new folder in it, for one file with a name of the client's choice.
  func makeFolder() -> String? {
    let folder = "\(path)/\(lastNumber.add(1, ordering: .relaxed).newValue)"
    return mkdir(folder, 0o700) == 0 ? folder : nil
  }

  /// Writes a new file, and returns its path.
  func write(_ text: String, named name: String) -> String? {
    let file = "\(path)/\(name)"
    let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    return Glibc.write(descriptor, bytes, bytes.count) == bytes.count ? file : nil
  }

  func remove() {
    Self.remove(path)
  }

  private static func removeLeftovers(in caches: String) {
    for name in names(in: caches) where name.hasPrefix(prefix) {
      let folder = open("\(caches)/\(name)", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard folder >= 0 else { continue }
      if flock(folder, LOCK_EX | LOCK_NB) == 0 { remove("\(caches)/\(name)") }
      close(folder)
    }
  }

  /// Removes a file, or a folder with everything in it.
  static func remove(_ path: String) {
    guard unlink(path) != 0, errno == EISDIR else { return }
    for name in names(in: path) { remove("\(path)/\(name)") }
    rmdir(path)
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
