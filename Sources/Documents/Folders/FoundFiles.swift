import Glibc
import Kit
import Store
import Wire

/// The result of scanning files and folders.
struct FoundFiles: Sendable {
  struct File: Sendable {
    var path: String
    /// Differs whenever the file has changed: inode, size, and the times of the last change of the bytes and of the
    /// inode. Programs can set back the first time only.
    var signature: String

    init(_ path: String, _ information: stat) {
      self.path = path
      let times = [information.st_mtim, information.st_ctim].map { "\($0.tv_sec).\($0.tv_nsec)" }
      signature = "\(information.st_ino):\(information.st_size):\(times[0]):\(times[1])"
    }
  }

  /// A skipped file or folder, and the reason.
  struct Problem: Sendable {
    var path: String
    var error: RPCError
  }

  /// - Throws: `notFound` if it does not exist, `notAllowed` if it is not a folder or cannot be entered.
  static func requireFolder(_ path: String) throws {
    var information = stat()
    let file = FileConfinement.open(path, FileConfinement.pathOnly | O_CLOEXEC)
    guard file >= 0 else { throw RPCError(FileFailure(path: path, errno)) }
    defer { close(file) }
    guard fstat(file, &information) == 0 else { throw RPCError(FileFailure(path: path, errno)) }
    guard information.st_mode & S_IFMT == S_IFDIR else {
      throw RPCError(.notAllowed, text: Text("documents.notFolder", ["path": path]))
    }
  }

  var files: [File] = []
  var problems: [Problem] = []
  /// How many entries of folders were ignored: hidden ones, links, special files, and files whose name does not
  /// match.
  var ignored = 0
  /// Whether a bound ended the scan.
  var isCutOff = false

  /// Whether a path is in a skipped part, so that its state is unknown.
  func isUnknown(_ path: String) -> Bool {
    isCutOff || problems.contains { sameBytes($0.path, path) || $0.path.contains(path: path) }
  }
}

/// Finds files in folders. Links and hidden files are ignored, so no loop of links is entered.
///
/// An unscannable folder is reported as a problem in the result, and the scan continues: a folder that cannot be
/// read, that has more entries than the bound, that is on another file system than the named one, or that is closed to
/// the client (`FileConfinement`).
struct FolderScan {
  struct Limits: Sendable {
    /// Files of one scan.
    var files = 10_000
    /// Entries of one folder.
    var entries = 50_000
    /// Entries of one scan.
    var allEntries = 1_000_000
    var problems = 1_000
    var depth = 64
  }

  private let isRecursive: Bool
  private let patterns: NamePatterns
  private let limits: Limits
  private let checkCancelled: () throws -> Void
  private var found = FoundFiles()
  /// How many entries of folders were read.
  private var entries = 0
  /// The file system of the named folder.
  private var device: dev_t = 0
  /// The folders that contain the scanned folder.
  private var ancestors: [(device: dev_t, inode: ino_t)] = []

  /// Explicitly named files are included whatever their names are, and links among them are followed.
  ///
  /// - Throws: the error of `checkCancelled`.
  static func files(
    at paths: [String], recursive: Bool, patterns: NamePatterns, limits: Limits = Limits(),
    checkCancelled: () throws -> Void
  ) throws -> FoundFiles {
    try withoutActuallyEscaping(checkCancelled) { checkCancelled in
      var scan = FolderScan(
        isRecursive: recursive, patterns: patterns, limits: limits, checkCancelled: checkCancelled)
      for path in paths {
        if scan.found.isCutOff { scan.skip(path) } else { try scan.take(path) }
      }
      return scan.found
    }
  }

  private init(
    isRecursive: Bool, patterns: NamePatterns, limits: Limits, checkCancelled: @escaping () throws -> Void
  ) {
    (self.isRecursive, self.patterns, self.limits) = (isRecursive, patterns, limits)
    self.checkCancelled = checkCancelled
  }

