import Wire

/// A table row of an item of a reply. It does not depend on collections: every item has strings for people in
/// `display`, whose names have the same meaning everywhere.
struct ShownItem {
  /// When it is due, the day by which it is listed, or the day that it is about; in a list of one day, the time.
  var when: String
  /// The time of the day in `when`.
  var time: String
  /// Whether that is a due time: the time at which an entry was written is less important.
  var isDueThen: Bool
  /// The kind of change or its type, its column, and the user's mark: `★` is saved.
  var what: String
  /// Its title; for a place in a text, the words around it.
  var title: ShownText
  /// Its unread count, the user's stars, the reading progress, the pages.
  var facts: String
  /// The ratings of others, if the user has given none.
  var opinion: String
  /// Its writer, its origin, or its board.
  var by: ShownText
  /// Additional text: tags, and the beginning of its text, or the found passage.
  var rest: ShownText
  /// Whether `rest` has a passage that a library-wide query found.
  var hasFound: Bool
  /// The id for other calls.
  var id: String
  /// The candidates, if there is a choice to make.
  var candidates: [String]
  /// The mark before it.
  var mark: Mark
  /// Why it could not be fetched.
  var failure: String?
  /// Why there is a choice to make; shown whole.
  var reason: String
  /// The name of its board.
  var board: String

  enum Mark: String {
    /// It waits to be done since yesterday or longer, or could not be asked.
    case alarm = "!"
    /// It was not read.
    case unread = "•"
    case none = " "
  }

  /// Nil for an item without a title for people. `ofDay` means that all items are of one day.
  init?(_ item: JSONValue, ofDay: Bool, inColumn: Bool, say: (Text) -> String) {
    let display = item["display"]
    func shown(_ names: [String]) -> String {
      names.lazy.compactMap { display?[$0]?.stringValue }.first { !$0.isEmpty }.map { TerminalText.line($0) } ?? ""
    }
    func words(_ list: JSONValue?) -> [String] { (list?.arrayValue ?? []).compactMap(\.stringValue) }
    let found = FoundPieces(item["matches"] ?? Self.matches(item))
    guard
      let title = (display?["title"] ?? item["title"])?.stringValue.map(found.marked) ?? Self.passage(item)
        ?? Self.search(item) ?? Self.link(item) ?? Self.quote(item)
    else { return nil }
    self.title = Self.indented(title, item)
    // An item about another day than that of its creation has no time in the list of one day.
    let isAbout = display?["day"] != nil
    when = shown(ofDay ? [isAbout ? "dayTime" : "time"] : ["day", "due", "listed", "date", "heading"])
    time = ofDay ? "" : shown(["dayTime"])
    isDueThen = display?["due"] != nil
    let kinds =
      [
        Self.method(ofCommit: item) ?? Self.change(item, say)
          ?? shown(inColumn ? ["kind"] : ["kind", "state", "status"])
      ]
      + (Self.search(item) == nil ? [] : [shown(["target"])])
      + (item["isOutdated"] == true ? [TerminalText.line(say(Text("table.outdated")))] : [])
      + words(display?["badges"]).map { TerminalText.line($0) }
      // A link, whose place is in the rest of the row.
      + [item["written"]?.stringValue.map { TerminalText.line($0) } ?? ""]
      + (Self.isHighlight(item) ? Self.facts(ofHighlight: item, say) : [])
    let saved = item["saved"]?.boolValue == true ? ["★"] : []
    what = (saved + [kinds.filter { !$0.isEmpty }.joined(separator: ", ")]).filter { !$0.isEmpty }.joined(
      separator: " ")
    let author = shown(["authors", "writer", "source"] + (inColumn ? [] : ["board"]))
    by = found.marked(author.isEmpty ? Self.client(item) + Self.document(ofHighlight: item) : author)
    let unread = item["unread"]?.integerValue.flatMap {
      $0 > 0 ? say(Text("table.unread", ["count": String($0)])) : nil
    }
    let own = shown(["ownStars"])
    opinion = own.isEmpty ? shown(["readersRating", "stars"]) : ""
    let place = shown(["progress", "position", "page", "undo"])
    let page = place.isEmpty ? Self.page(item).map { say(Text("table.page", ["page": $0.description])) } : nil
    let isSaved = item["countIsEstimate"] != nil
    let count = Self.search(item) == nil && !isSaved ? "" : shown(["count"])
    facts = [unread ?? "", own, place, page ?? "", count].filter { !$0.isEmpty }.joined(separator: " ")
    let failure = Self.sentences(item["failure"])
    let trouble = shown(["trouble"])
    let tags = words(item["tags"] ?? item["shelf"]?["tags"]).map { ($0.hasPrefix("+") ? "" : "#") + $0 }
    let beginning =
      failure ?? (trouble.isEmpty ? nil : trouble)
      ?? (Self.isHighlight(item) ? ["note"] : ["preview", "snippet", "text"]).lazy.compactMap { item[$0]?.stringValue }
      .first
      .map { Self.rest(of: $0, after: isSaved ? ShownText("") : title) } ?? ""
    let piece = failure == nil && trouble.isEmpty ? found.piece(besides: [self.title, by]) : nil
    let edition = shown(["edition"])
    // A tag that was written into the text is seen there.
    let seen = Set([self.title.text, beginning].flatMap { $0.split { $0.isWhitespace || ".,;:!?()[]".contains($0) } })
    let others = tags.filter { !seen.contains($0[...]) }
    rest = .joined([ShownText(others.joined(separator: " ")), ShownText(edition), piece ?? ShownText(beginning)])
    hasFound = piece != nil && item["snippet"] != nil
    id = Self.id(item)
    candidates = words(display?["candidates"])
    reason = shown(["reason"])
    board = item["boardDisplayName"]?.stringValue.map { TerminalText.line($0) } ?? ""
    let isLate = item["overdue"]?.boolValue == true || failure != nil
    mark = isLate ? .alarm : item["read"]?.boolValue == false ? .unread : .none
    self.failure = failure
  }

