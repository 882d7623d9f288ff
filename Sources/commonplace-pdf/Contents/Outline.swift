import CPoppler
import PDF

extension Document {
  /// The table of contents. Uses an explicit stack: a file can nest it deeper than a thread's stack allows.
  func outline() -> Outline {
    var outline = Outline(items: [], isCut: false)
    guard let first = poppler_index_iter_new(poppler) else { return outline }
    var path = [first]
    defer { path.forEach(poppler_index_iter_free) }
    var bytes = 0
    while let item = path.last {
      guard outline.items.count < HostileInput.mostOutlineItems, bytes < Self.longestOutline else {
        outline.isCut = true
        break
      }
      let made = self.item(item, depth: path.count - 1)
      bytes += made.title.utf8.count + (made.target.text?.utf8.count ?? 0) + 64
      outline.items.append(made)
      if let child = poppler_index_iter_get_child(item) {
        if path.count < HostileInput.deepestOutline {
          path.append(child)
          continue
        }
        poppler_index_iter_free(child)
        outline.isCut = true
      }
      while let last = path.last, poppler_index_iter_next(last) == 0 {
        poppler_index_iter_free(last)
        path.removeLast()
      }
    }
    return outline
  }

  /// In bytes: the size that fits into a reply to a client.
  private static let longestOutline = 6 * 1_024 * 1_024

  private func item(_ iterator: OpaquePointer, depth: Int) -> Outline.Item {
    let isOpen = poppler_index_iter_is_open(iterator) != 0
    guard let action = poppler_index_iter_get_action(iterator) else {
      return Outline.Item(title: "", depth: depth, isOpen: isOpen, target: LinkTarget(.nowhere))
    }
    defer { poppler_action_free(action) }
    return Outline.Item(
      title: string(action.pointee.any.title, limit: HostileInput.longestOutlineTitle) ?? "", depth: depth,
      isOpen: isOpen, target: target(of: action))
  }
}
