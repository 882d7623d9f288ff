import CPoppler
import PDF

extension Document {
  /// The links of a page in the file's order; empty for a page that poppler cannot load.
  func links(of index: Int) -> [PageLink] {
    guard let page = page(index) else { return [] }
    let mapping = poppler_page_get_link_mapping(page.poppler)
    defer { poppler_page_free_link_mapping(mapping) }
    var links: [PageLink] = []
    for link in GListItems<PopplerLinkMapping>(mapping) where links.count < HostileInput.mostLinks {
      guard let action = link.pointee.action, let area = page.region(link.pointee.area) else { continue }
      links.append(PageLink(area: area, target: target(of: action)))
    }
    return links
  }
}

extension Page {
  /// Converts a rectangle that poppler returns from the lower left corner of the displayed page; nil for an invalid
  /// one.
  func region(_ rectangle: PopplerRectangle) -> Region? {
    let left = min(rectangle.x1, rectangle.x2)
    let right = max(rectangle.x1, rectangle.x2)
    let top = height - max(rectangle.y1, rectangle.y2)
    let bottom = height - min(rectangle.y1, rectangle.y2)
    let places = -PictureRequest.farthest...PictureRequest.farthest
    guard [left, right, top, bottom].allSatisfy(places.contains) else { return nil }
    return Region(x: left, y: top, width: right - left, height: bottom - top)
  }
}

/// The elements of a GLib list, as pointers to their data.
struct GListItems<Item>: Sequence, IteratorProtocol {
  private var rest: UnsafeMutablePointer<GList>?

  init(_ list: UnsafeMutablePointer<GList>?) {
    rest = list
  }

  mutating func next() -> UnsafeMutablePointer<Item>? {
    while let item = rest {
      rest = item.pointee.next
      if let data = item.pointee.data { return data.assumingMemoryBound(to: Item.self) }
    }
    return nil
  }
}
