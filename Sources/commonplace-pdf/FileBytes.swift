import CPoppler
import Glibc
import PDF

/// A document's bytes as memory, for poppler to read them there: of a descriptor it reads 256 bytes at a time, each time
/// by a call that the sandbox looks at. That is a tenth of what it does for the text of a page.
///
/// The file is the daemon's own, a blob or one on its way to become one: nobody cuts it off meanwhile, which would end
/// the worker.
final class FileBytes {
  /// What is larger is read by the descriptor: the worker's address space is limited.
  static let most = 64 * 1_024 * 1_024

  let bytes: OpaquePointer
  let all: UnsafeRawBufferPointer

  /// Nil where the file is none to be read so.
  init?(_ file: Descriptor, most: Int = most) {
    guard 1...most ~= file.size, let mapped = g_mapped_file_new_from_fd(file.number, 0, nil) else { return nil }
    // It lives as long as its bytes.
    defer { g_mapped_file_unref(mapped) }
    bytes = g_mapped_file_get_bytes(mapped)
    var count: gsize = 0
    all = UnsafeRawBufferPointer(start: g_bytes_get_data(bytes, &count), count: Int(count))
  }

  deinit {
    g_bytes_unref(bytes)
  }

  /// Lets go of what was read; it is read again where it is needed.
  func giveBack() {
    madvise(UnsafeMutableRawPointer(mutating: all.baseAddress), all.count, MADV_DONTNEED)
  }
}
