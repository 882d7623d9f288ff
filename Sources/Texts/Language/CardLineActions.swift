import Contract
import Kit
import Store
import Wire

/// The code actions for the line of a card in a text of the library: edits, which a save brings into the library.
struct CardLineActions {
  let place: PlaceRequest
  let caller: FeatureCaller

  /// None for a line that is no card's.
  func all() async throws -> [CodeAction] {
    let content = place.content
    guard content.anchor != nil, let box = content.box, let bracket = content.utf8.firstIndex(of: UInt8(ascii: "["))
    else { return [] }
    var actions: [CodeAction] = []
    if box == .open {
      let start = content.utf8.distance(from: content.startIndex, to: bracket) + 1
      actions.append(action("text.markDone", [edit(place.line, start..<start + 1, "x")]))
      if let due = content.fields.first(where: { $0.name == .due }) { actions += try await putOff(due) }
    }
    return actions + moves()
  }

  private func action(_ key: String, _ edits: [JSONValue], _ arguments: [String: String] = [:]) -> CodeAction {
    var action = CodeAction(title: caller.words(Text(key, arguments)), kind: "refactor.rewrite")
    (action.text, action.edits) = (place.text, edits)
    return action
  }

  private func edit(_ line: Int, _ bytes: Range<Int>, _ text: String) -> JSONValue {
    ["range": place.request.range(line, bytes), "newText": .string(text)]
  }

  /// A time of the day stays.
  private func putOff(_ due: LineField) async throws -> [CodeAction] {
    let time = place.content.bytes(due.valueRange).drop { $0 != "T" }
    return try await LaterDay.all(after: due.value, for: caller).map { later in
      action(later.key, [edit(place.line, due.valueRange, later.day + time)])
    }
  }

  /// To the end of each other column that the text shows.
  private func moves() -> [CodeAction] {
    let text = place.text
    let headings = text.lines.indices.filter { text.lines[$0].hasPrefix("## ") }
    let own = headings.last { $0 < place.line }
    // The last line of a text has no end.
    guard text.line(place.line).hasSuffix("\n") else { return [] }
    return headings.enumerated().compactMap { index, heading -> CodeAction? in
      guard heading != own else { return nil }
      var last = index + 1 < headings.count ? headings[index + 1] - 1 : text.lines.count - 1
      while last > heading, text.content(last).allSatisfy(\.isWhitespace) { last -= 1 }
      let end = text.line(last).contentCount
      let title = String(text.content(heading).dropFirst(3))
      let removed = PositionRange(
        TextPosition(line: place.line, character: 0), TextPosition(line: place.line + 1, character: 0))
      return action(
        "text.moveCard",
        [
          ["range": removed.json, "newText": ""],
          edit(last, end..<end, "\n" + text.content(place.line)),
        ], ["column": title])
    }
  }
}

/// A day to which a card can be put off.
struct LaterDay: Sendable {
  let day: String
  /// Of the action's title.
  let key: String

  /// - Parameter due: the day on which the card is due.
  static func all(after due: String, for caller: FeatureCaller) async throws -> [LaterDay] {
    let days = try await caller.services.library.read(as: caller) { snapshot in
      let today = snapshot.services.today(for: snapshot.reader)
      return [today.adding(days: 1), today.adding(days: 8 - today.weekday)]
    }
    return zip(days, ["text.putOffToTomorrow", "text.putOffToMonday"])
      .map { LaterDay(day: $0.description, key: $1) }
      .filter { !sameBytes($0.day, due) }
  }
}
