import Foundation
import Kit
import Synchronization

/// How large the cache folder is, looked at again when the last look is older than `age`.
///
/// Several daemons fill the folder and the user may empty it, so nobody can keep count; and a status that is asked for
/// every second is not to walk through thousands of pictures every time.
final class CacheSize: Sendable {
  static let age: Duration = .seconds(10)

  private struct Look {
    var bytes: Int64
    var time: ContinuousClock.Instant
  }

  private let folder: String
  private let now: @Sendable () -> ContinuousClock.Instant
  private let last = Mutex<Look?>(nil)

  init(folder: String, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.folder = folder
    self.now = now
  }

  /// Two who ask at once may both look; they see the same.
  func bytes() async -> Int64 {
    if let last = last.withLock(\.self), now() - last.time < Self.age { return last.bytes }
    let folder = folder
    let time = now()
    guard let bytes = try? await onThread({ _ in Self.size(of: folder) }) else { return 0 }
    last.withLock { $0 = Look(bytes: bytes, time: time) }
    return bytes
  }

  private static func size(of folder: String) -> Int64 {
    let files = FileManager.default.enumerator(atPath: folder)
    var bytes: Int64 = 0
    while files?.nextObject() != nil { bytes += (files?.fileAttributes?[.size] as? NSNumber)?.int64Value ?? 0 }
    return bytes
  }
}
