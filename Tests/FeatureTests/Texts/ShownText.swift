import Client
import Synchronization
import TestSupport
import Wire

/// What an editor shows of a text. An edit of one that is no file is applied where it is for the version that the editor
/// has, and refused otherwise with the name of that version, as the packages for editors do it.
final class ShownText: Sendable {
  struct State {
    var text: String
    var version = 1
    /// The version that the editor names in its next save of a text that is no file, and from which its text is written.
    var base: String
    /// A save is under way: what its reply goes on from is the text that was sent.
    var isSaving = false
  }

  let uri: String
  private let editor: Client
  private let state: Mutex<State>

  init(_ text: String, as uri: String, base: String, in editor: Client) {
    (self.uri, self.editor) = (uri, editor)
    state = Mutex(State(text: text, base: base))
  }

  /// The texts that are no files, by URI.
  final class All: Sendable {
    private let texts = Mutex<[String: ShownText]>([:])
    func add(_ text: ShownText) { texts.withLock { $0[text.uri] = text } }

    /// The editor's answer to `workspace/applyEdit`.
    func answer(to params: JSONValue) -> JSONValue? {
      guard params["commonplace"] != nil else { return nil }
      let edit = params["edit"]?["documentChanges"]?[0] ?? .null
      return texts.withLock { $0[edit["textDocument"]?["uri"].text ?? ""] }?.answer(
        to: edit, params["commonplace"] ?? .null)
    }
  }

  var now: State { state.withLock { $0 } }

  /// The reader types.
  func type(_ text: String) { change { $0.text = text } }

  /// The text becomes another one, and the daemon is told so before anything else changes it.
  func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      let before = state.text
      body(&state)
      guard before != state.text else { return }
      state.version += 1
      editor.notify(
        "textDocument/didChange",
        [
          "textDocument": ["uri": .string(uri), "version": .integer(Int64(state.version))],
          "contentChanges": [["text": .string(state.text)]],
        ])
    }
  }

  private func answer(to edit: JSONValue, _ step: JSONValue) -> JSONValue {
    var answer: JSONValue = ["applied": true]
    change { state in
      guard edit["textDocument"]?["version"]?.integerValue == Int64(state.version), step["from"].text == state.base,
        !state.isSaving
      else {
        answer = ["applied": false, "base": .string(state.base)]
        return
      }
      state.base = step["base"].text
      state.text = Self.applied(edit["edits"].list, to: state.text)
    }
    return answer
  }

  /// A text with edits. Positions are in UTF-8.
  static func applied(_ edits: [JSONValue], to text: String) -> String {
    var bytes = Array(text.utf8)
    let starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    for edit in edits.reversed() {
      func place(_ end: String) -> Int {
        let position = edit["range"]?[end]
        return starts[Int(position?["line"]?.integerValue ?? 0)] + Int(position?["character"]?.integerValue ?? 0)
      }
      bytes.replaceSubrange(place("start")..<place("end"), with: Array(edit["newText"].text.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
