import Contract
import Kit
import Store
import Wire

/// The parts of a text that a save could not save, for its diagnostics.
struct SaveProblems: Sendable {
  struct Problem: Sendable {
    var code: TextDiagnostic.Code
    var severity: TextDiagnostic.Severity
    /// As it was when the text was saved.
    var line: Int
    var content: String
    var message: String
    var data: JSONObject
  }

  var problems: [Problem]

  /// The items that are missing in the text and were not removed.
  var held: [ItemKey] {
    problems.filter { $0.code == .held }.compactMap { problem in
      guard let collection = problem.data["collection"]?.stringValue, let id = problem.data["id"]?.stringValue else {
        return nil
      }
      return ItemKey(collection: collection, id: id)
    }
  }

  init(problems: [Problem]) { self.problems = problems }

  init(_ saved: SavedText, of text: String, _ caller: FeatureCaller) {
    let lines = OpenText.lines(of: text)
    func content(_ line: Int) -> String { lines.indices.contains(line) ? lines[line] : "" }
    problems = saved.unsaved.map { place in
      let code: TextDiagnostic.Code =
        switch place.kind {
        case .conflict: .conflict
        case .readOnly: .readOnly
        case .unsaved: .unsaved
        case .anchor: .anchor
        case .day: .day
        }
      var data: JSONObject = [:]
      data["collection"] = place.collection.map { .string($0) }
      data["id"] = place.id.map { .string($0.text) }
      let line = place.range.start.line
      return Problem(
        code: code, severity: code == .readOnly || code == .anchor ? .information : .error, line: line,
        content: content(line), message: place.message, data: data)
    }
    problems += saved.held.map { item in
      Problem(
        code: .held, severity: .warning, line: item.line, content: content(item.line),
        message: caller.words(Text("text.heldItem", ["title": item.title])),
        data: [
          "collection": .string(item.collection), "id": .string(item.id.text), "anchor": .string(item.anchor),
        ])
    }
    problems += (saved.replaced ?? []).map { item in
      Problem(
        code: .replaced, severity: .information, line: item.line, content: content(item.line), message: item.message,
        data: ["collection": .string(item.collection), "id": .string(item.id.text), "former": item.former])
    }
  }

  /// The problems where their lines are now; those whose line is no more are settled.
  func diagnostics(in text: OpenText) -> [TextDiagnostic] {
    problems.compactMap { problem in
      // Its line is there again.
      if problem.code == .removal, let anchor = problem.data["anchor"]?.stringValue,
        text.lines.indices.contains(where: { text.content($0).anchor?.name == anchor })
      {
        return nil
      }
      let near = [problem.line] + (1...100).flatMap { [problem.line - $0, problem.line + $0] }
      guard
        let line = near.first(where: { text.lines.indices.contains($0) && sameBytes(text.lines[$0], problem.content) })
      else { return nil }
      return TextDiagnostic(
        code: problem.code, severity: problem.severity, line: line, range: 0..<text.line(line).contentCount,
        message: problem.message, data: problem.data)
    }
  }
}
