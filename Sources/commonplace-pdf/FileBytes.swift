import CPoppler
import Glibc
import PDF

/// A document's bytes in memory, for poppler: from a descriptor it reads 256 bytes at a time, each with a system call
/// that the sandbox filters, which takes a tenth of the time for a page's text.
///
/// The file belongs to the daemon, as a blob or a future blob, so it is never truncated meanwhile, which would crash
/// the worker.
final class FileBytes {
  /// Larger files are read from the descriptor: the worker's address space is limited.
  static let most = 64 * 1_024 * 1_024

  let bytes: OpaquePointer
  let all: UnsafeRawBufferPointer

  /// Nil if the file is too large or cannot be mapped.
  init?(_ file: Descriptor, most: Int = most) {
    guard 1...most ~= file.size, let mapped = g_mapped_file_new_from_fd(file.number, 0, nil) else { return nil }
    // The mapping lives as long as its bytes.
    defer { g_mapped_file_unref(mapped) }
    bytes = g_mapped_file_get_bytes(mapped)
    var count: gsize = 0
    all = UnsafeRawBufferPointer(start: g_bytes_get_data(bytes, &count), count: Int(count))
  }

  deinit {
    g_bytes_unref(bytes)
  }

  /// Releases the resident pages; they are read again on demand.
  func giveBack() {
    madvise(UnsafeMutableRawPointer(mutating: all.baseAddress), all.count, MADV_DONTNEED)
  }
}