  /// With the label of its row in this list. The label is removed: the next row of the same item has another number.
  func labelled(_ labels: inout [String: ArraySlice<String>]) -> ShownItem {
    var item = self
    item.id = labels[id]?.popFirst() ?? id
    return item
  }

  /// In a list of several boards, with the board.
  func onBoard() -> ShownItem {
    var item = self
    item.by = .joined([by, ShownText(board.isEmpty || by.isEmpty ? "" : "·"), ShownText(board)])
    return item
  }

  /// For a change, the type of its item besides the kind of change: a removed mark of a post is not a removed post.
  static func change(_ item: JSONValue, _ say: (Text) -> String) -> String? {
    guard let collection = item["collection"]?.stringValue, let kind = item["kind"]?.stringValue,
      ["added", "updated", "removed"].contains(kind), let word = item["display"]?["kind"]?.stringValue
    else { return nil }
    return TerminalText.line(say(Text("table.became", ["item": collection, "what": word])))
  }

  /// For a place in a text, the found text with its surroundings.
  private static func passage(_ item: JSONValue) -> ShownText? {
    guard let match = item["match"]?.stringValue, let before = item["before"]?.stringValue,
      let after = item["after"]?.stringValue
    else { return nil }
    return ShownText(before + match + after, found: [before.utf16.count..<before.utf16.count + match.utf16.count])
  }

  /// The passages that a library-wide query found: its title, and the snippet.
  private static func matches(_ hit: JSONValue) -> JSONValue? {
    guard let title = hit["title"], let snippet = hit["snippet"], let ranges = hit["ranges"]?.arrayValue else {
      return nil
    }
    let named: JSONValue = ["text": title, "ranges": hit["titleRanges"] ?? []]
    if ranges.isEmpty { return [named] }
    return [
      named, ["text": snippet, "ranges": .array(ranges), "cutBefore": .bool(hit["cutBefore"]?.boolValue == true)],
    ]
  }

  /// A past search is shown by its query.
  private static func search(_ item: JSONValue) -> ShownText? {
    item["searchedAt"] == nil ? nil : item["text"]?.stringValue.map { ShownText($0) }
  }

  /// The method of a commit; nil for other items.
  private static func method(ofCommit item: JSONValue) -> String? {
    item["clock"]?.integerValue == nil ? nil : item["label"]?.stringValue.map { TerminalText.line($0) }
  }

  /// The client that has an unsaved text, or that made a commit.
  private static func client(_ item: JSONValue) -> String {
    item["isOutdated"] == nil && method(ofCommit: item) == nil
      ? "" : item["client"]?.stringValue.map { TerminalText.line($0) } ?? ""
  }

  /// A text without the title if that is its first line. A first line that only begins with the words of the title is
  /// a sentence of its own.
  private static func rest(of text: String, after title: ShownText) -> String {
    let text = text.drop(while: \.isNewline)
    let first = text.prefix { !$0.isNewline }
    let isTitle = sameBytes(TerminalText.line(String(first)), title.text)
    return TerminalText.line(String(isTitle ? text.dropFirst(first.count) : text))
  }

