@preconcurrency import Dispatch
import Glibc

/// Reports each log file that is put into a folder, whole (inotify(7)). Not every file system reports what other machines
/// put there.
final class FolderArrivals: Sendable {
  private let source: any DispatchSourceRead

  /// The name's place in an event.
  private static let head = MemoryLayout<inotify_event>.size

  /// - Returns: nil if the folder cannot be watched: it does not exist, or the user has reached the limit of watches.
  init?(_ folder: String, arrived: @escaping @Sendable (FileName) -> Void) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    // A carrier renames what it has copied, or closes it.
    let events = UInt32(IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR)
    guard inotify_add_watch(descriptor, folder, events) >= 0 else {
      close(descriptor)
      return nil
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    source.setEventHandler { Self.names(descriptor).forEach(arrived) }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }

  /// The log files in all events that wait.
  private static func names(_ descriptor: Int32) -> [FileName] {
    withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      var names: [FileName] = []
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return names }
        var start = 0
        while start + head <= count {
          let event = UnsafeRawBufferPointer(buffer).loadUnaligned(fromByteOffset: start, as: inotify_event.self)
          let end = start + head + Int(event.len)
          guard end <= count else { break }
          let bytes = UnsafeRawBufferPointer(buffer)[start + head..<end].prefix { $0 != 0 }
          if let name = FileName(String(decoding: bytes, as: UTF8.self)) { names.append(name) }
          start = end
        }
      }
    }
  }
}
