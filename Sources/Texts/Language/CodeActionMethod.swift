import Contract
import Kit
import Store
import Wire

/// LSP's `textDocument/codeAction`.
enum OfferActions: LanguageMethod {
  static let name = "textDocument/codeAction"
  static let summary =
    "What can be done with a line: make it a card or a diary entry, move the card of its link, link its quote, or create "
    + "the item of an unknown title."

  struct Params: Payload {
    var textDocument: TextName
    var range: JSONValue
    var context: JSONValue?
    static let example = Params(
      textDocument: .example,
      range: ["start": ["line": 0, "character": 0], "end": ["line": 0, "character": 0]],
      context: ["diagnostics": []])
    static let fields = [
      "textDocument": "The text.", "range": "LSP's range, in the client's encoding.",
      "context": "`only`: the kinds of actions that are wanted.",
    ]
  }
  typealias Result = JSONValue

  struct Plan: Sendable {
    /// The start of the range.
    var place: PlaceRequest
    /// The lines of the range, from that of `place` on.
    var lines: ClosedRange<Int>
    var kinds: [String]?
    var mark: ItemMark?
    var isLibraryText: Bool
    var hasCards: Bool
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan? {
    let position = PositionParams(
      textDocument: params.textDocument, position: params.range["start"] ?? .null)
    guard let place = PlaceRequest(position, in: snapshot), TextScan.isProse(place.text.languageID) else { return nil }
    // A cursor anywhere in the line means its link, if it has one.
    var mark = try place.mark(in: snapshot)
    if mark == nil, let link = place.text.scan.links(inLine: place.line).first {
      let meaning = try snapshot.meaning(of: link.target, in: nil)
      mark = ItemMark(
        items: meaning.items, places: meaning.places, trouble: meaning.trouble, range: link.range, link: link)
    }
    let end = params.range["end"]
    let last = (end?["line"]?.integerValue).flatMap { Int(exactly: $0) } ?? place.line
    // A range that ends before the first character of a line has nothing of that line.
    let isBefore = last > place.line && end?["character"]?.integerValue == 0
    return Plan(
      place: place, lines: place.line...max(place.line, isBefore ? last - 1 : last),
      kinds: params.context?["only"]?.arrayValue?.compactMap(\.stringValue), mark: mark,
      isLibraryText: place.text.path(in: snapshot.services) != nil, hasCards: place.text.hasCards(in: snapshot))
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    var actions: [CodeAction] = []
    if plan.isLibraryText {
      let ofLine = plan.hasCards ? try await CardLineActions(place: plan.place, caller: caller).all() : []
      actions += ofLine
      if ofLine.isEmpty, let mark = plan.mark { actions += try await itemActions(mark, plan, for: caller) }
      actions += try await heldActions(plan, for: caller)
      actions += try await conflictActions(plan, for: caller)
      actions += replacedActions(plan, for: caller)
    } else {
      if let mark = plan.mark { actions += try await itemActions(mark, plan, for: caller) }
      actions += try await lineActions(plan, for: caller)
    }
    if plan.place.request.client.abilities.actionLiterals,
      let quote = Quote.around(plan.place.line, in: plan.place.text)
    {
      if let action = try await quoteAction(quote, plan, for: caller) { actions.append(action) }
    }
    let wanted = actions.filter { action in
      plan.kinds.map { kinds in kinds.contains { action.kind == $0 || action.kind.hasPrefix("\($0).") } } ?? true
    }
    return .array(wanted.compactMap { $0.json(for: plan.place.request.client) })
  }

  // MARK: - A line

