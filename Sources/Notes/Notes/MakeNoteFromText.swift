import Contract
import Glibc
import Kit
import Store
import Wire

enum MakeNoteFromText: WriteMethod {
  static let name = "notes/fromText"
  static let summary =
    "Moves a passage of another item's text into a new note, and leaves a link to the note in its place, in one undo "
    + "step."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var collection: String
    var id: ItemID
    var field: String?
    var text: String?
    var title: String?
    var tags: [String]?
    static let example = Params(
      collection: "diary", id: "0193", field: nil, text: "Fear is the mind-killer.", title: "Fear", tags: ["quotes"])
    static let fields = [
      "collection": "The collection of the other item.", "id": "The other item.",
      "field": "The field with the text. Default: its `text`, `body` or `note`.",
      "text": "The passage, which must occur exactly once. Default: the whole text.",
      "title": "The title of the note, above the passage. Default: the passage begins with it.",
      "tags": "The tags of the note.",
    ]
    static let limits: [String: FieldLimits] = [
      "collection": .length(1...64), "field": .length(1...64),
      "text": .length(1...TitledText.maximumLength, notBlank: true), "title": .length(1...1_000, notBlank: true),
      "tags": .length(0...TagList.most),
    ]
  }
  typealias Result = Note

  /// The fields with user-written text, the usual one first.
  private static let fields = ["text", "body", "note"]
  /// The shortest limit of such a field, in Unicode scalars.
  private static let shortestLimit = 100_000

  static func run(_ params: Params, in transaction: Transaction) throws -> Note {
    let snapshot = transaction.snapshot
    let source = ItemKey(collection: params.collection, id: params.id.text)
    let (collection, field) = try place(of: params, in: snapshot)
    guard try snapshot.holds(source) else { throw RPCError.notFound(source.collection, id: source.id) }
    let whole = try snapshot.services.library.links(of: source.collection)?.texts(of: source.id, in: field, snapshot.db)
    let text = whole?.first ?? ""
    let passage = params.text ?? text
    guard !passage.isBlank else { throw RPCError.invalidParams(field: "text", reason: Text("param.blank")) }
    let range = try range(of: passage, in: text)

    var note = NoteRecord()
    note.id = transaction.services.newID()
    note.text = params.title.map { $0 + "\n\n" + passage } ?? passage
    try TitledText(note.text).requireLength(of: "text")
    note.tags = try params.tags.map { try TagList.normalized($0) } ?? TextTags.adding(to: [], from: note.text)
    let added = try transaction.insert(note)

    let shown = LinkedItem(title: note.title, of: NoteRecord.collectionName, id: note.id)
    let link = try LinkReads(snapshot).written(
      to: [(ItemKey(collection: NoteRecord.collectionName, id: note.id), shown.title, shown.link)])[0]
    let left =
      String(decoding: Array(text.utf8)[..<range.lowerBound], as: UTF8.self) + link
      + String(decoding: Array(text.utf8)[range.upperBound...], as: UTF8.self)
    guard left.unicodeScalars.count <= max(text.unicodeScalars.count, shortestLimit) else {
      throw RPCError.invalidParams(
        field: "text", reason: Text("param.length.maximum", ["maximum": String(shortestLimit)]))
    }
    try collection.settle(field, source.id, nil, .theirs, [field: .string(left)], transaction)
    return try Note(added, in: snapshot)
  }

  /// - Throws: `invalidParams` for a collection or a field without user-written text.
  private static func place(
    of params: Params, in snapshot: Snapshot
  ) throws(RPCError) -> (collection: ItemCollection, field: String) {
    let library = snapshot.services.library
    func fields(of name: String) -> [String] {
      let columns = library.links(of: name)?.linking.texts.map(\.column) ?? []
      return Self.fields.filter(columns.contains)
    }
    let known = fields(of: params.collection)
    guard let collection = library.collection(params.collection), let usual = known.first else {
      let choices = library.collections.filter { !fields(of: $0).isEmpty }.joined(separator: ", ")
      throw .invalidParams(
        field: "collection", reason: Text("param.choice", ["found": params.collection, "choices": choices]))
    }
    let field = params.field ?? usual
    guard known.contains(field) else {
      throw .invalidParams(
        field: "field", reason: Text("param.choice", ["found": field, "choices": known.joined(separator: ", ")]))
    }
    return (collection, field)
  }

  /// The passage in a text, without the line ends after it, in UTF-8 bytes.
  ///
  /// - Throws: `invalidParams` if it does not occur exactly once.
  private static func range(of passage: String, in text: String) throws(RPCError) -> Range<Int> {
    // Ended by a zero, as `strstr` needs it; no text has one inside.
    let (bytes, part) = (Array(text.utf8) + [0], Array(passage.utf8) + [0])
    func place(from start: Int) -> Int? {
      bytes.withUnsafeBytes { bytes -> Int? in
        guard !passage.hasNUL, let base = bytes.bindMemory(to: CChar.self).baseAddress else { return nil }
        return part.withUnsafeBytes { strstr(base + start, $0.bindMemory(to: CChar.self).baseAddress ?? base) }
          .map { UnsafePointer($0) - base }
      }
    }
    guard let first = place(from: 0) else {
      throw .invalidParams(field: "text", reason: Text("notes.noPassage"))
    }
    guard place(from: first + 1) == nil else {
      throw .invalidParams(field: "text", reason: Text("notes.severalPassages"))
    }
    let lineEnds: Set<UInt8> = [0, 0x0A, 0x0D]
    return first..<(first + (part.lastIndex { !lineEnds.contains($0) }.map { $0 + 1 } ?? 0))
  }
}
