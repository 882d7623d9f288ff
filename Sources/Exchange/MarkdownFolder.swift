import FoundationEssentials
import Glibc
import Kit
import Store

/// The Markdown files of a folder and of all folders in it, by name, except hidden ones and symbolic links; or the
/// files of another kind.
package struct MarkdownFolder {
  private let root: String
  private let accepts: (String) -> Bool
  private let checkCancelled: () throws -> Void
  private let body: Visiting
  /// The number of files found.
  private var number = 0
  /// The number of bytes read. All are in memory, so together they may not exceed the limit of one file.
  private var size = 0

  /// `bytes` is nil for a file or a folder that cannot be read, and for a folder that is nested too deeply: none of
  /// them stops an import.
  ///
  /// - Parameters:
  ///   - relative: the path within the folder.
  ///   - number: the file's number, from 1.
  package typealias Visiting = (_ relative: String, _ number: Int, _ bytes: [UInt8]?) throws -> Void

  package static let limit = 256 << 20
  private static let fileLimit = 16 << 20
  private static let depth = 16

  /// Passes every file to `body`.
  ///
  /// - Parameter accepts: whether a file is read, by its name.
  /// - Throws: `FileFailure` if the folder itself cannot be read, `tooLarge`, and whatever `checkCancelled` and `body`
  ///   throw.
  package static func each(
    in path: String, where accepts: @escaping (String) -> Bool = isMarkdown, checkCancelled: () throws -> Void,
    _ body: Visiting
  ) throws {
    try withoutActuallyEscaping(checkCancelled) { checkCancelled in
      try withoutActuallyEscaping(body) { body in
        var folder = MarkdownFolder(
          root: path, accepts: accepts, checkCancelled: checkCancelled, body: body)
        try folder.read(below: "", depth: 0)
      }
    }
  }

  package static func isMarkdown(_ name: String) -> Bool {
    [".md", ".markdown"].contains { name.lowercased().hasSuffix($0) }
  }

  private init(
    root: String, accepts: @escaping (String) -> Bool, checkCancelled: @escaping () throws -> Void,
    body: @escaping Visiting
  ) {
    (self.root, self.accepts, self.checkCancelled, self.body) = (root, accepts, checkCancelled, body)
  }

  private mutating func read(below folder: String, depth: Int) throws {
    try checkCancelled()
    let names: [String]
    do {
      names = try Self.names(in: root + "/" + folder).sorted()
    } catch {
      guard depth > 0 else { throw FileFailure(path: root + "/" + folder, EACCES) }
      return try visit(folder, nil)
    }
    for name in names where !name.hasPrefix(".") {
      let relative = folder.isEmpty ? name : folder + "/" + name
      var information = stat()
      guard lstat(root + "/" + relative, &information) == 0 else { continue }
      switch information.st_mode & S_IFMT {
      case S_IFDIR where depth < Self.depth: try read(below: relative, depth: depth + 1)
      case S_IFDIR: try visit(relative, nil)
      case S_IFREG where accepts(name):
        try checkCancelled()
        let bytes = try? GivenFile(named: root + "/" + relative, limit: Self.fileLimit, followingLinks: false).bytes()
        size += bytes?.count ?? 0
        guard size <= Self.limit else { throw GivenFile.tooLarge(Self.limit) }
        try visit(relative, bytes)
      default: break
      }
    }
  }

  private mutating func visit(_ relative: String, _ bytes: [UInt8]?) throws {
    number += 1
    try body(relative, number, bytes)
  }

  private static func names(in path: String) throws -> [String] {
    let descriptor = FileConfinement.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno) }
    defer { close(descriptor) }
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(descriptor)")
  }
}
