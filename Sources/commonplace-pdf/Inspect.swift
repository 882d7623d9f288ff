import CPoppler
import Glibc
import PDF

extension Document {
  /// The document's table. Pages that poppler cannot load are marked, without an error.
  func inspect() -> DocumentInfo {
    let rotations = features.mayRotate ? Rotations(of: self) : nil
    var identifier: DocumentInfo.Identifier?
    var permanent: UnsafeMutablePointer<CChar>?
    var update: UnsafeMutablePointer<CChar>?
    if poppler_document_get_id(poppler, &permanent, &update) != 0 {
      // 32 bytes each, not null-terminated.
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
      isEncrypted: password != nil || permissions != .all || features.isEncrypted,
      permissions: permissions,
      signatures: min(max(0, Int(poppler_document_get_n_signatures(poppler))), 100_000),
      pages: (0..<pageCount).map { index in
        // Bypasses the page cache: each page is needed only once.
        guard let page = Page(index, of: self) else { return PageInfo(width: 0, height: 0, isBroken: true) }
        return PageInfo(
          width: page.width, height: page.height, rotation: rotations?.rotation(of: index) ?? 0,
          label: string(taking: poppler_page_get_label(page.poppler), limit: HostileInput.longestLabel))
      })
  }

  private static func digits(_ text: UnsafeMutablePointer<CChar>?) -> String {
    guard let text else { return String(repeating: "0", count: 32) }
    return String(decoding: UnsafeRawBufferPointer(start: text, count: 32), as: UTF8.self)
  }
}
