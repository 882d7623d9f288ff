import Crypto
import FoundationEssentials
import Glibc
import Synchronization

/// Cached bodies and their records; the least recently used are deleted when they exceed the limit. Blocks for the
/// disk.
///
/// All files are replaced by a rename: readers, and a restarted daemon, see either the old or the new version.
final class CacheFolder: Sendable {
  /// How long (in seconds) a body is protected after its last use: its path may just have been returned to a client.
  static let grace: Double = 600

  private struct State {
    /// Size of all bodies; nil until the folder was scanned.
    var total: Int?
    var count = 0
  }

  private let path: String
  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: for all bodies together, in bytes.
  init(_ path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// The path for the body of a URL, whether or not it is cached.
  func body(of url: String) -> String { path + "/" + Self.name(url) }

  /// The record of a URL, if it and its body are complete.
  func record(of url: String) -> CacheRecord? {
    let body = body(of: url)
    guard let data = FileManager.default.contents(atPath: body + ".json"),
      let record = try? JSONDecoder().decode(CacheRecord.self, from: data), record.url == url,
      let stamp = Self.stamp(body), stamp.size == record.size, stamp.time == record.bodyStamp
    else { return nil }
    return record
  }

  /// Records that a body is used, which protects it from deletion.
  func touch(_ url: String) { utimes(body(of: url) + ".json", nil) }

  /// Stores a body, replacing an existing one. Returns the written record.
  func store(_ data: Data, _ record: CacheRecord) throws(HTTPFailure) -> CacheRecord {
    try prepare()
    let body = body(of: record.url)
    let before = Self.stamp(body)?.size ?? 0
    try replace(body, with: data)
    guard let stamp = Self.stamp(body) else { throw .file(errno) }
    var record = record
    (record.size, record.bodyStamp) = (stamp.size, stamp.time)
    try update(record)
    let isFull = state.withLock { state in
      state.total = state.total.map { $0 + stamp.size - before }
      return state.total ?? .max > limit
    }
    if isFull { sweep(at: record.fetchedAt) }
    return record
  }

  /// Rewrites the record of an unchanged body.
  func update(_ record: CacheRecord) throws(HTTPFailure) {
    guard let data = try? JSONEncoder().encode(record) else { throw .fileError(errno: EINVAL) }
    try replace(body(of: record.url) + ".json", with: data)
  }

  func remove(_ url: String) {
    let body = body(of: url)
    let size = Self.stamp(body)?.size ?? 0
    unlink(body + ".json")
    guard unlink(body) == 0 else { return }
    state.withLock { $0.total = $0.total.map { $0 - size } }
  }

  /// Deletes the least recently used bodies until a tenth of the space is free, and incomplete files.
  private func sweep(at now: Date) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    var files: [(name: String, size: Int, used: Int)] = []
    let limitOfUse = Int((now.timeIntervalSince1970 - Self.grace) * 1e9)
    for name in names where !name.hasSuffix(".json") {
      guard let body = Self.stamp(path + "/" + name) else { continue }
      let record = Self.stamp(path + "/" + name + ".json")
      if record == nil, body.time < limitOfUse {
        unlink(path + "/" + name)
      } else {
        files.append((name, body.size, max(record?.time ?? 0, body.time)))
      }
    }
    var total = files.reduce(0) { $0 + $1.size }
    for body in files.sorted(by: { $0.used < $1.used }) where total > limit - limit / 10 && body.used < limitOfUse {
      unlink(path + "/" + body.name + ".json")
      if unlink(path + "/" + body.name) == 0 { total -= body.size }
    }
    state.withLock { $0.total = total }
  }

  private func prepare() throws(HTTPFailure) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .file(((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue ?? EACCES)
    }
  }

  private func replace(_ target: String, with data: Data) throws(HTTPFailure) {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    // Contains the process id: another library's daemon may share the folder.
    let temporary = "\(target).\(getpid())-\(number)"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .file(errno) }
    let written = data.withUnsafeBytes { writeAll(descriptor, $0) }
    close(descriptor)
    guard written.failure == 0, rename(temporary, target) == 0 else {
      let failure = written.failure == 0 ? errno : written.failure
      unlink(temporary)
      throw .file(failure)
    }
  }

  private static func name(_ url: String) -> String {
    SHA256.hexadecimal(of: Array(url.utf8))
  }

  private static func stamp(_ path: String) -> (size: Int, time: Int)? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return (Int(status.st_size), Int(status.st_mtim.tv_sec) * 1_000_000_000 + Int(status.st_mtim.tv_nsec))
  }
}