  /// For a place without an id, its page as calls take it; for a commit its clock.
  static func id(_ item: JSONValue) -> String {
    if let id = item["id"]?.stringValue { return TerminalText.line(id) }
    if method(ofCommit: item) != nil, let clock = item["clock"]?.integerValue { return "clock=\(clock)" }
    let page = item["page"]?.integerValue.map { "page=\($0)" }
    return [item["document"]?.stringValue.map { TerminalText.line($0) }, page].compactMap(\.self).joined(separator: " ")
  }

  /// For an item that is identified by its page, and for a highlight, that page counted from 1.
  private static func page(_ item: JSONValue) -> JSONValue? {
    item["id"] == nil || isHighlight(item)
      ? (item["page"] ?? item["target"]?["page"])?.integerValue.map(ShownPage.counted) : nil
  }

  /// A heading is indented below those that contain it.
  private static func indented(_ title: ShownText, _ item: JSONValue) -> ShownText {
    item["depth"]?.integerValue.map { title.indented(by: 2 * Int(min(max($0, 0), 20))) } ?? title
  }

  /// A link without text is shown by its target.
  private static func link(_ item: JSONValue) -> ShownText? {
    guard let target = item["target"], let kind = target["kind"]?.stringValue else { return nil }
    let place = ["uri", "name", "label"].lazy.compactMap { target[$0]?.stringValue }.first
    return ShownText(TerminalText.line(place ?? kind))
  }

  // MARK: - Highlights

  private static func isHighlight(_ item: JSONValue) -> Bool {
    item["color"]?.stringValue != nil && item["lines"]?.arrayValue != nil && item["document"]?.stringValue != nil
  }

  /// A highlight is shown by the text that it marks; one without text, by its link.
  private static func quote(_ item: JSONValue) -> ShownText? {
    guard isHighlight(item) else { return nil }
    let quote = TerminalText.line(item["text"]?.stringValue ?? "")
    return ShownText(quote.isEmpty ? TerminalText.line(item["link"]?.stringValue ?? "") : quote)
  }

  private static func document(ofHighlight item: JSONValue) -> String {
    isHighlight(item) ? TerminalText.line(item["documentTitle"]?.stringValue ?? "") : ""
  }

  /// Its color, its kind unless it is a highlight, and whether its text is unavailable or its place unknown.
  private static func facts(ofHighlight item: JSONValue, _ say: (Text) -> String) -> [String] {
    [
      item["color"]?.stringValue.map { color in ColorWord.key(of: color).map { say(Text($0)) } ?? color },
      kind(ofHighlight: item, say),
      item["locked"] == true ? say(Text("field.locked")) : nil,
      item["state"]?.stringValue.map { say(Text("choice.\($0)")) },
    ].compactMap { $0.map { TerminalText.line($0) } }
  }

  /// The kinds that only another program makes are shown by their names in PDF.
  private static let namedKinds: Set = ["underline", "squiggly", "strikeOut", "note", "area", "ink"]

  private static func kind(ofHighlight item: JSONValue, _ say: (Text) -> String) -> String? {
    guard let kind = item["kind"]?.stringValue, kind != "highlight" else { return nil }
    return namedKinds.contains(kind) ? say(Text("choice.\(kind)")) : kind
  }

  /// The message of a failure or a warning, with its advice.
  static func sentences(_ problem: JSONValue?) -> String? {
    guard let says = (problem?["message"] ?? problem?["display"])?.stringValue else { return nil }
    return TerminalText.line(
      [says, problem?["advice"]?.stringValue].compactMap(\.self).joined(separator: " "), longest: 1_000)
  }
}

/// The matches of a search in an item: each matching text with its ranges.
private struct FoundPieces {
  private let pieces: [(text: ShownText, cutBefore: Bool)]

  init(_ matches: JSONValue?) {
    pieces = (matches?.arrayValue ?? []).compactMap { match in
      guard let text = match["text"]?.stringValue else { return nil }
      let found = (match["ranges"]?.arrayValue ?? []).compactMap { range -> Range<Int>? in
        guard let offset = range["offset"]?.integerValue, let length = range["length"]?.integerValue, offset >= 0,
          length > 0, length <= text.utf16.count
        else { return nil }
        return Int(offset)..<Int(offset) + Int(length)
      }
      return (ShownText(text, found: found), match["cutBefore"]?.boolValue == true)
    }
  }

  /// The text with its matches.
  func marked(_ text: String) -> ShownText {
    let shown = ShownText(text)
    return pieces.first { sameBytes($0.text.text, shown.text) }?.text ?? shown
  }

  /// A match outside these texts.
  func piece(besides shown: [ShownText]) -> ShownText? {
    let piece = pieces.first { piece in !shown.contains { sameBytes($0.text, piece.text.text) } }
    return piece.map { $0.cutBefore ? .joined([ShownText("…"), $0.text]) : $0.text }
  }
}
