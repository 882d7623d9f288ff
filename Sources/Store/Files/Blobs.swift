import Crypto
import FoundationEssentials
import Glibc
import Wire

/// Content-addressed files, by the SHA-256 of their bytes.
///
/// A blob is complete and on disk before any row refers to it: temporary file, fsync, rename, fsync of the folder, and
/// only then the row, in a transaction that checks that the file exists. Only the writer deletes blobs.
package struct Blobs: Sendable {
  package let folder: String

  package init(folder: String) {
    self.folder = folder
  }

  package struct Blob: Sendable, Equatable {
    /// SHA-256 in lower-case hexadecimal.
    package var hash: String
    /// In bytes.
    package var size: Int64
  }

  package func path(_ hash: BlobHash) -> String {
    "\(folder)/\(hash.text.prefix(2))/\(hash.text.dropFirst(2))"
  }

  /// The path of the blob to which a row refers.
  ///
  /// - Throws: `StoreError.broken` if the text is not a hash.
  package func path(named text: String) throws(StoreError) -> String {
    guard let hash = BlobHash(text) else { throw .broken(path: folder, reason: "badHash") }
    return path(hash)
  }

  package func contains(_ text: String) -> Bool {
    BlobHash(text).map { access(path($0), R_OK) == 0 } ?? false
  }

  /// Moves a finished file into the store: hashes, syncs and renames it. The file must lie on the library's file
  /// system.
  ///
  /// It also replaces a file of the same name. The bytes are the same, but complete if the old file was damaged, and
  /// recent, so that no sweep deletes them before their row is committed.
  ///
  /// - Throws: `FileFailure`.
  package func adopt(file: String) throws -> Blob {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw FileFailure(path: file, errno) }
    defer { close(descriptor) }
    let blob = try Self.hash(descriptor: descriptor, path: file)
    guard fsync(descriptor) == 0 else { throw FileFailure(path: file, errno) }
    let place = try path(named: blob.hash)
    let parent = parentFolder(of: place)
    guard mkdir(parent, 0o700) == 0 || errno == EEXIST else { throw FileFailure(path: parent, errno) }
    fchmod(descriptor, 0o400)
    futimens(descriptor, nil)
    guard rename(file, place) == 0 else { throw FileFailure(path: place, errno) }
    try Self.sync(folder: parent)
    // Also if the folder existed: the process that created it may not have synced it.
    try Self.sync(folder: folder)
    return blob
  }

  /// Reads a descriptor from its beginning to its end.
  ///
  /// - Throws: `FileFailure` if it cannot be read.
  package static func hash(descriptor: Int32, path: String) throws -> Blob {
    var hasher = SHA256()
    var size: Int64 = 0
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(size)) }
      guard count >= 0 else { throw FileFailure(path: path, errno) }
      if count == 0 { break }
      buffer.withUnsafeBytes { hasher.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      size += Int64(count)
    }
    return Blob(hash: hasher.hexadecimal(), size: size)
  }

  /// Hash and size of a file at any path.
  ///
  /// - Throws: `FileFailure`.
  package static func hash(path: String) throws -> Blob {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno) }
    defer { close(descriptor) }
    return try hash(descriptor: descriptor, path: path)
  }

  /// SHA-256 of bytes in memory, in lower-case hexadecimal.
  package static func hash(of bytes: [UInt8]) -> String {
    SHA256.hexadecimal(of: bytes)
  }

  /// Whether the bytes on disk still have the hash that names them.
  package func isIntact(_ text: String) -> Bool {
    guard let path = try? path(named: text) else { return false }
    return (try? Self.hash(path: path).hash) == text
  }

  /// The hashes of all files in the store, in no order.
  package func all() -> [String] {
    let manager = FileManager.default
    let folders = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
    return folders.filter { $0.count == 2 }.flatMap { first in
      ((try? manager.contentsOfDirectory(atPath: folder + "/" + first)) ?? []).map { first + $0 }
    }.filter { BlobHash($0) != nil }
  }

  static func sync(folder: String) throws {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(path: folder, errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw FileFailure(path: folder, errno) }
  }
}
