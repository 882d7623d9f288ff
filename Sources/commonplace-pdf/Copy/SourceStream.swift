import CPoppler
import Glibc
import PDF

/// A document's bytes as a stream for poppler, for adding annotations.
///
/// poppler begins a copy by copying each byte of the document separately: 5 to 10 ms per megabyte, and most of the time
/// of a copy. The copy already has these bytes, written in large pieces. So when poppler seeks to the first byte to
/// begin, the stream reports its end once, and poppler continues with the new objects:
///
///     opens, adds ── reads anywhere ──► bytes
///     ``endOnce()``
///     saves ──────── reads at 0 ──────► the end; then anywhere ──► bytes
///
/// poppler reads other streams completely before it opens them, except those in memory; hence this subclasses GIO's
/// memory stream, without using its memory.
final class SourceStream {
  private struct Instance {
    var parent: GMemoryInputStream
    var descriptor: Int32
    var position: goffset
    var endsAtBeginning: Bool
  }

  private let instance: UnsafeMutablePointer<Instance>

  /// - Parameter file: must outlive every reader of this stream.
  init(_ file: Descriptor) {
    let object = g_object_new_with_properties(Self.type, 0, nil, nil)
    instance = UnsafeMutableRawPointer(object!).assumingMemoryBound(to: Instance.self)
    instance.pointee.descriptor = file.number
  }

  deinit {
    g_object_unref(instance)
  }

  var stream: UnsafeMutablePointer<GInputStream> {
    UnsafeMutableRawPointer(instance).assumingMemoryBound(to: GInputStream.self)
  }

  /// Makes the next read at the beginning return the end of the stream.
  func endOnce() {
    instance.pointee.endsAtBeginning = true
  }

  /// Whether that read has happened.
  var hasEnded: Bool {
    !instance.pointee.endsAtBeginning
  }

  private static func own(_ stream: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Instance>? {
    stream?.assumingMemoryBound(to: Instance.self)
  }

  private static func read(_ instance: UnsafeMutablePointer<Instance>, _ buffer: UnsafeMutableRawPointer?, _ count: Int)
    -> Int
  {
    if instance.pointee.endsAtBeginning, instance.pointee.position == 0 {
      instance.pointee.endsAtBeginning = false
      return 0
    }
    while true {
      let read = pread(instance.pointee.descriptor, buffer, count, off_t(instance.pointee.position))
      if read < 0, errno == EINTR { continue }
      // poppler treats an error as the end, and GIO requires a description for one.
      guard read > 0 else { return 0 }
      instance.pointee.position += goffset(read)
      return read
    }
  }

  /// Supports only seeks from the beginning or the end, as poppler uses.
  private static func seek(_ instance: UnsafeMutablePointer<Instance>, _ offset: goffset, _ from: GSeekType) -> Bool {
    var status = stat()
    let start: goffset? =
      switch from {
      case G_SEEK_SET: 0
      case G_SEEK_END: fstat(instance.pointee.descriptor, &status) == 0 ? goffset(status.st_size) : nil
      default: instance.pointee.position
      }
    guard let start, start + offset >= 0 else { return false }
    instance.pointee.position = start + offset
    return true
  }

  private static let type: GType = {
    let type = g_type_register_static_simple(
      g_memory_input_stream_get_type(), "CommonplaceSource", guint(MemoryLayout<GMemoryInputStreamClass>.size),
      { type, _ in
        type?.assumingMemoryBound(to: GInputStreamClass.self).pointee.read_fn = { stream, buffer, count, _, _ in
          SourceStream.own(stream).map { SourceStream.read($0, buffer, Int(count)) } ?? 0
        }
      }, guint(MemoryLayout<Instance>.size), nil, GTypeFlags(rawValue: 0))
    var seekable = GInterfaceInfo(
      interface_init: { interface, _ in
        guard let interface = interface?.assumingMemoryBound(to: GSeekableIface.self) else { return }
        interface.pointee.tell = { stream in SourceStream.own(.init(stream))?.pointee.position ?? 0 }
        interface.pointee.can_seek = { _ in 1 }
        interface.pointee.seek = { stream, offset, from, _, _ in
          SourceStream.own(.init(stream)).map { SourceStream.seek($0, offset, from) } == true ? 1 : 0
        }
      }, interface_finalize: nil, interface_data: nil)
    g_type_add_interface_static(type, g_seekable_get_type(), &seekable)
    return type
  }()
}
