import CPoppler
import PDF

extension Document {
  /// The document's metadata.
  func metadata() -> DocumentMetadata {
    func field(_ text: UnsafeMutablePointer<CChar>?) -> String? {
      string(taking: text, limit: HostileInput.longestField)
    }
    var metadata = DocumentMetadata()
    metadata.title = field(poppler_document_get_title(poppler))
    metadata.author = field(poppler_document_get_author(poppler))
    metadata.subject = field(poppler_document_get_subject(poppler))
    metadata.keywords = field(poppler_document_get_keywords(poppler))
    metadata.creator = field(poppler_document_get_creator(poppler))
    metadata.producer = field(poppler_document_get_producer(poppler))
    metadata.created = seconds(taking: poppler_document_get_creation_date_time(poppler))
    metadata.modified = seconds(taking: poppler_document_get_modification_date_time(poppler))
    metadata.version = field(poppler_document_get_pdf_version_string(poppler))
    metadata.standard = field(poppler_document_get_pdf_subtype_string(poppler))
    metadata.layout =
      .init(rawValue: UInt8(truncatingIfNeeded: poppler_document_get_page_layout(poppler).rawValue)) ?? .unset
    metadata.mode =
      .init(rawValue: UInt8(truncatingIfNeeded: poppler_document_get_page_mode(poppler).rawValue)) ?? .unset
    metadata.isLinearized = poppler_document_is_linearized(poppler) != 0
    metadata.hasScripts = poppler_document_has_javascript(poppler) != 0
    metadata.permissions = .init(
      rawValue: UInt8(truncatingIfNeeded: poppler_document_get_permissions(poppler).rawValue))
    metadata.isEncrypted = password != nil || metadata.permissions != .all || features.isEncrypted
    metadata.signatures = min(max(0, Int(poppler_document_get_n_signatures(poppler))), 100_000)
    metadata.attachments = Int(min(poppler_document_get_n_attachments(poppler), UInt32(Int32.max)))
    // Truncated XML would be invalid.
    let xmp = string(taking: poppler_document_get_metadata(poppler), limit: HostileInput.longestXMP + 1)
    metadata.xmp = xmp.flatMap { $0.utf8.count > HostileInput.longestXMP ? nil : $0 }
    metadata.fonts = fonts()
    if let structure = poppler_structure_element_iter_new(poppler) {
      metadata.isTagged = true
      poppler_structure_element_iter_free(structure)
    }
    return metadata
  }

  private func fonts() -> [DocumentMetadata.Font] {
    guard let scan = poppler_font_info_new(poppler) else { return [] }
    defer { poppler_font_info_free(scan) }
    var iterator: OpaquePointer?
    poppler_font_info_scan(scan, Int32(HostileInput.fontPages), &iterator)
    guard let iterator else { return [] }
    defer { poppler_fonts_iter_free(iterator) }
    var fonts: [DocumentMetadata.Font] = []
    repeat {
      let type = Int(poppler_fonts_iter_get_font_type(iterator).rawValue)
      fonts.append(
        .init(
          name: string(poppler_fonts_iter_get_name(iterator), limit: HostileInput.longestLabel) ?? "",
          type: Self.fontTypes.indices.contains(type) ? Self.fontTypes[type] : "",
          isEmbedded: poppler_fonts_iter_is_embedded(iterator) != 0,
          isSubset: poppler_fonts_iter_is_subset(iterator) != 0))
    } while fonts.count < HostileInput.mostFonts && poppler_fonts_iter_next(iterator) != 0
    return fonts
  }

  /// In the order of poppler's `PopplerFontType`.
  private static let fontTypes = [
    "", "Type 1", "Type 1C", "Type 1C (OpenType)", "Type 3", "TrueType", "TrueType (OpenType)", "CID Type 0",
    "CID Type 0C", "CID Type 0C (OpenType)", "CID TrueType", "CID TrueType (OpenType)",
  ]
}

/// Seconds since 1970 of a GLib date that the caller has to release.
func seconds(taking date: OpaquePointer?) -> Int64? {
  guard let date else { return nil }
  defer { g_date_time_unref(date) }
  return seconds(of: date)
}

func seconds(of date: OpaquePointer?) -> Int64? {
  guard let date else { return nil }
  let seconds = Int64(g_date_time_to_unix(date))
  return PDFDate.seconds.contains(seconds) ? seconds : nil
}
