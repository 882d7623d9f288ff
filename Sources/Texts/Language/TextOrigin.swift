import Contract
import Kit
import Store
import Wire

/// Where an item was captured, which its text names.
struct TextOrigin {
  let uri: String
  /// From 0.
  let line: Int?

  /// A stable link to the item of a library text; the path of a file, with the line from 1, as compilers write it.
  ///
  /// - Returns: nil for a text that is in no file, and for a line of a library text that belongs to no item.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  func text(in snapshot: Snapshot) throws -> String? {
    if let path = snapshot.services.desk.path(of: uri) { return try link(to: path, in: snapshot)?.text }
    return FileURI.path(of: uri).map { path in line.map { "\(path):\($0 + 1)" } ?? path }
  }

  private func link(to path: TextPath, in snapshot: Snapshot) throws -> StableLink? {
    let places = TextPlaces(snapshot)
    let path = places.canonical(path)
    do {
      guard let text = try places.render(path),
        let item = line.flatMap(text.item(atLine:)) ?? (text.items.count == 1 ? text.items[0] : nil)
      else { return nil }
      // `documents/0192/page/2.md`.
      let parts = path.segments
      let page = parts.count == 4 && parts[2] == "page" ? [StableLink.Place(name: "page", value: parts[3])] : []
      return StableLink(collection: item.collection, item: item.id, places: page)
    } catch is RPCError {
      return nil
    }
  }
}
