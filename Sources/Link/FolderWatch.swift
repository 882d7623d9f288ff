@preconcurrency import Dispatch
import Glibc

/// Calls `gone` when a name is removed from a folder, or the folder itself is (inotify(7)).
package final class FolderWatch: Sendable {
  private let source: any DispatchSourceRead

  /// Nil if the folder cannot be watched: it does not exist, or the user has reached the limit of watches.
  package init?(_ folder: String, on queue: DispatchQueue, gone: @escaping @Sendable () -> Void) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    let events = UInt32(IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF)
    guard inotify_add_watch(descriptor, folder, events) >= 0 else {
      close(descriptor)
      return nil
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler {
      // The callback checks which name was removed.
      withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
        while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
      }
      gone()
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  package func end() { source.cancel() }
}
