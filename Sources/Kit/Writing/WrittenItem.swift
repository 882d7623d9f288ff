import Contract
import Store
import Wire

/// An item whose content is one text that the user writes, stored byte for byte: an entry of the diary, a note.
package protocol WrittenItem: StoredItem {
  var text: String { get set }
  var tags: [String] { get set }
  /// The unsaved texts of clients; the content of a draft is the text itself.
  static var drafts: DraftTable { get }
}

// MARK: - Drafts

extension DraftTable {
  /// Deletes the drafts that the saved item includes; the save set the whole text or these parts.
  ///
  /// - Parameter old: the item's revision before the save; nil for a new one.
  /// - Throws: `DatabaseError`.
  package func settle(
    saving item: some WrittenItem, over old: Int64?, text: String?, title: String? = nil, body: String? = nil,
    in transaction: Transaction
  ) throws {
    let setsAll = text != nil || title != nil && body != nil
    let revisions = (old: old, new: item.revision)
    try settle(item.id, saving: item.text, revisions: revisions, in: transaction) { draft in
      setsAll ? item.text : TitledText(draft).replacing(title: title, body: body)
    }
  }

  /// Stores a client's unsaved text of an item. A blank one only discards the draft.
  ///
  /// - Parameter id: nil for a new item, which gets an id.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  package func keep<Item: WrittenItem>(
    _ text: String, of id: String?, as type: Item.Type, in transaction: Transaction
  ) throws -> StoredDraft {
    let id = id ?? transaction.services.newID()
    let known = try find(id, of: transaction.caller.connectionID, in: transaction.db)
    let draft = StoredDraft(
      of: id, content: text, known: known, revision: try transaction.snapshot.find(type, id: id)?.revision,
      in: transaction)
    transaction.keepSilent()
    if !TitledText(text).isBlank {
      try keep(draft, in: transaction)
    } else if known != nil {
      _ = try discard(id, of: draft.connection, in: transaction)
    }
    return draft
  }
}

// MARK: - Versions

extension Transaction {
  /// The text that an item had after a commit.
  ///
  /// - Throws: `notFound` for a future commit, and for a text that is not stored any more; `DatabaseError`.
  package func text<Item: WrittenItem>(of item: Item, after version: Int64) throws -> String {
    let words = ["id": item.id, "clock": String(version), "current": String(item.revision)]
    let data: JSONObject = ["id": .string(item.id), "version": .integer(version)]
    // There is no version for a future clock.
    guard version < clock else { throw RPCError(.notFound, text: Text("item.noVersionYet", words), data: data) }
    let text = try ItemVersion.text(
      "text", of: Item.collectionName, table: Item.tableName, id: item.id, after: version, in: snapshot)
    guard let text else { throw RPCError(.notFound, text: Text("item.noVersion", words), data: data) }
    return text
  }
}

// MARK: - As the text of an editor

extension Transaction {
  /// Applies the changes between two versions of a text to an item.
  ///
  /// - Throws: `RPCError` of the kind `notFound`, of `readOnly` for a text that editors cannot hold, `invalidParams`
  ///   for a blank text or a too long one.
  package func changeText<Item: WrittenItem>(
    of type: Item.Type, _ id: String, from old: String, to new: String
  ) throws -> TextChange {
    let item = try snapshot.get(type, id: id)
    guard ShownLines.isFaithful(item.text) else { throw RPCError(.readOnly, text: Text("text.unshowable")) }
    guard !TitledText(new).isBlank else { throw RPCError.invalidParams(field: "text", reason: Text("param.blank")) }
    var (base, edited) = (item, item)
    (base.text, edited.text) = (old, new)
    let merge = try ItemMerge(Item.fields, base: base, ours: item, theirs: edited)
    if !merge.conflicts.isEmpty { return .conflict }
    guard merge.isChange else { return .unchanged }
    try TitledText(merge.merged.text).requireLength(of: "text")
    var merged = merge.merged
    merged.tags = TextTags.adding(to: item.tags, from: merged.text, over: item.text)
    let changed = try change(item) { $0 = merged }
    try Item.drafts.settle(saving: changed, over: item.revision, text: changed.text, in: self)
    return .changed
  }
}

