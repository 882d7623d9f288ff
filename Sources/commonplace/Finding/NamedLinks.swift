import Display
import FoundationEssentials
import Glibc
import Store
import Wire

/// Links with readable names to PDFs of the library, whose own names are hashes: `~/.cache/commonplace/open/A paper.pdf`.
///
/// A viewer shows the name, and remembers the page by it. The folder has only links, and can be removed at any time.
struct NamedLinks {
  private let folder: String

  /// With more links the oldest are removed.
  private static let most = 200
  /// Of a name without its ending.
  private static let longestName = 120

  init(in caches: String) { folder = caches + "/open" }

  /// A link to a file, named by a title; the file itself if it is no PDF, or if no link can be made.
  func link(to file: String, title: String) -> String {
    guard Self.isPDF(file), isOwnFolder else { return file }
    let name = Self.name(of: title)
    // Another document of this title may be open in a viewer.
    for name in [name, "\(name) \(file.suffix(8))"] {
      let path = folder + "/" + name + ".pdf"
      if target(of: path) == file { return path }
      guard symlink(file, path) == 0 else { continue }
      prune()
      return path
    }
    return file
  }

  private var isOwnFolder: Bool {
    mkdir(parentFolder(of: folder), 0o700)
    mkdir(folder, 0o700)
    var information = stat()
    return lstat(folder, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
      && information.st_uid == geteuid()
  }

  private static func isPDF(_ file: String) -> Bool {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 && bytes[..<count].firstRange(of: Array("%PDF-".utf8)) != nil
  }

  /// A title as the name of a file: without slashes and control characters, and no hidden one.
  static func name(of title: String) -> String {
    let words = TerminalText.line(title, longest: longestName).map { $0 == "/" || $0 == "\\" ? "-" : $0 }
    var name = String(words.drop { $0 == "." || $0 == "-" || $0 == " " })
    if name.lowercased().hasSuffix(".pdf") { name.removeLast(4) }
    while name.utf8.count > longestName { name.removeLast() }
    return name.isEmpty ? "document" : name
  }

  private func target(of link: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }

  /// Removes links whose file is gone, and the oldest of too many; never anything else.
  private func prune() {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).prefix(4 * Self.most)
    var links: [(path: String, time: Int)] = []
    for path in names.map({ folder + "/" + $0 }) {
      var information = stat()
      guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFLNK else { continue }
      if access(path, F_OK) == 0 { links.append((path, information.st_mtim.tv_sec)) } else { unlink(path) }
    }
    for link in links.sorted(by: { $0.time < $1.time }).dropLast(Self.most) { unlink(link.path) }
  }
}
