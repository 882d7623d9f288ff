@preconcurrency import Dispatch
import Glibc

/// Says when a name goes from a folder, or the folder itself goes (inotify(7)).
final class FolderWatch: Sendable {
  private let source: any DispatchSourceRead

  /// Nil where the folder cannot be watched: it is not there, or the user has as many watches as the system allows.
  init?(_ folder: String, on queue: DispatchQueue, gone: @escaping @Sendable () -> Void) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    let events = UInt32(IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF)
    guard inotify_add_watch(descriptor, folder, events) >= 0 else {
      close(descriptor)
      return nil
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler {
      // Which name it was is looked up by whoever is told.
      withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
        while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
      }
      gone()
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  func end() { source.cancel() }
}
