import Contract
import Display
import Kit
import Store
import Wire

/// LSP's `textDocument/completion`.
enum CompleteText: LanguageMethod {
  static let name = "textDocument/completion"
  static let summary =
    "Titles after `[[`, links after `commonplace:`, tags after `#`, days after `due:` and `start:`, open cards after `after:^`; in a "
    + "word, when asked for by hand, titles that begin with it."
  static let replacesOlder = true

  struct Params: Payload {
    var textDocument: TextName
    var position: JSONValue
    var context: JSONValue?
    static let example = Params(
      textDocument: .example, position: ["line": 0, "character": 3], context: ["triggerKind": 1])
    static let fields = [
      "textDocument": "The text.", "position": "LSP's position, in the client's encoding.",
      "context": "How it was asked for: `triggerKind` 1 is by hand or while typing a word.",
    ]
  }
  typealias Result = JSONValue

  struct Plan: Sendable {
    var place: PlaceRequest
    var wanted: WantedCompletion
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan? {
    let position = PositionParams(textDocument: params.textDocument, position: params.position)
    guard let place = PlaceRequest(position, in: snapshot) else { return nil }
    let isByHand = params.context?["triggerKind"]?.integerValue ?? 1 == 1
    return WantedCompletion(at: place, isByHand: isByHand).map { Plan(place: place, wanted: $0) }
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    let items: [JSONValue]
    switch plan.wanted.kind {
    case .title, .word: items = try await titles(plan, for: caller)
    case .link: items = try await links(plan, for: caller)
    case .tag: items = try await tags(plan, for: caller)
    case .day: items = try await days(plan, for: caller)
    case .card: items = try await cards(plan, for: caller)
    }
    return ["isIncomplete": true, "items": .array(items)]
  }

  static let most = 50

  // MARK: - Titles

  private static func titles(_ plan: Plan, for caller: FeatureCaller) async throws -> [JSONValue] {
    let suggested = try await suggestions(of: plan.wanted.typed, for: caller)
    return try await caller.services.library.read(as: caller) { snapshot in
      let links = try LinkableTitle.written(suggested, in: snapshot)
      return zip(suggested, links).enumerated().compactMap { rank, found in
        let (title, written) = found
        let text = plan.wanted.isClosed && written.hasSuffix("]]") ? String(written.dropLast(2)) : written
        return plan.item(title.title, inserting: text, kind: title.completionKind, rank: rank, detail: title.kind) {
          $0["data"] = ["collection": .string(title.collection), "id": .string(title.id)]
        }
      }
    }
  }

  private static func links(_ plan: Plan, for caller: FeatureCaller) async throws -> [JSONValue] {
    try await suggestions(of: plan.wanted.typed, for: caller).enumerated().compactMap { rank, title in
      plan.item(title.title, inserting: title.link, kind: title.completionKind, rank: rank, detail: title.kind) {
        $0["data"] = ["collection": .string(title.collection), "id": .string(title.id)]
      }
    }
  }

  private static func suggestions(of typed: String, for caller: FeatureCaller) async throws -> [LinkableTitle] {
    let text = String(typed.unicodeScalars.prefix(1_000))
    if text.allSatisfy(\.isWhitespace) { return try await LinkableTitle.recent(for: caller, limit: most) }
    let result = try await caller.services.library.call(
      "search/suggest", ["scope": "library", "text": .string(text), "limit": .integer(Int64(most))], as: caller)
    return result["titles"]?.arrayValue?.compactMap(LinkableTitle.init) ?? []
  }

  // MARK: - Fields

  private static func tags(_ plan: Plan, for caller: FeatureCaller) async throws -> [JSONValue] {
    let result = try await caller.services.library.call(
      "search/suggest",
      ["scope": "library", "text": .string("tag:" + plan.wanted.typed.prefix(200)), "limit": .integer(Int64(most))],
      as: caller)
    return (result["tags"]?.arrayValue ?? []).enumerated().compactMap { rank, tag in
      guard let name = tag["tag"]?.stringValue else { return nil }
      let isPlain = name.allSatisfy { !$0.isWhitespace && $0 != "\"" }
      let written = isPlain ? name : "\"" + name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
      return plan.item(name, inserting: "#" + written, kind: .keyword, rank: rank, detail: nil)
    }
  }

