import Contract
import Dispatch
import FoundationEssentials
import Glibc
import Kit
import Store
import Synchronization
import Wire

/// A cache of catalogues' answers in files, so that results can be read offline and a repeated search needs no request.
///
/// It is not in the library: nobody wrote this data, it can be fetched again, and a backup needs none of it. Each
/// answer is one file, renamed into place when complete. Files are written some time after the reply, so that writing
/// does not delay a search; a daemon that is killed meanwhile fetches again.
final class AnswerCache: Sendable {
  struct Entry<Value: Codable & Sendable>: Codable, Sendable {
    var fetchedAt: Int64
    var value: Value
  }

  /// In milliseconds. Older answers are not used any more, and are removed by the next sweep.
  static let longestAge: Int64 = 30 * 86_400_000
  private static let most = 64 << 20
  /// The number of writes between two checks of the folder's size.
  private static let writesPerSweep = 64

  private let folder: String
  /// Longer than sending a reply takes, shorter than the pause between two searches of a person.
  private static let delay = DispatchTimeInterval.milliseconds(100)

  private let queue = DispatchQueue(label: "commonplace.cached-answers", qos: .utility)
  private struct Waiting {
    let part: String
    let entry: any Sendable
    let write: @Sendable () -> Void
  }

  /// Answers that are not written yet, by path.
  private let waiting = Mutex<[String: Waiting]>([:])
  private let writes = Mutex(0)

  init(folder: String) {
    self.folder = folder
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  func find<Value: Codable & Sendable>(_ type: Value.Type, _ key: String, at now: Instant) -> Entry<Value>? {
    let path = path(key)
    guard let entry = waiting.withLock({ $0[path]?.entry as? Entry<Value> }) ?? read(path) else { return nil }
    // An answer does not last longer if the clock is set back.
    guard abs(now.milliseconds - entry.fetchedAt) <= Self.longestAge else { return nil }
    return entry
  }

  private func read<Value: Codable & Sendable>(_ path: String) -> Entry<Value>? {
    guard let file = try? GivenFile(opening: path, limit: 16 << 20), let bytes = try? file.bytes() else { return nil }
    return try? JSONDecoding.decode(Entry<Value>.self, from: JSONParser.parse(bytes))
  }

  /// `part` is a unique id for this answer's temporary file.
  func store<Value: Codable & Sendable>(_ value: Value, _ key: String, at now: Instant, part: String) {
    let entry = Entry(fetchedAt: now.milliseconds, value: value)
    let path = path(key)
    let isFirst = waiting.withLock { waiting in
      defer {
        waiting[path] = Waiting(
          part: part, entry: entry, write: { [self] in write(entry, to: path, part: part) })
      }
      return waiting.isEmpty
    }
    if isFirst { queue.asyncAfter(deadline: .now() + Self.delay) { [self] in writeAll() } }
  }

  /// Returns when all pending answers are written.
  func finish() { queue.sync { writeAll() } }

  /// On the queue. Also writes answers that are added meanwhile, since only the first pending one schedules this call.
  private func writeAll() {
    while let (path, next) = waiting.withLock({ $0.first.map { ($0.key, $0.value) } }) {
      next.write()
      waiting.withLock { waiting in
        if waiting[path]?.part == next.part { waiting[path] = nil }
      }
    }
  }

  /// Failures, as on a full disk, are ignored: the answer itself is still valid.
  private func write(_ entry: Entry<some Codable & Sendable>, to path: String, part: String) {
    guard let bytes = try? JSONEncoding.bytes(of: entry) else { return }
    let part = "\(path).\(part).part"
    do {
      let file = try NewFile(at: part)
      try file.write(bytes)
    } catch {
      unlink(part)
      return
    }
    if rename(part, path) != 0 { unlink(part) }
    let isDue = writes.withLock { count in
      count += 1
      return count % Self.writesPerSweep == 1
    }
    if isDue { sweep() }
  }

  /// The newest answer that contains a text, for data without a file of its own.
  func newest<Value: Codable & Sendable>(
    _ type: Value.Type, containing text: String, at now: Instant, where isWanted: (Value) -> Bool
  ) -> Entry<Value>? {
    finish()
    let wanted = Array(text.utf8)
    var found: Entry<Value>?
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasSuffix(".json") {
      guard let file = try? GivenFile(opening: "\(folder)/\(name)", limit: 16 << 20), let bytes = try? file.bytes(),
        bytes.firstRange(of: wanted) != nil,
        let entry = try? JSONDecoding.decode(Entry<Value>.self, from: JSONParser.parse(bytes)),
        abs(now.milliseconds - entry.fetchedAt) <= Self.longestAge, entry.fetchedAt > found?.fetchedAt ?? .min,
        isWanted(entry.value)
      else { continue }
      found = entry
    }
    return found
  }

  private func path(_ key: String) -> String {
    "\(folder)/\(Blobs.hash(of: Array(key.utf8)).prefix(40)).json"
  }

  /// Whether a file has the name of an answer, or of an unfinished one.
  private static func isOurs(_ name: String) -> Bool {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 && DaemonFiles.isHexadecimal(parts[0], count: 40) && parts[1] == "json"
      && (parts.count == 2 || parts.count == 4 && parts[3] == "part")
  }

  /// Removes the oldest files until the rest fits. By the file system's own clock: only the order matters here.
  private func sweep() {
    var files: [(path: String, size: Int, written: Int)] = []
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let path = "\(folder)/\(name)"
      var information = stat()
      guard Self.isOurs(name), lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { continue }
      files.append((path, Int(information.st_size), Int(information.st_mtim.tv_sec)))
    }
    var size = files.reduce(0) { $0 + $1.size }
    for file in files.sorted(by: { $0.written < $1.written }) where size > Self.most {
      unlink(file.path)
      size -= file.size
    }
  }
}