  private static func lineActions(_ plan: Plan, for caller: FeatureCaller) async throws -> [CodeAction] {
    let place = plan.place
    let text = ListLine(place.content)
    let task =
      text.mayHaveFields
      ? try await caller.services.library.read(as: caller) { TaskText(text, of: place.content, in: $0) }
      : TaskText(title: text.text)
    // A heading or a quote is no task, and neither is code.
    guard !place.text.fenced.contains(place.line), !text.text.hasPrefix(">"), !text.text.hasPrefix("#") else {
      return []
    }
    guard !text.text.isEmpty, !text.text.contains("[["), text.text.utf8.count <= LinkScan.longestTitle else {
      return []
    }
    let line = (uri: place.text.uri, number: place.line)
    let card = Command.add(collection: "projects", text: task.title, from: line, with: task.values)
    var make = CodeAction(
      title: caller.words(Text("text.makeCard")), kind: "refactor.extract", command: card)
    // The title is a link to the card once that is there.
    let linked = "[[\(task.title.replacing("|", with: "\\|"))]]"
    make.edits = [
      [
        "range": place.request.range(place.line, text.range),
        "newText": .string(text.isItem ? linked : "\(text.text) \(linked)"),
      ]
    ]
    make.text = place.text
    return [
      make,
      CodeAction(
        title: caller.words(Text("text.writeToDiary")), kind: "refactor.extract",
        command: .add(collection: "diary", text: text.text, from: line)),
    ]
  }

  // MARK: - The item of a link

  private static func itemActions(
    _ mark: ItemMark, _ plan: Plan, for caller: FeatureCaller
  ) async throws -> [CodeAction] {
    if mark.trouble == .unknown, case .title(let title)? = mark.link?.target {
      return [
        ("projects", "text.makeCardCalled"), ("diary", "text.makeEntryCalled"), ("notes", "text.makeNoteCalled"),
      ].map { collection, key in
        CodeAction(
          title: caller.words(Text(key, ["title": title])), kind: "quickfix",
          command: .add(collection: collection, text: title))
      }
    }
    guard mark.items.count == 1, mark.items[0].collection == "projects" else { return [] }
    let id = mark.items[0].id
    let library = caller.services.library
    let card = try await library.call("projects/get", ["id": .string(id)], as: caller)
    guard let state = card["state"]?.stringValue, let boardID = card["board"]?.stringValue else { return [] }
    let board = try await library.call("projects/board", ["board": .string(boardID), "limit": 1], as: caller)
    let columns = board["columns"]?.arrayValue ?? []
    var actions = columns.compactMap { column -> CodeAction? in
      guard let target = column["state"]?.stringValue, target != state, let title = column["title"]?.stringValue else {
        return nil
      }
      return CodeAction(
        title: caller.words(Text("text.moveCard", ["column": title])), kind: "refactor.rewrite",
        command: .move(id: id, state: target))
    }
    let isOpen = columns.first { $0["state"]?.stringValue == state }?["isOpen"]?.boolValue ?? true
    if isOpen, let done = columns.first(where: { $0["isOpen"] == false })?["state"]?.stringValue {
      actions.insert(
        CodeAction(
          title: caller.words(Text("text.markDone")), kind: "refactor.rewrite",
          command: .move(id: id, state: done)), at: 0)
    }
    if isOpen, let due = card["deadline"]?.stringValue {
      actions += try await LaterDay.all(after: due, for: caller).map {
        CodeAction(title: caller.words(Text($0.key)), kind: "refactor.rewrite", command: .putOff(id: id, to: $0.day))
      }
    }
    return actions
  }

  // MARK: - Conflicts

  /// The versions of which the reader chooses one, or both, and the change that the other one made.
  private static func conflictActions(_ plan: Plan, for caller: FeatureCaller) async throws -> [CodeAction] {
    let (text, client, line) = (plan.place.text, plan.place.request.client, plan.place.line)
    // A save notes it at the first line of the item, which goes on up to the next anchor.
    func isOfOneItem(_ other: Int) -> Bool {
      !(min(line, other) + 1..<max(line, other) + 1).contains { text.content($0).anchor != nil }
    }
    let conflicts = client.problems(of: text.uri)?.diagnostics(in: text) ?? []
    let conflict = conflicts.filter {
      $0.code == .conflict && (plan.lines.contains($0.line) || isOfOneItem($0.line))
    }.min { abs($0.line - line) < abs($1.line - line) }
    guard let id = conflict?.data["id"]?.stringValue else { return [] }
    var choices: [(TextDecision, String)] = [(.mine, "text.keepMine")]
    if client.abilities.appliesEdits {
      choices = [(.both, "text.keepBoth"), choices[0], (.theirs, "text.takeTheirs")]
    }
    var actions = choices.map { decision, key in
      CodeAction(
        title: caller.words(Text(key)), kind: "quickfix", command: .decide(decision, on: id, in: text.uri))
    }
    guard let collection = conflict?.data["collection"]?.stringValue else { return actions }
    let last = try await caller.services.library.read(as: caller) { snapshot in
      try ItemVersion.history(of: collection, id: id, before: nil, limit: 1, ofContent: true, in: snapshot).first?.clock
    }
    if let last, let change = TextPath("changes", collection, id, String(last)) {
      actions.append(
        CodeAction(title: caller.words(Text("text.showDifference")), kind: "quickfix", command: .open(change)))
    }
    return actions
  }

