import FoundationEssentials
import Glibc
import Kit
import Store
import Wire

/// The folder of a mirror. It is held open, so that another folder that replaces it is not written to. Symbolic links
/// in it are not followed.
struct MirrorFolder: ~Copyable {
  /// The folder is not, or not any more, one that this library may write to.
  struct Unmarked: Error {}

  static let markerName = ".commonplace-mirror"
  /// The part of a name between the original name of a file and the revision for which it was set aside.
  static let asideInfix = ".edited-"
  private static let fileLimit = 16 << 20

  let path: String
  private let descriptor: Int32

  /// Opens a folder that has the marker of this library.
  ///
  /// - Throws: `Unmarked` if it does not exist or has another marker.
  init(opening path: String, marker: String) throws {
    let descriptor = FileConfinement.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw Unmarked() }
    guard let found = try? Self.read(Self.markerName, in: descriptor), found.elementsEqual(marker.utf8) else {
      close(descriptor)
      throw Unmarked()
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Creates a new folder with the marker of this library.
  ///
  /// - Throws: `FileFailure`, with EEXIST if the path exists.
  static func create(_ path: String, marker: String) throws {
    let place = NamedPlace(path)
    guard mkdir(place.path, 0o700) == 0 else { throw FileFailure(path: path, errno) }
    do {
      let file = try NewFile(at: place.path + "/" + markerName)
      try file.write(Array(marker.utf8))
      try file.sync()
    } catch let failure as FileFailure {
      throw FileFailure(path: place.named(failure.path), failure.errno)
    }
  }

  /// Nil if there is no regular file of this name.
  func read(_ name: String) throws -> [UInt8]? { try Self.read(name, in: descriptor) }

  private static func read(_ name: String, in descriptor: Int32) throws -> [UInt8]? {
    do {
      return try GivenFile(opening: name, in: descriptor, limit: fileLimit, followingLinks: false).bytes()
    } catch let failure as FileFailure where failure.errno == ENOENT || failure.errno == ELOOP {
      return nil
    } catch is RPCError {
      return nil
    }
  }

  func has(_ name: String) -> Bool {
    var information = stat()
    return fstatat(descriptor, name, &information, AT_SYMLINK_NOFOLLOW) == 0
  }

  /// Writes a file beside its place and renames it: a program that reads it sees the old one or the new one.
  ///
  /// - Returns: the new name of the old file, which somebody may have saved a moment ago; nil if there was none, or on
  ///   a file system that cannot exchange two files.
  func write(_ bytes: [UInt8], as name: String) throws -> String? {
    let temporary = ".\(name).part"
    unlinkat(descriptor, temporary, 0)
    try NewFile(at: temporary, in: descriptor).write(bytes)
    if exchangeFiles(temporary, name, in: descriptor) { return temporary }
    try rename(temporary, to: name)
    return nil
  }

  func rename(_ name: String, to other: String) throws {
    guard renameat(descriptor, name, descriptor, other) == 0 else { throw FileFailure(path: "\(path)/\(name)", errno) }
  }

  func remove(_ name: String) throws {
    guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
      throw FileFailure(path: "\(path)/\(name)", errno)
    }
  }

  /// Writes a photo or another file beside the texts, unless it is there.
  ///
  /// - Throws: `FileFailure`, `StoreError.broken`.
  func write(_ file: FileRecord, from blobs: Blobs) throws {
    let name = "\(file.id)\(file.fileExtension)"
    guard mkdirat(descriptor, FileEmbeds.folder, 0o700) == 0 || errno == EEXIST else {
      throw FileFailure(path: "\(path)/\(FileEmbeds.folder)", errno)
    }
    let inner = openat(descriptor, FileEmbeds.folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard inner >= 0 else { throw FileFailure(path: "\(path)/\(FileEmbeds.folder)", errno) }
    defer { close(inner) }
    var information = stat()
    if fstatat(inner, name, &information, AT_SYMLINK_NOFOLLOW) == 0, Int64(information.st_size) == file.size { return }
    let temporary = ".\(name).part"
    unlinkat(inner, temporary, 0)
    let source = try GivenFile(opening: blobs.path(named: file.hash), limit: .max)
    let output = try NewFile(at: temporary, in: inner)
    try source.forEachPart { try output.write($0) }
    guard renameat(inner, temporary, inner, name) == 0 else {
      throw FileFailure(path: "\(path)/\(FileEmbeds.folder)/\(name)", errno)
    }
  }

  /// The files that it wrote beside the texts.
  func shownFiles() throws -> [(hash: String, name: String)] {
    let inner = openat(descriptor, FileEmbeds.folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard inner >= 0 else { return [] }
    defer { close(inner) }
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(inner)").compactMap { name in
      BlobHash(String(name.prefix { $0 != "." })).map { ($0.text, "\(FileEmbeds.folder)/\(name)") }
    }
  }

  /// The files that this library wrote, by item. A file without an epoch is from an earlier version, since the marker
  /// identifies the library; a file of another history was put there by somebody.
  func items<Item: MirroredItem>(_ type: Item.Type, of library: LibraryIdentity) throws -> [String: MirroredFile] {
    var found: [String: MirroredFile] = [:]
    for name in try names() {
      guard let file = try content(name, Item.self) else { continue }
      guard let id = file.id, let revision = file.revision, revision.epoch ?? library.epoch == library.epoch,
        Item.isMirrorName(name, of: id), !name.contains(Self.asideInfix), revision.number > found[id]?.revision ?? -1
      else { continue }
      var values = file.values
      values["text"] = MirroredFile.hash(of: file.text)
      found[id] = MirroredFile(name: name, revision: revision.number, values: values)
    }
    return found
  }

  /// The files that were set aside, by name, with the hashes of their texts. The hash is empty for a file that is no
  /// UTF-8.
  func setAside<Item: MirroredItem>(_ type: Item.Type) throws -> [String: String] {
    var found: [String: String] = [:]
    for name in try names() where name.contains(Self.asideInfix) {
      found[name] = try content(name, Item.self).map { MirroredFile.hash(of: $0.text) } ?? ""
    }
    return found
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd/\(descriptor)").filter {
      $0.hasSuffix(".md") && !$0.hasPrefix(".")
    }
  }

  private func content<Item: MirroredItem>(_ name: String, _ type: Item.Type) throws -> MirroredContent? {
    try read(name).flatMap { String(validating: $0, as: UTF8.self) }.map(Item.mirrored)
  }
}

/// A file that the mirror wrote, and the revision of its item.
struct MirroredFile: Sendable {
  var name: String
  var revision: Int64
  /// What it states, if it was read: by column, of the text its hash.
  var values: [String: String]?

  static func hash(of text: String) -> String { Blobs.hash(of: Array(text.utf8)) }
}

/// The files of the folder, by item, and the clock of the library with which they agree.
struct MirroredState: Sendable {
  var clock: Int64
  var files: [String: MirroredFile]
}
