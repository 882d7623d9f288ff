import CPoppler
import PDF

extension Document {
  /// Has poppler read the text of the page together with the text that its form fields and annotations show.
  ///
  /// poppler reads text when it is first asked for, without annotations, and as well when it first draws a page: what it
  /// draws then includes their appearances. Nothing of this drawing reaches its surface, which is a single pixel.
  func readShownText(of page: Page) {
    guard traces.mayShowText, showsText(page) else { return }
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
