import Contract
import Kit
import Wire

/// LSP's `window/showMessage`.
enum ShowMessage: Contract.Notification {
  static let name = "window/showMessage"
  static let summary = "A message for the user."
  static let direction = Direction.toClient

  struct Params: Payload {
    var type: Int
    var message: String
    static let example = Params(type: 3, message: "Removed “Call Ann”.")
    static let fields = ["type": "1 error, 2 warning, 3 info.", "message": "The message."]
  }
}

/// LSP's `textDocument/publishDiagnostics`.
enum PublishDiagnostics: Contract.Notification {
  static let name = "textDocument/publishDiagnostics"
  static let summary = "What is wrong in an open text: its links, its deadlines, and what could not be saved."
  static let direction = Direction.toClient

  struct Params: Payload {
    var uri: String
    var version: Int?
    var diagnostics: [JSONValue]
    static let example = Params(uri: "file:///home/reader/notes.md", version: 2, diagnostics: [])
    static let fields = [
      "uri": "The text.", "version": "Its version, for clients that compare it.",
      "diagnostics":
        "LSP's diagnostics, with `code` and `source: \"commonplace\"`; an empty list clears the earlier ones.",
    ]
  }
}
