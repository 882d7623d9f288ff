import Glibc
import Kit
import Store

/// A file that arrives piece by piece: it goes on where an earlier run stopped.
struct PieceFile: Sendable {
  let path: String

  init(of hash: BlobHash, in folder: LibraryFolder) { path = "\(folder.parts)/\(hash.text)\(Self.ending)" }

  private static let ending = ".fetched"

  /// The number of pieces that are there. What a crash left of another one is cut off.
  ///
  /// - Throws: `FileFailure`.
  func pieces() throws -> Int {
    try withFile(O_RDWR | O_CREAT) { descriptor in
      var information = stat()
      guard fstat(descriptor, &information) == 0 else { throw FileFailure(path: path, errno) }
      let count = Int(information.st_size) / PieceSealing.pieceBytes
      guard ftruncate(descriptor, off_t(count * PieceSealing.pieceBytes)) == 0 else {
        throw FileFailure(path: path, errno)
      }
      return count
    }
  }

  /// - Throws: `FileFailure`, when the piece is not there.
  func write(_ bytes: [UInt8], _ index: Int) throws {
    try withFile(O_WRONLY) { descriptor in
      var done = 0
      while done < bytes.count {
        let place = off_t(index * PieceSealing.pieceBytes + done)
        let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress! + done, bytes.count - done, place) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          let failure = FileFailure(path: path, count < 0 ? errno : EIO)
          ftruncate(descriptor, off_t(index * PieceSealing.pieceBytes))
          throw failure
        }
        done += count
      }
    }
  }

  func remove() { unlink(path) }

  private func withFile<Result>(_ flags: Int32, _ body: (Int32) throws -> Result) throws -> Result {
    let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno) }
    defer { close(descriptor) }
    return try body(descriptor)
  }

  /// How long a file may wait to be continued, in seconds.
  private static let age = 7 * 24 * 3_600

  /// Removes files that nothing has continued for a week.
  static func removeLeftovers(in folder: LibraryFolder, now: Int64) {
    guard let stream = opendir(folder.parts) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      let path = "\(folder.parts)/\(name)"
      var information = stat()
      guard name.hasSuffix(ending), lstat(path, &information) == 0,
        Int64(information.st_mtim.tv_sec) < now / 1_000 - Int64(age)
      else { continue }
      unlink(path)
    }
  }
}

/// Reads a piece of a file that is here.
///
/// - Throws: `FileFailure`.
func readPiece(_ index: Int, ofFileAt path: String) throws -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
  guard descriptor >= 0 else { throw FileFailure(path: path, errno) }
  defer { close(descriptor) }
  var failure: FileFailure?
  let bytes = [UInt8](unsafeUninitializedCapacity: PieceSealing.pieceBytes) { buffer, done in
    while done < buffer.count {
      let place = off_t(index * PieceSealing.pieceBytes + done)
      let count = pread(descriptor, buffer.baseAddress! + done, buffer.count - done, place)
      if count < 0, errno == EINTR { continue }
      if count < 0 { failure = FileFailure(path: path, errno) }
      if count <= 0 { break }
      done += count
    }
  }
  if let failure { throw failure }
  return bytes
}
