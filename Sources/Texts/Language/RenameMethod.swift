import Contract
import Kit
import Store
import Wire

/// LSP's `textDocument/rename`.
enum RenameText: LanguageMethod {
  static let name = "textDocument/rename"
  static let summary =
    "Renames the item of a link, or of the title at a position, in the library, as one write, and returns the edits of "
    + "the client's open ordinary texts that link to it by its title."
  static let effects: Effects = [.reads, .writes]

  struct Params: Payload {
    var textDocument: TextName
    var position: JSONValue
    var newName: String
    static let example = Params(
      textDocument: .example, position: ["line": 0, "character": 3], newName: "Dune Messiah")
    static let fields = [
      "textDocument": "The text.", "position": "LSP's position, in the client's encoding.",
      "newName": "The new title of the item.",
    ]
    static let limits: [String: FieldLimits] = ["newName": .length(1...1_000, notBlank: true)]
  }
  typealias Result = JSONValue

  struct Plan: Sendable {
    var client: LanguageClient
    var item: ItemKey
    var title: String
    var newTitle: String
  }

  /// The methods that change the titles of items, by collection.
  fileprivate static let methods = [
    "projects": "projects/update", "documents": "documents/update", "diary": "diary/update", "notes": "notes/update",
  ]

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan? {
    let position = PositionParams(textDocument: params.textDocument, position: params.position)
    guard let place = PlaceRequest(position, in: snapshot), let named = try place.named(in: snapshot) else {
      throw RPCError.invalidParams(field: "position", reason: Text("text.nothingToRename"))
    }
    return Plan(
      client: place.request.client, item: named.item, title: named.title,
      newTitle: params.newName.split(whereSeparator: \.isNewline).joined(separator: " ").trimmed)
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    let library = caller.services.library
    let encoding = caller.reader.positionEncoding
    // Before the write: afterwards the old title leads there only from texts of the library.
    let edits: [(text: OpenText, edits: [JSONValue])] = try await library.read(as: caller) { snapshot in
      try plan.client.texts.compactMap { text -> (text: OpenText, edits: [JSONValue])? in
        guard text.path(in: snapshot.services) == nil else { return nil }
        let edits = try text.scan.links.compactMap { link -> JSONValue? in
          guard case .title(let title) = link.target,
            try snapshot.meaning(of: link.target, in: nil).items == [plan.item]
          else { return nil }
          let written = text.line(link.line).bytes(link.range)
          let range = written.firstRange(of: title) ?? written.firstRange(of: title.replacing("|", with: "\\|"))
          guard let range else { return nil }
          let start = link.range.lowerBound + written.utf8.distance(from: written.startIndex, to: range.lowerBound)
          return [
            "range": text.range(link.line, start..<start + written[range].utf8.count, in: encoding).json,
            "newText": .string(plan.newTitle.replacing("|", with: "\\|")),
          ]
        }
        return edits.isEmpty ? nil : (text, edits)
      }
    }
    guard let method = methods[plan.item.collection] else { return .null }
    _ = try await library.call(
      method, ["id": .string(plan.item.id), "title": .string(plan.newTitle)], as: caller)
    return plan.client.workspaceEdit(edits)
  }
}

extension PlaceRequest {
  /// The item that a rename at this position changes, with the range of the link, of the anchor or of its own title.
  ///
  /// - Throws: `DatabaseError`; the errors of `LibraryTextForm.render`.
  fileprivate func named(in snapshot: Snapshot) throws -> (item: ItemKey, title: String, range: Range<Int>)? {
    let mark = try mark(in: snapshot)
    guard let item = try mark?.items.first ?? text.source(ofLine: line, in: snapshot), mark?.items.count ?? 1 == 1,
      RenameText.methods[item.collection] != nil, let title = try snapshot.shown(item)?.title, !title.isEmpty
    else { return nil }
    if let mark { return (item, title, mark.range) }
    // A card's line has fields after the title; of other items the title is the whole line.
    guard let written = content.firstRange(of: title), content.box != nil || sameBytes(content.trimmed, title) else {
      return nil
    }
    let start = content.utf8.distance(from: content.startIndex, to: written.lowerBound)
    let range = start..<start + content[written].utf8.count
    return range.lowerBound <= byte && byte <= range.upperBound ? (item, title, range) : nil
  }
}

extension LanguageClient {
  /// LSP's `WorkspaceEdit` in the form that the client declared.
  func workspaceEdit(_ edits: [(text: OpenText, edits: [JSONValue])]) -> JSONValue {
    guard abilities.documentChanges else {
      return [
        "changes": .object(JSONObject(edits.map { .init(key: $0.text.uri, value: .array($0.edits)) }))
      ]
    }
    return [
      "documentChanges": .array(
        edits.map { text, edits in
          [
            "textDocument": ["uri": .string(text.uri), "version": .integer(Int64(text.version))],
            "edits": .array(edits),
          ]
        })
    ]
  }
}

/// LSP's `textDocument/prepareRename`.
enum PrepareRename: LanguageMethod {
  static let name = "textDocument/prepareRename"
  static let summary = "The title of the item that a rename at a position would change, and where it is."
  typealias Params = PositionParams
  typealias Result = JSONValue

  struct Plan: Sendable {
    var range: JSONValue
    var title: String
  }

  static func prepare(_ params: PositionParams, in snapshot: Snapshot) throws -> Plan? {
    guard let place = PlaceRequest(params, in: snapshot), let named = try place.named(in: snapshot) else { return nil }
    return Plan(range: place.request.range(place.line, named.range), title: named.title)
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    return ["range": plan.range, "placeholder": .string(plan.title)]
  }
}
