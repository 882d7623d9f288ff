import Contract
import Glibc
import SQLite
import Wire

/// The time of which a copy of a library is the state.
package enum CopyDate {
  /// The most bytes of the description of an archive.
  private static let longestManifest = 1 << 16

  /// The time at which a backup was made. For another copy of a library's folder, the time of its newest commit.
  ///
  /// A backup gets a new epoch, which is a UUID of version 7: its first 48 bits are the time. The modification times of
  /// its files may be those of a later copy.
  ///
  /// - Returns: nil if the folder contains no library that can be read.
  package static func date(of folder: LibraryFolder) -> Instant? {
    guard access(folder.database, R_OK) == 0,
      let db = try? Database(path: folder.database, access: .readingUnchanged),
      let epoch = try? LibraryIdentity.read(db)?.epoch
    else { return nil }
    let newest = try? db.first("SELECT at FROM commits ORDER BY clock DESC LIMIT 1") { try $0.requiredInteger(0) }
    return max(begin(of: epoch), Instant(milliseconds: newest ?? 0))
  }

  private static func begin(of epoch: String) -> Instant {
    let digits = epoch.prefix(13).replacing("-", with: "")
    return Instant(milliseconds: digits.count == 12 ? Int64(digits, radix: 16) ?? 0 : 0)
  }

  /// The time at which an archive was exported, from the description with which it begins.
  package static func date(ofArchive path: String) -> Instant? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: longestManifest)
    // The header of the first file of a tar archive has 512 bytes.
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 512) }
    let line = bytes.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
    let manifest = try? JSONParser.parse(Array(line))
    return manifest?["exportedAt"]?.stringValue.flatMap { Instant($0) }
  }
}
