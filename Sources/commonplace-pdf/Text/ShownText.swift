import CPoppler
import PDF

extension Document {
  /// Makes poppler extract the text of the page including that of form fields and annotations.
  ///
  /// poppler extracts text on the first request, without annotations, or when it first renders a page: rendering
  /// includes the appearances of annotations. The rendering itself is discarded: its surface is a single pixel.
  func readShownText(of page: Page) {
    guard features.mayShowText, showsText(page) else { return }
    let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1)
    defer { cairo_surface_destroy(surface) }
    let context = cairo_create(surface)
    defer { cairo_destroy(context) }
    cairo_rectangle(context, 0, 0, 0, 0)
    cairo_clip(context)
    poppler_page_render(page.poppler, context)
  }

  private func showsText(_ page: Page) -> Bool {
    let mapping = poppler_page_get_annot_mapping(page.poppler)
    defer { poppler_page_free_annot_mapping(mapping) }
    return GListItems<PopplerAnnotMapping>(mapping).prefix(HostileInput.mostAnnotations).contains { item in
      guard let annotation = item.pointee.annot else { return false }
      switch poppler_annot_get_annot_type(annotation) {
      case POPPLER_ANNOT_WIDGET, POPPLER_ANNOT_FREE_TEXT, POPPLER_ANNOT_STAMP: return true
      default: return false
      }
    }
  }
}
