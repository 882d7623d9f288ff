import Wire

/// A path as a key, compared byte by byte. Swift's `==` treats composed and decomposed names as equal, but on Linux they
/// are two files.
struct PathKey: Hashable, Sendable {
  let path: String

  init(_ path: String) { self.path = path }

  static func == (left: PathKey, right: PathKey) -> Bool { sameBytes(left.path, right.path) }

  func hash(into hasher: inout Hasher) {
    var path = path
    path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether the path is in this folder, or in a folder in it.
  func contains(path: String) -> Bool {
    let folder = utf8.last == 0x2F ? utf8.dropLast() : utf8[...]
    return path.utf8.starts(with: folder) && path.utf8.dropFirst(folder.count).first == 0x2F
  }
}
