import Contract
import Kit
import Store
import Wire

/// LSP's `textDocument/codeLens`.
enum LensText: LanguageMethod {
  static let name = "textDocument/codeLens"
  static let summary =
    "Above the first line of a text of an item the number of links that lead to it; above a column the number of its cards."
  typealias Params = TextParams
  typealias Result = JSONValue

  struct Plan: Sendable {
    var request: TextRequest
    /// The item of which the whole text is.
    var item: ItemKey?
    /// The headings of columns, with the cards below them.
    var columns: [(line: Int, title: String)] = []
  }

  static func prepare(_ params: TextParams, in snapshot: Snapshot) throws -> Plan? {
    guard let request = TextRequest(params.textDocument.uri, in: snapshot),
      let path = request.text.path(in: snapshot.services)
    else { return nil }
    // The text of a card begins with the card's line.
    if request.text.content(0).box == nil, request.text.hasCards(in: snapshot) {
      return Plan(request: request, columns: columns(of: request.text, in: snapshot))
    }
    guard let text = try TextPlaces(snapshot).render(path), text.items.count == 1 else { return nil }
    return Plan(request: request, item: text.items[0].key)
  }

  private static func columns(of text: OpenText, in snapshot: Snapshot) -> [(line: Int, title: String)] {
    var counts: [(line: Int, cards: Int, late: Int)] = []
    for number in text.lines.indices {
      let content = text.content(number)
      if content.hasPrefix("## ") {
        counts.append((number, 0, 0))
      } else if !counts.isEmpty, let box = content.box, content.anchor != nil {
        counts[counts.count - 1].cards += 1
        guard box == .open, let day = content.fields.first(where: { $0.name == .due })?.day(in: snapshot) else {
          continue
        }
        if DayDistance(day, in: snapshot).isOverdue { counts[counts.count - 1].late += 1 }
      }
    }
    return counts.filter { $0.cards > 0 }.map { line, cards, late in
      let words =
        late == 0
        ? Text("text.columnCards", ["count": String(cards)])
        : Text("text.columnLate", ["count": String(cards), "late": String(late)])
      return (line, snapshot.words(words))
    }
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    var titles = plan.columns
    if let item = plan.item {
      titles += try await caller.services.library.read(as: caller) { snapshot in
        let count = try snapshot.links(to: item, limit: 0).total
        return count == 0 ? [] : [(0, snapshot.words(Text("text.backlinks", ["count": String(count)])))]
      }
    }
    try plan.request.requireCurrent()
    // A lens needs a command; one without a name shows its title alone.
    return .array(
      titles.map { line, title in
        ["range": plan.request.range(line, 0..<0), "command": ["title": .string(title), "command": ""]]
      })
  }
}
