import Wire

/// What a table shows of an item of a reply. It knows no collection: every item has strings for people in `display`, and
/// these are the same wherever they mean the same.
struct ShownItem {
  /// When it is due, by what day it is listed, or what day it is about; in a list of one day, the time.
  var when: String
  /// The time of the day in `when`.
  var time: String
  /// Whether that is a time to be kept: when an entry was written is less than that.
  var isDueThen: Bool
  /// What happened or what it is, in which column it stands, and what the reader made of it: `★` is saved.
  var what: String
  /// Its title; of a place in a text, the words around it.
  var title: ShownText
  /// How many of it were not read, how many stars it has of the reader, how far the reader has come, on which of its pages.
  var facts: String
  /// What others think of it, where the reader has said nothing.
  var opinion: String
  /// Who wrote it, or where it comes from.
  var by: ShownText
  /// What there is to say besides: tags, and how its text begins, or the piece of it that was searched for.
  var rest: ShownText
  /// Whether `rest` has a piece of a text that a question to the whole library found.
  var hasFound: Bool
  /// What other calls take it by.
  var id: String
  /// What it may be, where that is to be decided.
  var candidates: [String]
  /// What stands before it.
  var mark: Mark
  /// Why it could not be asked.
  var failure: String?
  /// Why it is to be decided on, which is read whole.
  var reason: String
  /// Where it stands, for lists of several boards.
  var board: String

  enum Mark: String {
    /// It waits to be done since yesterday or longer, or could not be asked.
    case alarm = "!"
    /// It was not read.
    case unread = "•"
    case none = " "
  }

  /// Nil for what has no title that people could be shown. `ofDay` says that all items are of one day.
  init?(_ item: JSONValue, ofDay: Bool, inColumn: Bool, say: (Text) -> String) {
    let display = item["display"]
    func shown(_ names: [String]) -> String {
      names.lazy.compactMap { display?[$0]?.stringValue }.first { !$0.isEmpty }.map { TerminalText.line($0) } ?? ""
    }
    func words(_ list: JSONValue?) -> [String] { (list?.arrayValue ?? []).compactMap(\.stringValue) }
    let found = FoundPieces(item["matches"] ?? Self.matches(item))
    guard
      let title = (display?["title"] ?? item["title"])?.stringValue.map(found.marked) ?? Self.passage(item)
        ?? Self.search(item) ?? Self.link(item)
    else { return nil }
    self.title = Self.indented(title, item)
    // What has a day of its own and was made on another has no time in the list of one.
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
      // A link, of which the rest of the row tells where it stands.
      + [item["written"]?.stringValue.map { TerminalText.line($0) } ?? ""]
    let saved = item["saved"]?.boolValue == true ? ["★"] : []
    what = (saved + [kinds.filter { !$0.isEmpty }.joined(separator: ", ")]).filter { !$0.isEmpty }.joined(
      separator: " ")
    let author = shown(["authors", "writer", "source"])
    by = found.marked(author.isEmpty ? Self.client(item) : author)
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
      ?? ["preview", "snippet"].lazy.compactMap { item[$0]?.stringValue }.first
      ?? Self.text(item, behind: isSaved ? ShownText("") : title) ?? ""
    let piece = failure == nil && trouble.isEmpty ? found.piece(besides: [self.title, by]) : nil
    let edition = shown(["edition"])
    rest = .joined([ShownText(tags.joined(separator: " ")), ShownText(edition), piece ?? ShownText(beginning)])
    hasFound = piece != nil && item["snippet"] != nil
    id = Self.id(item)
    candidates = words(display?["candidates"])
    reason = shown(["reason"])
    board = item["boardDisplayName"]?.stringValue.map { TerminalText.line($0) } ?? ""
    let isLate = item["overdue"]?.boolValue == true || failure != nil
    mark = isLate ? .alarm : item["read"]?.boolValue == false ? .unread : .none
    self.failure = failure
  }

  /// With what stands for its id in this list.
  func labelled(_ labels: [String: String]) -> ShownItem {
    var item = self
    item.id = labels[id] ?? id
    return item
  }

  /// In a list of several boards, with the board.
  func onBoard() -> ShownItem {
    var item = self
    item.by = .joined([by, ShownText(board.isEmpty || by.isEmpty ? "" : "·"), ShownText(board)])
    return item
  }

