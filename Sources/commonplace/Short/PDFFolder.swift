import Glibc

/// The PDF files in a folder and in the folders below it. Hidden files and links are left alone, so no folder is visited
/// twice.
struct PDFFolder {
  private(set) var files: [String] = []
  /// Folders that could not be read.
  private(set) var failures: [(path: String, errno: Int32)] = []
  /// Whether there are more than the limits allow.
  private(set) var isCut = false

  static let mostFiles = 10_000
  private static let mostEntries = 1_000_000
  private static let deepest = 64
  private var entries = 0

  init(_ path: String) {
    visit(path, depth: 0)
  }

  private mutating func visit(_ path: String, depth: Int) {
    guard depth < Self.deepest, let folder = opendir(path) else {
      failures.append((path, depth < Self.deepest ? errno : ELOOP))
      return
    }
    var names: [(name: String, isFolder: Bool)] = []
    while let entry = readdir(folder) {
      entries += 1
      guard entries <= Self.mostEntries else {
        isCut = true
        break
      }
      let name = withUnsafePointer(to: entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix("."), let isFolder = Self.isFolder(entry.pointee, path + "/" + name) else { continue }
      if isFolder || name.lowercased().hasSuffix(".pdf") { names.append((name, isFolder)) }
    }
    closedir(folder)
    for (name, isFolder) in names.sorted(by: { $0.name < $1.name }) {
      guard files.count < Self.mostFiles else {
        isCut = true
        return
      }
      if isFolder { visit(path + "/" + name, depth: depth + 1) } else { files.append(path + "/" + name) }
    }
  }

  /// Nil for what is neither a folder nor a regular file.
  private static func isFolder(_ entry: dirent, _ path: String) -> Bool? {
    switch Int(entry.d_type) {
    case Int(DT_DIR): return true
    case Int(DT_REG): return false
    case Int(DT_UNKNOWN):
      var information = stat()
      guard lstat(path, &information) == 0 else { return nil }
      let type = information.st_mode & S_IFMT
      return type == S_IFDIR ? true : type == S_IFREG ? false : nil
    default: return nil
    }
  }
}
