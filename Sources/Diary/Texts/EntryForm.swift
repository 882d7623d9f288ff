import Contract
import Kit
import Store
import Wire

/// `diary/entry/0192.md`: the text of one entry, byte for byte.
struct EntryForm: LibraryTextForm {
  let collections: Set = [EntryRecord.collectionName]
  var editing: (any TextEditing)? { EntryEditing() }

  static func path(of id: String) -> TextPath? { TextPath("diary", "entry", id) }

  func shows(_ path: TextPath) -> Bool { path.segments.count == 3 && path.segments.starts(with: ["diary", "entry"]) }

  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    guard let record = try snapshot.find(EntryRecord.self, id: path.segments[2]) else { return nil }
    let text = ShownLines.shown(record.text)
    let item = TextItem(
      collection: EntryRecord.collectionName, id: record.id, title: snapshot.name(of: EntryText(record.text)),
      revision: record.revision, lines: 0..<TextLines.split(text).count, content: text)
    return RenderedText(text: text, items: [item], isReadOnly: !ShownLines.isFaithful(record.text))
  }

  func place(of target: TextTarget, in snapshot: Snapshot) throws -> LineOfText? {
    guard let record = try snapshot.find(EntryRecord.self, id: target.id), let path = Self.path(of: target.id) else {
      return nil
    }
    return LineOfText(path, line: TextLines.count(in: record.text, upTo: target.offset))
  }
}

/// How the text of one entry is saved.
private struct EntryEditing: TextEditing {
  let collection = EntryRecord.collectionName
  let isOrdered = false
  // An emptied text is no removal.
  let removesMissing = false

  func parse(
    _ text: String, of path: TextPath, since items: [TextItem], in snapshot: Snapshot
  ) throws -> ParsedText {
    var content = text
    let lineFeed = UInt8(ascii: "\n")
    // Editors end every file with a line end, which is no change of the entry.
    if let base = items.first?.content, base.utf8.last != lineFeed, text.utf8.last == lineFeed {
      content.unicodeScalars.removeLast()
    }
    return ParsedText(items: [ParsedTextItem(lines: 0..<TextLines.split(text).count, content: content)])
  }

  func add(_ item: ParsedTextItem, to path: TextPath, in transaction: Transaction) throws -> String {
    throw RPCError.notFound(EntryRecord.collectionName, id: path.segments[2])
  }

  func change(_ id: String, from old: String, to new: ParsedTextItem, in transaction: Transaction) throws -> TextChange
  {
    try transaction.changeEntry(id, from: old, to: new.content)
  }

  func content(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String? {
    try snapshot.find(EntryRecord.self, id: id).map { ShownLines.shown($0.text) }
  }

  func lane(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String? {
    sameBytes(id, path.segments[2]) ? "" : nil
  }

  func move(
    _ id: String, to lane: String, after predecessor: String?, before successor: String?, on path: TextPath,
    in transaction: Transaction
  ) throws -> Bool { false }

  func remove(_ id: String, in transaction: Transaction) throws {
    try transaction.remove(transaction.snapshot.get(EntryRecord.self, id: id))
  }

  func title(of id: String, in snapshot: Snapshot) throws -> String { try snapshot.entryTitle(id) }
}

extension Snapshot {
  /// The display name of an entry; empty for one that is not in the library.
  func entryTitle(_ id: String) throws -> String {
    try find(EntryRecord.self, id: id).map { name(of: EntryText($0.text)) } ?? ""
  }
}

extension Transaction {
  /// Applies the changes between two versions of a text to an entry.
  ///
  /// - Throws: `RPCError` of the kind `notFound`, of `readOnly` for a text that editors cannot hold, `invalidParams`
  ///   for a blank text or a too long one.
  func changeEntry(_ id: String, from old: String, to new: String) throws -> TextChange {
    let record = try snapshot.get(EntryRecord.self, id: id)
    guard ShownLines.isFaithful(record.text) else { throw RPCError(.readOnly, text: Text("text.unshowable")) }
    guard !EntryText(new).isBlank else { throw RPCError.invalidParams(field: "text", reason: Text("param.blank")) }
    var (base, edited) = (record, record)
    (base.text, edited.text) = (old, new)
    let merge = try ItemMerge(EntryRecord.fields, base: base, ours: record, theirs: edited)
    if !merge.conflicts.isEmpty { return .conflict }
    guard merge.isChange else { return .unchanged }
    try EntryText(merge.merged.text).requireLength(of: "text")
    let changed = try change(record) { $0 = merge.merged }
    try DraftTable.diary.settle(
      saving: changed, over: record.revision, text: changed.text, title: nil, body: nil, in: self)
    return .changed
  }
}