  /// Of a change, of what sort of item it is one besides what it did: a mark of a post that went is no post that did.
  static func change(_ item: JSONValue, _ say: (Text) -> String) -> String? {
    guard let collection = item["collection"]?.stringValue, let kind = item["kind"]?.stringValue,
      ["added", "updated", "removed"].contains(kind), let word = item["display"]?["kind"]?.stringValue
    else { return nil }
    return TerminalText.line(say(Text("table.became", ["item": collection, "what": word])))
  }

  /// Of a place in a text, what was found there, between what stands around it.
  private static func passage(_ item: JSONValue) -> ShownText? {
    guard let match = item["match"]?.stringValue, let before = item["before"]?.stringValue,
      let after = item["after"]?.stringValue
    else { return nil }
    return ShownText(before + match + after, found: [before.utf16.count..<before.utf16.count + match.utf16.count])
  }

  /// The pieces of what a question to the whole library found: its title, and the snippet.
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

  /// A search that was made is told by what was searched for.
  private static func search(_ item: JSONValue) -> ShownText? {
    item["searchedAt"] == nil ? nil : item["text"]?.stringValue.map { ShownText($0) }
  }

  /// What made a commit; nil for what is none.
  private static func method(ofCommit item: JSONValue) -> String? {
    item["clock"]?.integerValue == nil ? nil : item["label"]?.stringValue.map { TerminalText.line($0) }
  }

  /// Who keeps a text that is not saved, or made a commit.
  private static func client(_ item: JSONValue) -> String {
    item["isOutdated"] == nil && method(ofCommit: item) == nil
      ? "" : item["client"]?.stringValue.map { TerminalText.line($0) } ?? ""
  }

  /// The text of an item, without the title with which it begins.
  private static func text(_ item: JSONValue, behind title: ShownText) -> String? {
    item["text"]?.stringValue.map { text in
      let line = TerminalText.line(text)
      return line.hasPrefix(title.text) ? String(line.dropFirst(title.text.count)) : line
    }
  }

  /// Where a place has no id of its own, its page as calls take it; of a commit its clock.
  static func id(_ item: JSONValue) -> String {
    if let id = item["id"]?.stringValue { return TerminalText.line(id) }
    if method(ofCommit: item) != nil, let clock = item["clock"]?.integerValue { return "clock=\(clock)" }
    let page = item["page"]?.integerValue.map { "page=\($0)" }
    return [item["document"]?.stringValue.map { TerminalText.line($0) }, page].compactMap(\.self).joined(separator: " ")
  }

  /// Of what is called by its page, that page as people count it.
  private static func page(_ item: JSONValue) -> JSONValue? {
    item["id"] == nil ? (item["page"] ?? item["target"]?["page"])?.integerValue.map(ShownPage.counted) : nil
  }

  /// A heading stands below those that it is part of.
  private static func indented(_ title: ShownText, _ item: JSONValue) -> ShownText {
    item["depth"]?.integerValue.map { title.indented(by: 2 * Int(min(max($0, 0), 20))) } ?? title
  }

  /// A link has no words of its own: it is told by where it leads.
  private static func link(_ item: JSONValue) -> ShownText? {
    guard let target = item["target"], let kind = target["kind"]?.stringValue else { return nil }
    let place = ["uri", "name", "label"].lazy.compactMap { target[$0]?.stringValue }.first
    return ShownText(TerminalText.line(place ?? kind))
  }

  /// What a failure or a warning says, and what to do about it.
  static func sentences(_ problem: JSONValue?) -> String? {
    guard let says = (problem?["message"] ?? problem?["display"])?.stringValue else { return nil }
    return TerminalText.line(
      [says, problem?["advice"]?.stringValue].compactMap(\.self).joined(separator: " "), longest: 1_000)
  }
}

/// The places of an item that a search has found: of each text that has some, the text and the ranges in it.
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

  /// The text with what was found in it.
  func marked(_ text: String) -> ShownText {
    let shown = ShownText(text)
    return pieces.first { sameBytes($0.text.text, shown.text) }?.text ?? shown
  }

  /// What was found elsewhere than in these.
  func piece(besides shown: [ShownText]) -> ShownText? {
    let piece = pieces.first { piece in !shown.contains { sameBytes($0.text, piece.text.text) } }
    return piece.map { $0.cutBefore ? .joined([ShownText("…"), $0.text]) : $0.text }
  }
}
