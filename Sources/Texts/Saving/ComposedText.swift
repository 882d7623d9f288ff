import Kit
import Store
import Wire

/// The text that a client should have after a save: the library's, with what could not be saved where it was written.
enum ComposedText {
  /// - Parameter rendered: the text after the save.
  /// - Returns: the text, and its items with the versions with which the next save is compared.
  static func make(_ rendered: RenderedText, after outcome: TextSaveOutcome) -> (text: String, items: [TextItem]) {
    let kinds: [TextProblem.Kind] = [.conflict, .unsaved, .day]
    let refused = outcome.problems.filter { kinds.contains($0.kind) }
    if refused.isEmpty { return (rendered.text, rendered.items) }
    let written = TextLines.split(outcome.text)
    let shown = Set(rendered.items.map(\.id))
    var replaced: [String: [Substring]] = [:]
    var inserted: [String: [Block]] = [:]
    let contents = Dictionary(outcome.items.map { ($0.id, $0) }) { first, _ in first }
    var last = ""
    var items = outcome.written[...]
    for problem in refused.sorted(by: { $0.lines.lowerBound < $1.lines.lowerBound }) {
      while let item = items.first, item.lines.lowerBound <= problem.lines.lowerBound {
        // Others may have moved an item away: nothing is found after it.
        if let id = item.id, shown.contains(id) { last = id }
        items.removeFirst()
      }
      let lines = Array(written[problem.lines.clamped(to: 0..<written.count)])
      if let item = problem.item, shown.contains(item.id) {
        replaced[item.id] = lines
      } else if !problem.isGone {
        inserted[last, default: []].append(Block(lines: lines, item: problem.item.flatMap { contents[$0.id] }))
      }
    }
    return compose(rendered, replaced, inserted, contents)
  }

  /// Lines of the client that the library's text has no place for.
  private struct Block {
    var lines: [Substring]
    /// The item that the lines are of, which is in another text now.
    var item: TextItem?
  }

  private static func compose(
    _ rendered: RenderedText, _ replaced: [String: [Substring]], _ inserted: [String: [Block]],
    _ contents: [String: TextItem]
  ) -> (text: String, items: [TextItem]) {
    let lines = TextLines.split(rendered.text)
    var composed: [Substring] = []
    var items: [TextItem] = []
    var place = 0
    func insert(after id: String) {
      for block in inserted[id] ?? [] {
        if var item = block.item {
          (item.firstLine, item.lineCount) = (composed.count, block.lines.count)
          items.append(item)
        }
        composed += block.lines
      }
    }
    insert(after: "")
    for item in rendered.items {
      composed += lines[place..<item.lines.lowerBound]
      place = item.lines.upperBound
      let block = replaced[item.id] ?? Array(lines[item.lines])
      var next = item
      if replaced[item.id] != nil, let base = contents[item.id] {
        (next.content, next.revision) = (base.content, base.revision)
      }
      (next.firstLine, next.lineCount) = (composed.count, block.count)
      items.append(next)
      composed += block
      insert(after: item.id)
    }
    composed += lines[min(place, lines.count)...]
    return (composed.joined(separator: "\n"), items)
  }
}