  /// The values of others that a save has replaced are restored in the library.
  private static func replacedActions(_ plan: Plan, for caller: FeatureCaller) -> [CodeAction] {
    let (text, client) = (plan.place.text, plan.place.request.client)
    return (client.problems(of: text.uri)?.diagnostics(in: text) ?? []).compactMap { problem in
      guard problem.code == .replaced, plan.lines.contains(problem.line), let id = problem.data["id"]?.stringValue
      else { return nil }
      return CodeAction(
        title: caller.words(Text("text.takeTheirs")), kind: "quickfix", command: .decide(.theirs, on: id, in: text.uri))
    }
  }

  // MARK: - Missing items

  /// Items that are missing in a saved text are removed, or restored to their places.
  private static func heldActions(_ plan: Plan, for caller: FeatureCaller) async throws -> [CodeAction] {
    let (text, client) = (plan.place.text, plan.place.request.client)
    guard let missing = MissingItems(in: text.uri, of: client),
      client.problems(of: text.uri)?.diagnostics(in: text)
        .contains(where: { $0.code == .held && plan.lines.contains($0.line) }) == true
    else { return [] }
    let remove = CodeAction(
      title: caller.words(missing.removal), kind: "quickfix", command: .removeMissing(in: text.uri))
    guard let restoring = try await missing.restoring(for: caller) else { return [remove] }
    var restore = CodeAction(title: caller.words(missing.restoration), kind: "quickfix")
    (restore.text, restore.edits) = restoring
    return [remove, restore]
  }

  // MARK: - A quote

  /// A link to the page of a quote. Clients that resolve actions have it located only when they take it.
  private static func quoteAction(
    _ quote: String, _ plan: Plan, for caller: FeatureCaller
  ) async throws -> CodeAction? {
    let place = plan.place
    let end = place.text.line(place.line).contentCount
    var action = CodeAction(title: caller.words(Text("text.linkQuote")), kind: "refactor.rewrite")
    action.text = place.text
    if place.request.client.abilities.resolvesActionEdits {
      action.data = [
        "quote": .string(quote), "uri": .string(place.text.uri), "line": .integer(Int64(place.line)),
        "version": .integer(Int64(place.text.version)),
      ]
      return action
    }
    guard let passage = try await Quote.locate(quote, for: caller) else { return nil }
    action.edits = [passage.edit(place.request.range(place.line, end..<end))]
    return action
  }
}

extension Quote.Passage {
  /// Adds the link after the quote.
  func edit(_ range: JSONValue) -> JSONValue {
    ["range": range, "newText": .string(" [[\(link)][\(title.replacing("[", with: "(").replacing("]", with: ")"))]]")]
  }
}

/// LSP's `codeAction/resolve`.
enum ResolveAction: LanguageMethod {
  static let name = "codeAction/resolve"
  static let summary = "An action with its edit: the link to the page of a quote."
  typealias Params = GivenAction
  typealias Result = JSONValue

  struct Plan: Sendable {
    var action: JSONObject
    var text: OpenText?
  }

  static func prepare(_ params: GivenAction, in snapshot: Snapshot) throws -> Plan? {
    let uri = params.data?["uri"]?.stringValue
    return Plan(action: try params.members(), text: uri.flatMap { snapshot.feature.language?[$0] })
  }

