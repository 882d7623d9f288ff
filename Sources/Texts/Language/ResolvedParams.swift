import Contract
import Wire

/// The params of a request to complete an answer: the answer itself, as the client got it.
protocol ResolvedParams: Payload {}

extension ResolvedParams {
  /// All of its members.
  func members() throws -> JSONObject { try JSONEncoding.value(of: self).objectValue ?? [:] }
}

/// LSP's `CompletionItem`, with the members that we send.
struct GivenCompletion: ResolvedParams {
  var label: String
  var kind: Int?
  var detail: String?
  var sortText: String?
  var filterText: String?
  var insertText: String?
  var textEdit: JSONValue?
  var data: JSONValue?
  static let example = GivenCompletion(
    label: "Dune", kind: 8, detail: "Books", sortText: "000", filterText: "[[Du", insertText: nil, textEdit: nil,
    data: ["collection": "books", "id": "0192"])
  static let fields = [
    "label": "What is shown.", "kind": "LSP's number of its kind.", "detail": "The collection.",
    "sortText": "Its rank.", "filterText": "What was typed.", "insertText": "The text, for Neovim 0.11.",
    "textEdit": "The text and what it replaces.", "data": "The item.",
  ]
}

/// LSP's `DocumentLink`.
struct GivenLink: ResolvedParams {
  var range: JSONValue
  var target: String?
  var tooltip: String?
  var data: JSONValue?
  static let example = GivenLink(
    range: ["start": ["line": 0, "character": 0], "end": ["line": 0, "character": 8]], target: nil, tooltip: nil,
    data: ["link": "commonplace:/books/0192"])
  static let fields = [
    "range": "Where the link is.", "target": "Where it leads.", "tooltip": "What a client shows.", "data": "The item.",
  ]
}

/// LSP's `WorkspaceSymbol`.
struct GivenSymbol: ResolvedParams {
  var name: String
  var kind: Int
  var containerName: String?
  var location: JSONValue
  var data: JSONValue?
  static let example = GivenSymbol(
    name: "Dune", kind: 11, containerName: "Books", location: ["uri": "commonplace:/books/0192"],
    data: ["link": "commonplace:/books/0192"])
  static let fields = [
    "name": "What is shown.", "kind": "LSP's number of its kind.",
    "containerName": "The collection, and the page of a document.",
    "location": "Its URI.", "data": "The item.",
  ]
}

/// LSP's `CodeAction`.
struct GivenAction: ResolvedParams {
  var title: String
  var kind: String?
  var command: JSONValue?
  var edit: JSONValue?
  var data: JSONValue?
  static let example = GivenAction(
    title: "Link to the page of this quote", kind: "refactor.rewrite", command: nil, edit: nil,
    data: ["quote": "The spice must flow along all the roads"])
  static let fields = [
    "title": "What is shown.", "kind": "Its kind.", "command": "What is run after the edit.", "edit": "The edit.",
    "data": "What is needed for the edit.",
  ]
}
