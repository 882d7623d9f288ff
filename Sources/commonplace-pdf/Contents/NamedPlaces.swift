import CPoppler

/// The named destinations of a document. For single lookups poppler would search the file each time.
final class NamedPlaces {
  private let tree: OpaquePointer?

  init(of document: OpaquePointer) {
    tree = poppler_document_create_dests_tree(document)
  }

  deinit {
    if let tree { g_tree_destroy(tree) }
  }

  func place(named name: UnsafePointer<CChar>?) -> PopplerDest? {
    guard let tree, let name, let found = g_tree_lookup(tree, name) else { return nil }
    return found.assumingMemoryBound(to: PopplerDest.self).pointee
  }
}
