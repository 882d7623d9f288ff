import Contract
import Kit
import SearchEngine
import Store
import Wire

/// `search/slow%20river.md`: the best hits of a query, each with its link and the words around the match, at the moment
/// when the text is made.
///
///     # slow river
///
///     1 found
///
///     - [[commonplace:/documents/0192#page=2][A paper]] · p. 3 · Documents · Nov 21, 2026
///       the slow river
struct SearchForm: LibraryTextForm {
  // A file of it is made anew when it is asked for, not with every commit.
  let collections: Set<String> = []

  /// The most hits of a text.
  static let most = 100

  func shows(_ path: TextPath) -> Bool { path.segments.count == 2 && path.segments[0] == "search" }

  /// - Throws: `invalidParams` for a query that cannot be parsed.
  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    let question = path.segments[1]
    guard let query = try LibraryQuery(question, in: snapshot) else { return nil }
    let now = snapshot.services.now().milliseconds
    let findings = try query.findings(query.ranking(now: now, in: snapshot), isWhole: false, in: snapshot)
    let part = try QueryPart(
      of: findings, query, from: 0, after: nil, limit: Self.most, isGrouped: false, now: now, in: snapshot)
    let view = QueryView(query, in: snapshot)
    let found = snapshot.words(findings.hits.isEmpty ? Text("search.noResults") : findings.heading)
    var lines = ["# " + question, ""] + TextLines.split(found).map(String.init) + [""]
    var items: [TextItem] = []
    for hit in try part.hits.compactMap(view.hit) {
      let start = lines.count
      lines += self.lines(of: hit)
      items.append(
        TextItem(
          collection: hit.collection, id: hit.id.text, title: hit.display.title, lines: start..<lines.count,
          content: ""))
    }
    return RenderedText(text: ShownLines.shown(lines.joined(separator: "\n") + "\n"), items: items, isReadOnly: true)
  }

  private func lines(of hit: QueryHit) -> [String] {
    let origin = [hit.display.page, hit.display.kind, hit.display.date].compactMap(\.self).filter { !$0.isEmpty }
    let link = LabelledLink.text(to: hit.link, labelled: hit.display.title)
    let snippet = TextLines.split(hit.snippet).filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: " ")
    return ["- " + ([link] + origin).joined(separator: " · ")] + (snippet.isEmpty ? [] : ["  " + snippet])
  }
}
