import CPoppler
import Glibc
import PDF

extension Document {
  /// The document's table. Pages that poppler cannot load are marked, not fatal.
  func inspect() -> DocumentInfo {
    let rotations = traces.mayRotate ? Rotations(file, password: password) : nil
    var identifier: DocumentInfo.Identifier?
    var permanent: UnsafeMutablePointer<CChar>?
    var update: UnsafeMutablePointer<CChar>?
    if poppler_document_get_id(poppler, &permanent, &update) != 0 {
      // 32 bytes each, without an end.
      identifier = .init(permanent: Self.digits(permanent), update: Self.digits(update))
      g_free(permanent)
      g_free(update)
    }
    let permissions = DocumentInfo.Permissions(
      rawValue: UInt8(truncatingIfNeeded: poppler_document_get_permissions(poppler).rawValue))
    return DocumentInfo(
      identifier: identifier,
      title: string(taking: poppler_document_get_title(poppler), limit: HostileInput.longestTitle),
      author: string(taking: poppler_document_get_author(poppler), limit: HostileInput.longestTitle),
      isEncrypted: password != nil || permissions != .all || traces.isEncrypted,
      permissions: permissions,
      signatures: min(max(0, Int(poppler_document_get_n_signatures(poppler))), 100_000),
      pages: (0..<pageCount).map { index in
        // Not through the recent pages: this passes over all of them once.
        guard let page = Page(index, of: self) else { return PageInfo(width: 0, height: 0, isBroken: true) }
        return PageInfo(
          width: page.width, height: page.height, rotation: rotations?.rotation(of: index, pageCount) ?? 0,
          label: string(taking: poppler_page_get_label(page.poppler), limit: HostileInput.longestLabel))
      })
  }

  private static func digits(_ text: UnsafeMutablePointer<CChar>?) -> String {
    guard let text else { return String(repeating: "0", count: 32) }
    return String(decoding: UnsafeRawBufferPointer(start: text, count: 32), as: UTF8.self)
  }
}

/// What the bytes of a file show without being parsed. None of the three names is ever compressed or encrypted itself
/// unless there are object streams, which have a name of their own in the clear.
struct Traces {
  private(set) var isEncrypted = false
  private(set) var mayRotate = false

  init(in file: Descriptor) {
    let block = 1 << 18
    let overlap = 16
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: block + overlap, alignment: 16)
    defer { buffer.deallocate() }
    var kept = 0
    var offset: off_t = 0
    while true {
      let count = pread(file.number, buffer.baseAddress! + kept, block, offset)
      guard count > 0 else { break }
      offset += off_t(count)
      let filled = UnsafeRawBufferPointer(rebasing: buffer[..<(kept + count)])
      mayRotate =
        mayRotate || position(of: "/Rotate", in: filled) != nil
        || position(of: "/ObjStm", in: filled) != nil
      isEncrypted = isEncrypted || Self.namesEncryption(filled)
      kept = min(overlap, filled.count)
      memmove(buffer.baseAddress!, filled.baseAddress! + filled.count - kept, kept)
    }
  }

  /// `/Encrypt`, but not `/EncryptMetadata`.
  private static func namesEncryption(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    while let found = position(of: "/Encrypt", in: rest) {
      let after = found + 8
      guard after < rest.count else { return false }
      if !(97...122).contains(rest[after] | 0x20) { return true }
      rest = UnsafeRawBufferPointer(rebasing: rest[after...])
    }
    return false
  }
}

/// Where `name` first is, by the C library's fast search for its first byte.
func position(of name: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
  guard let start = bytes.baseAddress else { return nil }
  let length = name.utf8CodeUnitCount
  var offset = 0
  while offset + length <= bytes.count,
    let found = memchr(start + offset, Int32(name.utf8Start.pointee), bytes.count - offset - length + 1)
  {
    if memcmp(found, name.utf8Start, length) == 0 { return UnsafeRawPointer(found) - start }
    offset = UnsafeRawPointer(found) - start + 1
  }
  return nil
}

/// The rotation of pages, which poppler-glib does not tell.
///
/// It does subtract it from the place of a new annotation: a small rectangle put at the corner of the displayed page
/// is found at another corner of the unrotated one. The annotations go into a second copy of the document that is
/// neither shown nor saved.
final class Rotations {
  private let document: OpaquePointer

  init?(_ file: Descriptor, password: String?) {
    var failure = WorkerFailure.notPDF
    guard let document = Document.open(file, password: password, &failure) else { return nil }
    self.document = document
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(document))
  }

  func rotation(of index: Int, _ pageCount: Int) -> Int {
    guard index < poppler_document_get_n_pages(document),
      let page = poppler_document_get_page(document, Int32(index))
    else { return 0 }
    defer { g_object_unref(UnsafeMutableRawPointer(page)) }
    var crop = PopplerRectangle()
    poppler_page_get_crop_box(page, &crop)
    var corner = PopplerRectangle(x1: 0, y1: 0, x2: 0.5, y2: 0.25)
    guard let annotation = poppler_annot_text_new(document, &corner) else { return 0 }
    defer { g_object_unref(UnsafeMutableRawPointer(annotation)) }
    poppler_page_add_annot(page, annotation)
    var place = PopplerRectangle()
    poppler_annot_get_rectangle(annotation, &place)
    let isRight = (place.x1 + place.x2) / 2 > (crop.x2 - crop.x1) / 2
    let isTop = (place.y1 + place.y2) / 2 > (crop.y2 - crop.y1) / 2
    return switch (isRight, isTop) {
    case (false, false): 0
    case (true, false): 90
    case (true, true): 180
    case (false, true): 270
    }
  }
}
