import FoundationEssentials
import Glibc
import Kit
import Synchronization

/// The size of the cache folder, computed again when the cached value is older than `age`.
///
/// Several daemons fill the folder and the user may empty it, so it cannot be counted; and a status that is requested
/// every second must not scan thousands of pictures every time.
final class CacheSize: Sendable {
  static let age: Duration = .seconds(10)

  private struct Measurement {
    var bytes: Int64
    var time: ContinuousClock.Instant
  }

  private let folder: String
  private let now: @Sendable () -> ContinuousClock.Instant
  private let last = Mutex<Measurement?>(nil)

  init(folder: String, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.folder = folder
    self.now = now
  }

  /// Concurrent callers may both scan; they get the same result.
  func bytes() async -> Int64 {
    if let last = last.withLock(\.self), now() - last.time < Self.age { return last.bytes }
    let folder = folder
    let time = now()
    guard let bytes = try? await onThread({ _ in Self.size(of: folder) }) else { return 0 }
    last.withLock { $0 = Measurement(bytes: bytes, time: time) }
    return bytes
  }

  private static func size(of folder: String) -> Int64 {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.reduce(0) { bytes, name in
      let path = folder + "/" + name
      var information = stat()
      guard lstat(path, &information) == 0 else { return bytes }
      let isFolder = information.st_mode & S_IFMT == S_IFDIR
      return bytes + Int64(information.st_size) + (isFolder ? size(of: path) : 0)
    }
  }
}
