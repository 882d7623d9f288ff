import Contract
import Kit
import Store
import Wire

/// LSP's `textDocument/documentSymbol`.
enum ListTextSymbols: LanguageMethod {
  static let name = "textDocument/documentSymbol"
  static let summary = "The headings of a text; in a text of the library its columns, cards and entries."
  typealias Params = TextParams
  typealias Result = JSONValue

  struct Plan: Sendable {
    var request: TextRequest
    var isLibraryText: Bool
    var hasCards: Bool
  }

  static func prepare(_ params: TextParams, in snapshot: Snapshot) -> Plan? {
    TextRequest(params.textDocument.uri, in: snapshot).map {
      Plan(
        request: $0, isLibraryText: $0.text.path(in: snapshot.services) != nil,
        hasCards: $0.text.hasCards(in: snapshot))
    }
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    guard TextScan.isProse(plan.request.text.languageID) else { return .null }
    let outline = TextOutline(of: plan.request.text, isLibraryText: plan.isLibraryText, hasCards: plan.hasCards)
    try plan.request.requireCurrent()
    guard plan.request.client.abilities.hierarchicalSymbols else {
      return .array(outline.entries.map { flat($0, plan.request) })
    }
    return .array(outline.tree { entry, children in nested(entry, children, plan.request) })
  }

  private static func nested(
    _ entry: TextOutline.Entry, _ children: [JSONValue], _ request: TextRequest
  ) -> JSONValue {
    var symbol: JSONObject = [
      "name": .string(entry.name), "kind": .integer(entry.kind), "range": range(entry, request),
      "selectionRange": request.range(entry.line, 0..<request.text.line(entry.line).contentCount),
    ]
    if !children.isEmpty { symbol["children"] = .array(children) }
    return .object(symbol)
  }

  private static func flat(_ entry: TextOutline.Entry, _ request: TextRequest) -> JSONValue {
    [
      "name": .string(entry.name), "kind": .integer(entry.kind),
      "location": ["uri": .string(request.text.uri), "range": range(entry, request)],
    ]
  }

  private static func range(_ entry: TextOutline.Entry, _ request: TextRequest) -> JSONValue {
    let text = request.text
    let last = max(entry.line, entry.end - 1)
    let end = request.encoding.character(ofByte: text.line(last).contentCount, in: text.line(last))
    return PositionRange(
      TextPosition(line: entry.line, character: 0), TextPosition(line: last, character: end)
    ).json
  }
}

/// The headings of a text, and in a library text its items, each with the lines up to the next of its level.
struct TextOutline: Sendable {
  struct Entry: Sendable {
    var name: String
    var kind: Int64
    var level: Int
    var line: Int
    /// The line after its last one.
    var end: Int
  }

  let entries: [Entry]

  /// LSP's numbers for kinds of symbols.
  private static let (file, namespace, string) = (Int64(1), Int64(3), Int64(15))
  private static let (card, post) = (Int64(23), Int64(24))
  /// An item of a list is below all headings.
  private static let itemLevel = 10

  /// - Parameter hasCards: whether the lines with boxes are cards; otherwise they are posts.
  init(of text: OpenText, isLibraryText: Bool, hasCards: Bool = true) {
    let isOrg = text.languageID == "org"
    let fenced = text.fenced
    let boxKind = hasCards ? Self.card : Self.post
    var entries: [Entry] = []
    for number in text.lines.indices where !fenced.contains(number) {
      let content = text.content(number)
      if let (level, name) = Self.heading(content, isOrg: isOrg) {
        let kind = isLibraryText ? Self.namespace : Self.string
        entries.append(Entry(name: name, kind: kind, level: level, line: number, end: text.lines.count))
      } else if isLibraryText, let (name, kind) = Self.item(content, after: number, in: text, box: boxKind) {
        entries.append(Entry(name: name, kind: kind, level: Self.itemLevel, line: number, end: text.lines.count))
      }
    }
    // Backwards: an entry ends where the next of its level or a higher one begins.
    var starts: [Int: Int] = [:]
    for index in entries.indices.reversed() {
      let entry = entries[index]
      entries[index].end = starts.filter { $0.key <= entry.level }.map(\.value).min() ?? text.lines.count
      starts[entry.level] = entry.line
    }
    self.entries = entries
  }

  private static func heading(_ content: String, isOrg: Bool) -> (level: Int, name: String)? {
    let sign: Character = isOrg ? "*" : "#"
    let level = content.prefix { $0 == sign }.count
    let rest = content.dropFirst(level)
    guard (1...(isOrg ? 9 : 6)).contains(level), rest.first == " " else { return nil }
    let name = rest.trimmed
    return name.isEmpty ? nil : (level, name)
  }

  private static func item(
    _ content: String, after line: Int, in text: OpenText, box kind: Int64
  ) -> (name: String, kind: Int64)? {
    guard let anchor = content.anchor else { return nil }
    let head = content.bytes(0..<anchor.range.lowerBound).trimmed
    if head.hasPrefix("--- ") {
      let title = text.content(line + 1).trimmed
      let time = head.dropFirst(4).trimmed
      return (title.isEmpty ? time : "\(time) \(title)", file)
    }
    guard let box = head.firstIndex(of: "]") else { return nil }
    let name = head[head.index(after: box)...].trimmed
    return name.isEmpty ? nil : (name, kind)
  }

  /// The entries as a tree, each with its children.
  func tree(_ make: (Entry, [JSONValue]) -> JSONValue) -> [JSONValue] {
    func part(_ index: inout Int, above level: Int) -> [JSONValue] {
      var made: [JSONValue] = []
      while index < entries.count, entries[index].level > level {
        let entry = entries[index]
        index += 1
        made.append(make(entry, part(&index, above: entry.level)))
      }
      return made
    }
    var index = 0
    return part(&index, above: 0)
  }
}

extension StringProtocol {
  /// Without white space at its ends.
  var trimmed: String {
    var rest = self[...].drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
