import Client
import Contract
import Foundation
import TestSupport
import Wire

/// A text that an editor has open: a file, or a text that is nowhere else.
final class EditedText {
  let bench: TextsBench
  let uri: String
  /// Empty for a text that is no file.
  let file: String
  private let shown: ShownText
  private var seen = 0
  var text: String { shown.now.text }
  var base: String { shown.now.base }

  init(_ path: String, _ bench: TextsBench, isFile: Bool = true) async throws {
    self.bench = bench
    let base: String
    let text: String
    if isFile {
      let laid = try await bench.editor.call("text/path", ["path": .string(path)])
      (uri, file, base) = (laid["uri"].text, laid["path"].text, "")
      text = try String(contentsOfFile: file, encoding: .utf8)
    } else {
      let opened = try await bench.editor.call("text/open", ["uri": .string("commonplace:///text/" + path)])
      (uri, file, base, text) = (opened["uri"].text, "", opened["base"].text, opened["text"].text)
    }
    shown = ShownText(text, as: uri, base: base, in: bench.editor)
    if !isFile { bench.shown.add(shown) }
    bench.open(text, as: uri)
    _ = try await bench.editor.call("session/sync")
  }

  func type(_ text: String) { shown.type(text) }

  /// Saves the text. One that is no file gets the edits of the reply, unless they are dropped.
  @discardableResult
  func save(isApplied: Bool = true) async throws -> JSONValue {
    guard !file.isEmpty else {
      shown.change { $0.isSaving = true }
      defer { shown.change { $0.isSaving = false } }
      let reply = try await bench.editor.call(
        "text/save", ["uri": .string(uri), "base": .string(shown.now.base), "text": .string(text)])
      guard isApplied else { return reply }
      shown.change {
        $0.base = reply["base"].text
        $0.text = ShownText.applied(reply["edits"].list, to: $0.text)
      }
      return reply
    }
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    bench.editor.notify(
      "textDocument/didSave", ["textDocument": ["uri": .string(uri)], "text": .string(text)])
    _ = try await bench.editor.call("session/sync")
    return .null
  }

  /// The next edit of the daemon to a file.
  func edit() async throws -> JSONValue {
    let isEdit: @Sendable (Frame) -> Bool = { frame in
      if case .single(.request(_, "workspace/applyEdit", _)) = frame { true } else { false }
    }
    let frame = try await bench.editor.firstReceived(from: seen, where: isEdit)
    seen += (bench.editor.received[seen...].firstIndex(where: isEdit) ?? seen) - seen + 1
    guard case .single(.request(_, _, let params)) = frame else { return .null }
    return params["edit"]?["documentChanges"]?[0] ?? .null
  }

  /// Applies edits of a file as an editor does, and says so; one of another version is refused.
  func apply(_ edit: JSONValue) -> Bool {
    guard edit["textDocument"]?["version"]?.integerValue == Int64(shown.now.version),
      edit["textDocument"]?["uri"].text == uri
    else { return false }
    type(ShownText.applied(edit["edits"].list, to: text))
    return true
  }

  /// Applies edits until the text has this. Those of a text that is no file are applied as they come.
  func follow(until text: String) async throws {
    while !self.text.contains(text) { if file.isEmpty { await Task.yield() } else { _ = apply(try await edit()) } }
  }

  /// Waits for a diagnostic.
  func diagnostic(_ code: String) async throws -> JSONValue {
    var count = 1
    while true {
      let heard = try await bench.editor.heard("textDocument/publishDiagnostics", atLeast: count)
      for params in heard where params["uri"].text == uri {
        if let found = params["diagnostics"].list.first(where: { $0["code"].text == code }) { return found }
      }
      count = heard.count + 1
    }
  }
}
