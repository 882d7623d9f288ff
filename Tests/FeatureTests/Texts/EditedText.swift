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
  /// The version that the editor names in its next save of a text that is no file.
  var base = ""
  var text: String
  var version = 1
  private var seen = 0

  init(_ path: String, _ bench: TextsBench, isFile: Bool = true) async throws {
    self.bench = bench
    if isFile {
      let laid = try await bench.editor.call("text/path", ["path": .string(path)])
      (uri, file) = (laid["uri"].text, laid["path"].text)
      text = try String(contentsOfFile: file, encoding: .utf8)
    } else {
      let opened = try await bench.editor.call("text/open", ["uri": .string("commonplace:///text/" + path)])
      (uri, file, base, text) = (opened["uri"].text, "", opened["base"].text, opened["text"].text)
    }
    bench.open(text, as: uri)
    _ = try await bench.editor.call("session/sync")
  }

  func type(_ text: String) {
    version += 1
    self.text = text
    bench.change(uri, version: version, [["text": .string(text)]])
  }

  /// Saves the text. One that is no file gets the edits of the reply, unless they are dropped.
  @discardableResult
  func save(isApplied: Bool = true) async throws -> JSONValue {
    guard !file.isEmpty else {
      let reply = try await bench.editor.call(
        "text/save", ["uri": .string(uri), "base": .string(base), "text": .string(text)])
      guard isApplied else { return reply }
      base = reply["base"].text
      if !reply["edits"].list.isEmpty { type(applied(reply["edits"].list)) }
      return reply
    }
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    bench.editor.notify(
      "textDocument/didSave", ["textDocument": ["uri": .string(uri)], "text": .string(text)])
    _ = try await bench.editor.call("session/sync")
    return .null
  }

  /// The next edit of the daemon.
  func edit() async throws -> JSONValue {
    let isEdit: @Sendable (Frame) -> Bool = { frame in
      if case .single(.request(_, "workspace/applyEdit", _)) = frame { true } else { false }
    }
    let frame = try await bench.editor.firstReceived(from: seen, where: isEdit)
    seen += (bench.editor.received[seen...].firstIndex(where: isEdit) ?? seen) - seen + 1
    guard case .single(.request(_, _, let params)) = frame else { return .null }
    return params["edit"]?["documentChanges"]?[0] ?? .null
  }

  /// Applies edits as an editor does, and says so; one of another version is refused. Positions are in UTF-8.
  func apply(_ edit: JSONValue) -> Bool {
    guard edit["textDocument"]?["version"]?.integerValue == Int64(version), edit["textDocument"]?["uri"].text == uri
    else { return false }
    type(applied(edit["edits"].list))
    return true
  }

  private func applied(_ edits: [JSONValue]) -> String {
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

  /// Applies edits until the text has this.
  func follow(until text: String) async throws {
    while !self.text.contains(text) { _ = apply(try await edit()) }
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
