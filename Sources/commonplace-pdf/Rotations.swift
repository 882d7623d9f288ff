import CPoppler
import PDF

/// The rotation of pages, which poppler-glib does not report.
///
/// poppler subtracts it from the position of a new annotation: a small rectangle at the corner of the displayed page
/// ends up at another corner of the unrotated one. The annotations are added to a second copy of the document that is
/// neither shown nor saved.
final class Rotations {
  private let document: OpaquePointer

  init?(of shown: Document) {
    var failure = WorkerFailure.notPDF
    guard let document = Document.open(shown.file, shown.bytes, password: shown.password, &failure) else { return nil }
    self.document = document
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(document))
  }

  func rotation(of index: Int) -> Int {
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
