import Crypto
import FoundationEssentials
import Glibc

/// The origin of the bytes in a part file, stored beside it as JSON, so that another process can continue.
///
/// Written before the first byte of a body, deleted before the bytes are: a part without a record is never resumed.
struct PartRecord: Codable, Equatable {
  /// The URL of the request, not of its redirects, which may change every time. Without its secrets.
  var url: String
  /// The SHA-256 of the whole URL, by which a part is matched.
  var digest: String
  /// Verbatim, including weak ones: the caller may want to store them.
  var etag: String?
  var lastModified: String?
  var mediaType: String?
  /// The size of the whole file in bytes.
  var total: Int?

  /// The value for `If-Range`. Weak ETags are not allowed there, since they may be equal for different bytes; neither
  /// are values that would break the header line.
  var validator: String? {
    func isLine(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f } }
    if let etag, etag.hasPrefix("\""), etag.hasSuffix("\""), etag.count > 1, isLine(etag) { return etag }
    return lastModified.flatMap { isLine($0) ? $0 : nil }
  }

  init(url: String, head: ResponseHead, total: Int?) {
    self.url = WebURL.storable(url)
    digest = Self.digest(of: url)
    etag = head.headers["ETag"]
    lastModified = head.headers["Last-Modified"]
    mediaType = head.headers["Content-Type"]
    self.total = total
  }
}

extension PartRecord {
  static func digest(of url: String) -> String {
    SHA256.hexadecimal(of: Array(url.utf8))
  }

  static func path(part: String) -> String { part + ".json" }

  /// The record beside a part; nil if there is none or it cannot be read.
  static func load(part: String) -> PartRecord? {
    guard let data = FileManager.default.contents(atPath: path(part: part)) else { return nil }
    return try? JSONDecoder().decode(PartRecord.self, from: data)
  }

  /// Stores the record beside the part, atomically.
  func store(part: String) throws(HTTPFailure) {
    let path = Self.path(part: part)
    let temporary = path + ".new"
    let data: Data
    do { data = try JSONEncoder().encode(self) } catch { throw .fileError(errno: EINVAL) }
    // 0600: the user's downloads are private.
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .file(errno) }
    let written = data.withUnsafeBytes { writeAll(descriptor, $0) }
    close(descriptor)
    guard written.failure == 0 else {
      unlink(temporary)
      throw .file(written.failure)
    }
    guard rename(temporary, path) == 0 else { throw .file(errno) }
  }

  static func remove(part: String) { unlink(path(part: part)) }
}

/// Writes as many bytes as possible. Returns their number, and the `errno` that stopped it or 0.
func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> (count: Int, failure: Int32) {
  var done = 0
  while done < bytes.count {
    let count = write(descriptor, bytes.baseAddress! + done, bytes.count - done)
    if count > 0 {
      done += count
    } else if errno != EINTR {
      return (done, count == 0 ? ENOSPC : errno)
    }
  }
  return (done, 0)
}