  private mutating func take(_ path: String) throws {
    var information = stat()
    let file = FileConfinement.open(path, FileConfinement.pathOnly | O_CLOEXEC)
    guard file >= 0 else { return note(path, errno) }
    defer { close(file) }
    guard fstat(file, &information) == 0 else { return note(path, errno) }
    guard information.st_mode & S_IFMT == S_IFDIR else { return add(path, information) }
    device = information.st_dev
    try scan(
      FileConfinement.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), path == "/" ? "" : path.withoutTrailingSlashes)
  }

  /// Notes a path that was not scanned because a bound had ended the scan: no given path is missing in a report.
  private mutating func skip(_ path: String) {
    let error = RPCError(.tooLarge, text: Text("documents.notScanned", ["path": path]))
    found.problems.append(FoundFiles.Problem(path: path, error: error))
  }

  private mutating func note(_ path: String, _ errno: Int32) {
    note(path, RPCError(FileFailure(path: path, errno)))
  }

  private mutating func note(_ path: String, _ text: Text) { note(path, RPCError(.tooLarge, text: text)) }

  private mutating func note(_ path: String, _ error: RPCError) {
    guard found.problems.count < limits.problems else {
      return cutOff(path, Text("documents.tooManyProblems", ["path": path, "limit": String(limits.problems)]))
    }
    found.problems.append(FoundFiles.Problem(path: path, error: error))
  }

  /// Ends the scan; the first reason is noted.
  private mutating func cutOff(_ path: String, _ text: Text) {
    if found.isCutOff { return }
    found.isCutOff = true
    found.problems.append(FoundFiles.Problem(path: path, error: RPCError(.tooLarge, text: text)))
  }

  private mutating func add(_ path: String, _ information: stat) {
    guard found.files.count < limits.files else {
      return cutOff(path, Text("documents.tooManyFiles", ["path": path, "limit": String(limits.files)]))
    }
    found.files.append(FoundFiles.File(path, information))
  }

  /// - Parameter descriptor: an open folder, which is closed; -1 if it could not be opened.
  private mutating func scan(_ descriptor: Int32, _ path: String) throws {
    try checkCancelled()
    guard descriptor >= 0, let folder = fdopendir(descriptor) else {
      let error = errno
      if descriptor >= 0 { close(descriptor) }
      return note(path, error)
    }
    defer { closedir(folder) }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { return note(path, errno) }
    let place = (device: information.st_dev, inode: information.st_ino)
    if place.device != device {
      return note(path, RPCError(.notAllowed, text: Text("documents.otherFileSystem", ["path": path])))
    }
    if ancestors.contains(where: { $0 == place }) {
      return note(path, Text("documents.folderLoop", ["path": path]))
    }
    if ancestors.count >= limits.depth {
      return note(path, Text("documents.folderTooDeep", ["path": path, "limit": String(limits.depth)]))
    }
    guard let names = try names(in: folder, path) else { return }
    ancestors.append(place)
    defer { ancestors.removeLast() }
    for name in names.sorted() where !found.isCutOff {
      guard fstatat(descriptor, name, &information, AT_SYMLINK_NOFOLLOW) == 0 else {
        // Removed since.
        if errno != ENOENT { note("\(path)/\(name)", errno) }
        continue
      }
      switch information.st_mode & S_IFMT {
      case S_IFREG where patterns.matches(name): add("\(path)/\(name)", information)
      case S_IFDIR where isRecursive && FileConfinement.isClosed("\(path)/\(name)"):
        note("\(path)/\(name)", EACCES)
      case S_IFDIR where isRecursive:
        try scan(
          openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), "\(path)/\(name)")
      default: found.ignored += 1
      }
    }
  }

  /// The names in a folder except hidden ones; nil for a folder with too many, which is noted.
  private mutating func names(in folder: OpaquePointer, _ path: String) throws -> [String]? {
    var names: [String] = []
    var count = 0
    errno = 0
    while let entry = readdir(folder) {
      let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if bytes == [0x2E] || bytes == [0x2E, 0x2E] { continue }
      count += 1
      if count % 1_000 == 0 { try checkCancelled() }
      guard count <= limits.entries else {
        note(path, Text("documents.folderTooLarge", ["path": path, "limit": String(limits.entries)]))
        return nil
      }
      entries += 1
      guard entries <= limits.allEntries else {
        cutOff(path, Text("documents.tooManyEntries", ["path": path, "limit": String(limits.allEntries)]))
        return nil
      }
      if bytes.first == 0x2E {
        found.ignored += 1
      } else if let name = String(validating: bytes, as: UTF8.self) {
        names.append(name)
      } else {
        let path = "\(path)/\(String(decoding: bytes, as: UTF8.self))"
        note(path, RPCError(.notAllowed, text: Text("documents.nameNotText", ["path": path])))
      }
      errno = 0
    }
    if errno != 0 { note(path, errno) }
    return names
  }
}