  static func answer(_ plan: Plan, for caller: FeatureCaller, progress: Progress) async throws -> JSONValue {
    guard let client = caller.language, let text = plan.text, let data = plan.action["data"],
      let quote = data["quote"]?.stringValue, let line = data["line"]?.integerValue,
      data["version"]?.integerValue == Int64(text.version)
    else { return .object(plan.action) }
    guard let passage = try await Quote.locate(quote, for: caller) else {
      throw RPCError(.notFound, text: Text("text.noPassage"))
    }
    let number = Int(clamping: line)
    let end = text.line(number).contentCount
    let range = text.range(number, end..<end, in: caller.reader.positionEncoding).json
    var action = plan.action
    action["edit"] = client.workspaceEdit([(text, [passage.edit(range)])])
    return .object(action)
  }
}

/// A line of prose as the title of an item.
struct ListLine {
  /// Whether it is an item of a list, perhaps with a box.
  var isItem: Bool
  var text: String
  /// The text in UTF-8 bytes of the line.
  var range: Range<Int>

  init(_ content: String) {
    var rest = content[...].drop { $0 == " " || $0 == "\t" }
    isItem = false
    if let sign = rest.first, "-*+".contains(sign), rest.dropFirst().first == " " {
      isItem = true
      rest = rest.dropFirst(2)
      if content.box != nil { rest = rest.dropFirst(4) }
    }
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    text = String(rest)
    let start = content.utf8.distance(from: content.startIndex, to: rest.startIndex)
    range = start..<start + rest.utf8.count
  }
}

extension ListLine {
  fileprivate var mayHaveFields: Bool { text.contains(where: { $0 == "#" || $0 == ":" }) }
}

/// A line of prose as a card: its title, and the values of the fields at its end.
struct TaskText: Sendable {
  var title: String
  /// Params of `projects/add`.
  var values: JSONObject = [:]

  init(title: String) { self.title = title }

  /// - Parameter content: the line.
  init(_ line: ListLine, of content: String, in snapshot: Snapshot) {
    var end = line.range.upperBound
    var tags: [String] = []
    for field in content.fields.reversed() {
      guard field.range.upperBound == end, field.range.lowerBound > line.range.lowerBound else { break }
      switch field.name {
      case .tag: tags.append(field.value)
      case .due where values["deadline"] == nil && field.day(in: snapshot) != nil:
        values["deadline"] = .string(field.value)
        let time = content.bytes(field.valueRange).dropFirst(field.value.count)
        if time.first == "T" { values["time"] = .string(String(time.dropFirst())) }
      case .start where values["start"] == nil && field.isDay && field.day(in: snapshot) != nil:
        values["start"] = .string(field.value)
      default: break
      }
      let isTaken = field.name == .tag || values[field.name == .due ? "deadline" : "start"] == .string(field.value)
      guard isTaken else { break }
      end = field.range.lowerBound
      while end > line.range.lowerBound, content.bytes(end - 1..<end).allSatisfy(\.isWhitespace) { end -= 1 }
    }
    if !tags.isEmpty { values["tags"] = .array(tags.reversed().map { .string($0) }) }
    title = content.bytes(line.range.lowerBound..<end)
  }
}

/// An action on a text.
struct CodeAction: Sendable {
  var title: String
  var kind: String
  var command: Command?
  var text: OpenText?
  var edits: [JSONValue] = []
  var data: JSONObject = [:]

  init(title: String, kind: String, command: Command? = nil) {
    (self.title, self.kind, self.command) = (title, kind, command)
  }

  /// A client without action literals gets commands; nil for an action that is none.
  func json(for client: LanguageClient) -> JSONValue? {
    guard client.abilities.actionLiterals else {
      guard edits.isEmpty else { return nil }
      return command?.json(title: title)
    }
    var action: JSONObject = ["title": .string(title), "kind": .string(kind)]
    if let text, !edits.isEmpty { action["edit"] = client.workspaceEdit([(text, edits)]) }
    if let command { action["command"] = command.json(title: title) }
    if !data.isEmpty { action["data"] = .object(data) }
    return .object(action)
  }
}
