import Contract
import Kit
import Store
import Wire

enum AddNote: WriteMethod {
  static let name = "notes/add"
  static let summary =
    "Adds a note. A `title` beside a `text` becomes its first heading, unless the text has that title already. A repeated "
    + "request with the same `id` and values returns the existing note."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.exists]

  struct Params: TextParts {
    let given: JSONObject
    static let typeName = "AddNote.Params"
    static let members =
      NoteRecord.fields.added + [
        .param(
          "title", String.self, .optional, limits: .length(0...TitledText.maximumLength / 2),
          "The title: without `text` its first line, with `text` a heading above it. One of the two is needed.")
      ] + parts.filter { $0.name != "title" } + [.id(.optional, "An id chosen by the client.")]
    static let atMostOne = [["text", "body"]]
    static let example = Params(given: [
      "title": "Dune", "body": "By Frank Herbert.", "tags": ["novel"], "id": "0192",
    ])
  }
  typealias Result = Note

  static func run(_ params: Params, in transaction: Transaction) throws -> Note {
    let snapshot = transaction.snapshot
    var note = NoteRecord()
    note.id = params.id ?? transaction.services.newID()
    try note.set(params.values, in: snapshot)
    note.text = try params.newText().text
    if let text = params.text, let title = params.title, !TitledText(title).isBlank {
      note.text = try headed(text, title: TitledText(title).name)
    }
    if !params.sets("tags") { note.tags = TextTags.adding(to: [], from: note.text) }
    try note.requireSense(params)
    guard let known = try params.id.flatMap({ try snapshot.find(NoteRecord.self, id: $0) }) else {
      return try Note(transaction.add(note, by: params), in: snapshot)
    }
    guard try NoteRecord.fields.all.allSatisfy({ try $0.input == nil || $0.isSame(known, note) }) else {
      throw RPCError(
        .exists, text: Text("item.exists", ["id": known.id]), data: ["current": try Note(known, in: snapshot).value])
    }
    return try Note(known, in: snapshot)
  }

  /// A text with a heading, unless that is its title already.
  ///
  /// - Throws: `invalidParams` for a text that is too long.
  private static func headed(_ text: String, title: String) throws(RPCError) -> String {
    let old = TitledText(text)
    if old.isBlank || sameBytes(old.name, title) { return old.isBlank ? title : text }
    let headed = "# \(title)\n\n\(text)"
    try TitledText(headed).requireLength(of: "text")
    return headed
  }
}

enum UpdateNote: WriteMethod, ManyItemsMethod {
  static let name = "notes/update"
  static let summary =
    "Changes a note's text, title, tags or front matter. The old text stays in its history, and a former title still "
    + "finds it while no other item has that title."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: TextParts {
    let given: JSONObject
    static let typeName = "UpdateNote.Params"
    static let members =
      [.id(.required, "The note.")] + NoteRecord.fields.updated + parts + [versionParam, .ifRevision]
    static let atMostOne = [["text", "title", "version"], ["text", "body", "version"]]
    static let example = Params(given: ["id": "0192", "title": "Dune Messiah", "ifRevision": 42])
  }
  typealias Result = Note

  static func run(_ params: Params, in transaction: Transaction) throws -> Note {
    let note = try transaction.snapshot.get(NoteRecord.self, id: params.id ?? "")
    try transaction.require(note, at: params.ifRevision)
    var wanted = note
    try wanted.set(params.given, in: transaction.snapshot)
    wanted.text = try params.newText(of: note, in: transaction).text
    if !params.sets("tags"), params.version == nil {
      wanted.tags = TextTags.adding(to: note.tags, from: wanted.text, over: note.text)
    }
    try wanted.requireSense(params)
    let changed = try transaction.change(note) { $0 = wanted }
    // Restoring an old version saves no draft: the draft's base has been replaced.
    try NoteRecord.drafts.settle(
      saving: changed, over: params.version == nil ? note.revision : changed.revision, text: params.text,
      title: params.title, body: params.body, in: transaction)
    return try Note(changed, in: transaction.snapshot)
  }
}

enum AppendToNote: WriteMethod {
  static let name = "notes/append"
  static let summary = "Adds lines to the end of a note."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: ItemID
    var text: String
    var ifRevision: Int64?
    static let example = Params(id: "0192", text: "- Read it again.", ifRevision: nil)
    static let fields = [
      "id": "The note.", "text": "The lines, stored byte for byte, on a line of their own.",
      "ifRevision": "Fails with `conflict` if the note has another revision.",
    ]
    static let limits: [String: FieldLimits] = ["text": .length(1...TitledText.maximumLength, notBlank: true)]
  }
  typealias Result = Note

  static func run(_ params: Params, in transaction: Transaction) throws -> Note {
    let note = try transaction.snapshot.get(NoteRecord.self, id: params.id.text)
    try transaction.require(note, at: params.ifRevision)
    let text = try TitledText(note.text).appending(params.text)
    let tags = TextTags.adding(to: note.tags, from: text, over: note.text)
    return try Note(transaction.change(note) { ($0.text, $0.tags) = (text, tags) }, in: transaction.snapshot)
  }
}

extension NoteRecord {
  /// - Throws: `invalidParams` of the param that made the text blank, or of a front matter that no file can have.
  fileprivate func requireSense(_ params: some TextParts) throws {
    if TitledText(text).isBlank, params.text == nil, params.title != nil {
      throw RPCError.invalidParams(field: "title", reason: Text("param.blank"))
    }
    try check()
  }
}

extension Transaction {
  /// Inserts a note, and deletes the drafts that it includes.
  ///
  /// - Throws: `DatabaseError`.
  func add(_ note: NoteRecord, by params: some TextParts) throws -> NoteRecord {
    let added = try insert(note)
    let isBoth = params.text != nil && params.title != nil
    try NoteRecord.drafts.settle(
      saving: added, over: nil, text: isBoth ? added.text : params.text, title: isBoth ? nil : params.title,
      body: params.body, in: self)
    return added
  }
}