extension Snapshot {
  /// The display name of an item; empty for one that is not in the library.
  ///
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  package func title<Item: WrittenItem>(of type: Item.Type, _ id: String) throws -> String {
    try find(type, id: id).map { name(of: TitledText($0.text)) } ?? ""
  }
}

extension RenderedText {
  /// The text of one item, byte for byte.
  package init<Item: WrittenItem>(of item: Item, in snapshot: Snapshot) {
    let text = ShownLines.shown(item.text)
    let shown = TextItem(
      collection: Item.collectionName, id: item.id, title: snapshot.name(of: TitledText(item.text)),
      revision: item.revision, lines: 0..<TextLines.split(text).count, content: text)
    self.init(text: text, items: [shown], isReadOnly: !ShownLines.isFaithful(item.text))
  }
}

/// How the text of one item is saved.
package struct WrittenItemEditing<Item: WrittenItem>: TextEditing {
  /// Whether a path names an item.
  private let names: @Sendable (_ id: String, _ path: TextPath, _ snapshot: Snapshot) throws -> Bool

  package init(
    _ type: Item.Type, names: @escaping @Sendable (_ id: String, _ path: TextPath, _ snapshot: Snapshot) throws -> Bool
  ) {
    self.names = names
  }

  package var collection: String { Item.collectionName }
  // An emptied text is no removal.
  package var removesMissing: Bool { false }

  /// - Throws: nothing: every text is one.
  package func parse(
    _ text: String, of path: TextPath, since items: [TextItem], in snapshot: Snapshot
  ) throws -> ParsedText {
    var content = text
    let lineFeed = UInt8(ascii: "\n")
    // Editors end every file with a line end, which is no change of the item.
    if let base = items.first?.content, base.utf8.last != lineFeed, text.utf8.last == lineFeed {
      content.unicodeScalars.removeLast()
    }
    return ParsedText(items: [ParsedTextItem(lines: 0..<TextLines.split(text).count, content: content)])
  }

  /// - Throws: always `RPCError` of the kind `notFound`: a text is that of an existing item.
  package func add(_ item: ParsedTextItem, to path: TextPath, in transaction: Transaction) throws -> String {
    throw RPCError.notFound(collection, id: path.segments[path.segments.endIndex - 1])
  }

  /// - Throws: `RPCError` of the kinds `notFound` and `conflict` and of invalid params, `StoreError.broken`,
  ///   `DatabaseError`.
  package func change(
    _ id: String, from old: String, to new: ParsedTextItem, in transaction: Transaction
  ) throws -> TextChange {
    try transaction.changeText(of: Item.self, id, from: old, to: new.content)
  }

  /// - Throws: `StoreError.broken`, `DatabaseError`.
  package func content(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String? {
    try snapshot.find(Item.self, id: id).map { ShownLines.shown($0.text) }
  }

  /// - Throws: what `names` throws.
  package func lane(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String? {
    try names(id, path, snapshot) ? "" : nil
  }

  /// - Throws: nothing.
  package func move(
    _ id: String, to lane: String, after predecessor: String?, before successor: String?, on path: TextPath,
    in transaction: Transaction
  ) throws -> Bool { false }

  /// - Throws: `RPCError` of the kind `notFound`, `StoreError.broken`, `DatabaseError`.
  package func remove(_ id: String, in transaction: Transaction) throws {
    try transaction.remove(transaction.snapshot.get(Item.self, id: id))
  }

  package var drafts: DraftTable? { Item.drafts }

  /// - Throws: nothing.
  package func draftContent(
    of text: ParsedTextItem, since item: TextItem, in transaction: Transaction
  ) throws -> String? {
    let isPossible =
      !TitledText(text.content).isBlank && text.content.unicodeScalars.count <= TitledText.maximumLength
    return isPossible ? text.content : nil
  }

  /// - Throws: `StoreError.broken`, `DatabaseError`.
  package func title(of id: String, in snapshot: Snapshot) throws -> String { try snapshot.title(of: Item.self, id) }
}
