import Wire

/// A post or a kept page on a terminal, to be read:
///
///     The heron is back
///     River news · Ann · 21 Nov 2026
///     https://river.example/heron
///
///     This morning it stood on the weir again.
struct PostText {
  let screen: Screen

  /// Nil for a post without a text.
  func text(of post: JSONValue) -> String? {
    let contents = TerminalText.lines(post["contents"]?.stringValue ?? "", width: screen.width)
    guard !contents.isEmpty else { return nil }
    let display = post["display"]
    let facts = ["source", "writer", "date"].compactMap { display?[$0]?.stringValue }
      .map { TerminalText.line($0) }.filter { !$0.isEmpty }
    var lines = TerminalText.lines(display?["title"]?.stringValue ?? "", width: screen.width).map(screen.ink.strong)
    if !facts.isEmpty { lines.append(screen.ink.faint(facts.joined(separator: " · "))) }
    if let link = post["link"]?.stringValue, !link.isEmpty { lines.append(TerminalText.line(link, longest: .max)) }
    return (lines + [""] + contents).map { $0 + "\n" }.joined()
  }
}