  private static func days(_ plan: Plan, for caller: FeatureCaller) async throws -> [JSONValue] {
    try await caller.services.library.read(as: caller) { snapshot in
      let (services, reader) = (snapshot.services, snapshot.reader)
      let today = services.today(for: reader)
      let typed = plan.wanted.typed
      var days: [CalendarDay] = []
      let read =
        CalendarDay(typed).map(\.yearMonthDay)
        ?? NaturalDate.read(typed, today: today.yearMonthDay, leaning: .ahead, locale: reader.locale)
      if let read { days.append(CalendarDay(read)) }
      if !typed.isEmpty {
        days += NaturalDate.deadlineOffers(beginning: typed, today: today.yearMonthDay, locale: reader.locale)
          .map { CalendarDay($0.last) }
      }
      let opener = plan.wanted.written.prefix { $0 != ":" } + ":"
      let isBeginning = typed.isEmpty || typed.allSatisfy { $0.isNumber || $0 == "-" }
      if isBeginning || days.isEmpty {
        days += [today, today.adding(days: 1), today.adding(days: 8 - today.weekday)]
      }
      var seen: Set<CalendarDay> = []
      return days.filter { seen.insert($0).inserted }.enumerated().map { rank, day in
        plan.item(
          day.description, inserting: opener + day.description, kind: .value, rank: rank,
          detail: DayDistance(day, in: snapshot).sentence)
      }
    }
  }

  private static func cards(_ plan: Plan, for caller: FeatureCaller) async throws -> [JSONValue] {
    var params: JSONObject = ["isOpen": true, "allBoards": true, "limit": .integer(Int64(most))]
    if !plan.wanted.typed.allSatisfy(\.isWhitespace) { params["query"] = .string(plan.wanted.typed) }
    let result = try await caller.services.library.call("projects/list", .object(params), as: caller)
    let cards = (result["items"]?.arrayValue ?? []).compactMap { card -> (id: String, card: JSONValue)? in
      card["id"]?.stringValue.map { ($0, card) }
    }
    return try await caller.services.library.read(as: caller) { snapshot in
      let anchors = try snapshot.services.anchors.anchors(of: cards.map(\.id), in: "projects", for: snapshot)
      return zip(cards, anchors).enumerated().map { rank, found in
        let (card, anchor) = (found.0.card, found.1)
        return plan.item(
          card["title"]?.stringValue ?? "", inserting: "after:^" + anchor, kind: .structure, rank: rank,
          detail: card["display"]?["due"]?.stringValue)
      }
    }
  }
}

extension CompleteText.Plan {
  /// A completion that replaces what was typed from its opener to the cursor.
  ///
  /// - Parameter more: adds members.
  func item(
    _ label: String, inserting text: String, kind: CompletionKind, rank: Int, detail: String?,
    more: (inout JSONObject) -> Void = { _ in }
  ) -> JSONValue {
    var item: JSONObject = [
      "label": .string(label), "kind": .integer(Int64(kind.rawValue)),
      "sortText": .string(String(String(1_000 + rank).dropFirst())),
    ]
    if let detail { item["detail"] = .string(detail) }
    if place.request.client.abilities.titlesAsTails, let tail = wanted.tail(of: text) {
      item["insertText"] = .string(tail.text)
      item["filterText"] = .string(tail.typed)
    } else {
      item["filterText"] = .string(wanted.written)
      item["textEdit"] = [
        "range": place.request.range(place.line, wanted.range), "newText": .string(text),
      ]
    }
    more(&item)
    return .object(item)
  }
}

/// LSP's numbers for kinds of completions.
enum CompletionKind: Int, Sendable {
  case classKind = 7
  case interface = 8
  case value = 12
  case keyword = 14
  case file = 17
  case reference = 18
  case structure = 22
  case event = 23
}

/// LSP's `completionItem/resolve`.
enum ResolveCompletion: LanguageMethod {
  static let name = "completionItem/resolve"
  static let summary = "A completion with its documentation: what hover shows for the item."
  typealias Params = GivenCompletion
  typealias Result = JSONValue

  static func prepare(_ params: GivenCompletion, in snapshot: Snapshot) throws -> JSONObject? { try params.members() }

  static func answer(_ item: JSONObject, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    guard let collection = item["data"]?["collection"]?.stringValue, let id = item["data"]?["id"]?.stringValue else {
      return .object(item)
    }
    let isMarkdown = caller.language?.abilities.markdownHover ?? false
    return try await caller.services.library.read(as: caller) { snapshot in
      var item = item
      if let card = try ItemCard(ItemKey(collection: collection, id: id), in: snapshot) {
        item["documentation"] = [
          "kind": isMarkdown ? "markdown" : "plaintext", "value": .string(card.text(isMarkdown: isMarkdown)),
        ]
      }
      return .object(item)
    }
  }
}
