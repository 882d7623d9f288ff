import CPoppler
import PDF

/// Renders a built-in page before the first document arrives, so that the font configuration is read and poppler is
/// initialized. Otherwise a user's first page would take longer: 5 ms for text, 20 for Korean whose font is not
/// embedded.
///
/// No Korean is rendered here: its tables would take 7 MB in every waiting worker and double the time until it is
/// ready.
enum Warmup {
  static func draw() {
    let bytes = pdf()
    let shared = bytes.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
    defer { g_bytes_unref(shared) }
    guard let document = poppler_document_new_from_bytes(shared, nil, nil) else { return }
    // Never released: poppler's initialization would be undone with its last document.
    guard let page = poppler_document_get_page(document, 0) else { return }
    defer { g_object_unref(UnsafeMutableRawPointer(page)) }
    let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 64, 64)
    let context = cairo_create(surface)
    poppler_page_render(page, context)
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// A page with letters of a font that is not embedded.
  private static func pdf() -> [UInt8] {
    let content = "BT /F1 12 Tf 8 40 Td (Ag) Tj ET"
    let objects = [
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      """
      <</Type/Page/Parent 2 0 R/MediaBox[0 0 64 64]/Contents 4 0 R\
      /Resources<</Font<</F1 5 0 R>>>>>>
      """,
      "<</Length \(content.utf8.count)>>stream\n\(content)\nendstream",
      "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>",
    ]
    var text = "%PDF-1.4\n"
    var offsets: [Int] = []
    for (index, object) in objects.enumerated() {
      offsets.append(text.utf8.count)
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = text.utf8.count
    text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    for offset in offsets {
      let digits = String(offset)
      text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
    }
    text += "trailer\n<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
    return Array(text.utf8)
  }
}
