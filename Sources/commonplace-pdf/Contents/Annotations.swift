import CPoppler
import PDF

extension Document {
  /// The annotations of a page, of all kinds; empty for a page that poppler cannot load.
  func annotations(of index: Int) throws(WorkerFailure) -> [Annotation] {
    guard let page = Page(index, of: self) else { return [] }
    let mapping = poppler_page_get_annot_mapping(page.poppler)
    defer { poppler_page_free_annot_mapping(mapping) }
    var annotations: [Annotation] = []
    for (number, item) in GListItems<PopplerAnnotMapping>(mapping).enumerated() {
      guard number < HostileInput.mostAnnotations else { throw .textTooLarge(page: index) }
      guard let annotation = item.pointee.annot else { continue }
      annotations.append(try self.annotation(annotation, number, on: index))
    }
    if annotations.contains(where: { $0.kind == .ink }) { inkLists?.add(to: &annotations, of: index, pageCount) }
    return annotations
  }

  private func annotation(_ annotation: OpaquePointer, _ number: Int, on page: Int) throws(WorkerFailure) -> Annotation
  {
    let kind =
      Annotation.Kind(rawValue: UInt8(truncatingIfNeeded: poppler_annot_get_annot_type(annotation).rawValue))
      ?? .unknown
    // A truncated comment would look complete.
    let contents = string(taking: poppler_annot_get_contents(annotation), limit: HostileInput.longestContents + 1)
    guard (contents?.utf8.count ?? 0) <= HostileInput.longestContents else { throw .textTooLarge(page: page) }
    var place = PopplerRectangle()
    poppler_annot_get_rectangle(annotation, &place)
    let corners = [place.x1, place.y1, place.x2, place.y2].map(Self.inPlace)
    let flags = poppler_annot_get_flags(annotation).rawValue
    let isMarkup = Self.isA(annotation, poppler_annot_markup_get_type())
    return Annotation(
      kind: kind, index: number,
      name: string(taking: poppler_annot_get_name(annotation), limit: HostileInput.longestTitle), contents: contents,
      author: isMarkup
        ? string(taking: poppler_annot_markup_get_label(annotation), limit: HostileInput.longestTitle) : nil,
      subject: isMarkup
        ? string(taking: poppler_annot_markup_get_subject(annotation), limit: HostileInput.longestTitle) : nil,
      modified: string(taking: poppler_annot_get_modified(annotation), limit: HostileInput.longestLabel),
      color: Self.color(of: annotation),
      isHidden: flags & (POPPLER_ANNOT_FLAG_HIDDEN.rawValue | POPPLER_ANNOT_FLAG_NO_VIEW.rawValue) != 0,
      place: corners,
      quads: Self.isA(annotation, poppler_annot_text_markup_get_type()) ? Self.quads(of: annotation) : [])
  }

  private static func color(of annotation: OpaquePointer) -> Annotation.Color? {
    guard let color = poppler_annot_get_color(annotation) else { return nil }
    defer { g_free(color) }
    func part(_ value: guint16) -> UInt8 { UInt8(value >> 8) }
    return Annotation.Color(
      red: part(color.pointee.red), green: part(color.pointee.green), blue: part(color.pointee.blue))
  }

  private static func quads(of annotation: OpaquePointer) -> [[Double]] {
    guard let array = poppler_annot_text_markup_get_quadrilaterals(annotation) else { return [] }
    defer { g_array_unref(array) }
    let count = min(Int(array.pointee.len), HostileInput.mostQuads)
    guard count > 0, let data = array.pointee.data else { return [] }
    return data.withMemoryRebound(to: PopplerQuadrilateral.self, capacity: count) { quads in
      (0..<count).map { index in
        let quad = quads[index]
        return [quad.p1, quad.p2, quad.p3, quad.p4].flatMap { [inPlace($0.x), inPlace($0.y)] }
      }
    }
  }

  private static func inPlace(_ number: Double) -> Double {
    number.isNaN ? 0 : max(-PictureRequest.farthest, min(PictureRequest.farthest, number))
  }

  /// Whether an object is an instance of a GLib class.
  static func isA(_ object: OpaquePointer, _ type: GType) -> Bool {
    g_type_check_instance_is_a(UnsafeMutablePointer(object), type) != 0
  }
}
