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
    let lines = TextLines.split(rendered.text)
    let ends = Dictionary(rendered.items.map { ($0.id, $0.lines.upperBound) }) { first, _ in first }
    let headings = headings(of: rendered, lines)
    var replaced: [String: [Substring]] = [:]
    var inserted: [Int: [Block]] = [:]
    let contents = Dictionary(outcome.items.map { ($0.id, $0) }) { first, _ in first }
    // The last item before the problem: where it ends in the text that was written, and in the library's.
    var (last, end) = (0, 0)
    var items = outcome.written[...]
    // The last heading before the problem, and how far it was looked for.
    var (heading, searched) = (Int?.none, 0)
    for problem in refused.sorted(by: { $0.lines.lowerBound < $1.lines.lowerBound }) {
      while let item = items.first, item.lines.lowerBound <= problem.lines.lowerBound {
        // Others may have moved an item away: nothing is found after it.
        if let place = item.id.flatMap({ ends[$0] }) { (last, end) = (item.lines.upperBound, place) }
        items.removeFirst()
      }
      let block = Array(written[problem.lines.clamped(to: 0..<written.count)])
      if let item = problem.item, ends[item.id] != nil {
        replaced[item.id] = block
      } else if !problem.isGone {
        while searched < min(problem.lines.lowerBound, written.count) {
          if headings[written[searched]] != nil { heading = searched }
          searched += 1
        }
        // Below a heading that no item follows, with the blank line between them.
        let above = heading.flatMap { $0 >= last ? $0 : nil }
        var place = above.flatMap { headings[written[$0]] }.map { $0 + 1 } ?? end
        if let above, above + 1 < problem.lines.lowerBound, place + 1 < lines.count, lines[place].isEmpty {
          place += 1
        }
        inserted[place, default: []].append(Block(lines: block, item: problem.item.flatMap { contents[$0.id] }))
      }
    }
    return compose(rendered, lines, replaced, inserted, contents)
  }

  /// The places of the lines that are of no item.
  private static func headings(of rendered: RenderedText, _ lines: [Substring]) -> [Substring: Int] {
    var found: [Substring: Int] = [:]
    var place = 0
    for item in rendered.items + [nil] {
      for line in place..<max(place, item?.lines.lowerBound ?? lines.count) where !lines[line].isEmpty {
        found[lines[line]] = found[lines[line]] ?? line
      }
      place = item?.lines.upperBound ?? place
    }
    return found
  }

  /// Lines of the client that the library's text has no place for.
  private struct Block {
    var lines: [Substring]
    /// The item that the lines are of, which is in another text now.
    var item: TextItem?
  }

  private static func compose(
    _ rendered: RenderedText, _ lines: [Substring], _ replaced: [String: [Substring]], _ inserted: [Int: [Block]],
    _ contents: [String: TextItem]
  ) -> (text: String, items: [TextItem]) {
    var composed: [Substring] = []
    var items: [TextItem] = []
    var place = 0
    func insert() {
      for block in inserted[place] ?? [] {
        if var item = block.item {
          (item.firstLine, item.lineCount) = (composed.count, block.lines.count)
          items.append(item)
        }
        composed += block.lines
      }
    }
    func copy(upTo end: Int) {
      while place < end {
        insert()
        composed.append(lines[place])
        place += 1
      }
    }
    for item in rendered.items {
      copy(upTo: item.lines.lowerBound)
      insert()
      place = item.lines.upperBound
      let block = replaced[item.id] ?? Array(lines[item.lines])
      var next = item
      if replaced[item.id] != nil, let base = contents[item.id] {
        (next.content, next.revision) = (base.content, base.revision)
      }
      (next.firstLine, next.lineCount) = (composed.count, block.count)
      items.append(next)
      composed += block
    }
    copy(upTo: lines.count)
    insert()
    return (composed.joined(separator: "\n"), items)
  }
}
