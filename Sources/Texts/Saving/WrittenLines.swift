import Kit
import Store
import Wire

/// The first lines of the items of a text as they should be written, before the text is saved.
enum WrittenLines {
  /// A line without its end, and the text in its place.
  typealias Replaced = (line: Int, text: String)

  /// - Parameter isWhole: whether all fields are written in their order. Otherwise only days in words are written out,
  ///   and new lines get the anchors of the items that a save will add.
  /// - Returns: none for a text that is read-only; nil for a file whose base is not stored yet, or lost.
  /// - Throws: `RPCError`; `StoreError`, `DatabaseError`.
  static func replaced(
    in text: String, at opened: OpenedPath, isWhole: Bool, in snapshot: Snapshot
  ) throws -> [Replaced]? {
    let path = opened.path
    guard let base = try base(of: opened, in: snapshot) else { return nil }
    guard let editing = TextPlaces(snapshot).form(of: path)?.editing, !base.isReadOnly,
      // Each line of a file with DOS line ends would be another one.
      sameBytes(TextSave.normalized(text, since: base.text), text)
    else { return [] }
    let parsed = try editing.parse(text, of: path, since: base.items, in: snapshot)
    let anchors = isWhole ? [:] : try newAnchors(of: parsed.items, at: path, base, editing, in: snapshot)
    let lines = TextLines.split(text)
    return try parsed.items.enumerated().compactMap { place, item in
      let number = item.lines.lowerBound
      let (rest, anchor) = TextAnchor.split(lines[number])
      // What stands after the anchor is put before it by the save.
      guard anchor != nil || item.anchor == nil else { return nil }
      var line = try editing.written(String(rest), of: item, isWhole: isWhole, on: path, in: snapshot)
      if let anchor {
        line += " ^" + anchor
      } else if let anchor = anchors[place] {
        line = editing.anchored(line, with: anchor) ?? line
      }
      return sameBytes(line, String(lines[number])) ? nil : (number, line)
    }
  }

  /// The version from which a text is written. Of a text that is no file only a client with live edits has one stored;
  /// any other's lines are compared with the library.
  private static func base(of opened: OpenedPath, in snapshot: Snapshot) throws -> TextBase? {
    if let stored = try TextBases.find(of: opened, for: snapshot.feature, in: snapshot) { return stored }
    if opened.isFile { return snapshot.services.desk.unstored(opened.path) }
    return try TextPlaces(snapshot).render(opened.path).map { TextBase(opened.path, $0, in: snapshot) }
  }

  /// The anchors of the items that have none, by place.
  private static func newAnchors(
    of items: [ParsedTextItem], at path: TextPath, _ base: TextBase, _ editing: any TextEditing, in snapshot: Snapshot
  ) throws -> [Int: String] {
    // The text of one item needs none.
    guard editing.removesMissing else { return [:] }
    let holder = TextAnchors.Holder(path, of: snapshot.feature.connectionID)
    snapshot.services.anchors.release(holder, except: Set(items.compactMap(\.anchor)))
    let binding = try TextBinding(items, to: base.items, isSingle: false) { anchor in
      try snapshot.services.anchors.item(with: anchor, in: editing.collection, for: snapshot)
    }
    var anchors: [Int: String] = [:]
    for (place, match) in binding.matches.enumerated() where items[place].anchor == nil {
      switch match {
      case .base(let index):
        anchors[place] = try snapshot.services.anchors.anchor(of: base.items[index].key, for: snapshot)
      case .new:
        anchors[place] = try snapshot.services.anchors.newAnchor(in: editing.collection, for: holder, snapshot)
      case .copy, .library: break
      }
    }
    return anchors
  }
}
