import Contract
import Display
import Kit
import Store
import Wire

/// How the agenda is saved: a card that is moved below another heading gets the day that follows from it.
struct AgendaEditing: TextEditing {
  let collection = ProjectRecord.collectionName
  // The dates order the cards.
  let removesMissing = true

  func parse(
    _ text: String, of path: TextPath, since items: [TextItem], in snapshot: Snapshot
  ) throws -> ParsedText {
    var parsed = ParsedText()
    let known = Dictionary(items.compactMap { item in item.anchor.map { ($0, item) } }) { first, _ in first }
    // Nil below a heading that is none of the agenda's: the lines stay where they were.
    var section: AgendaSection?
    for (place, line) in TextLines.split(text).enumerated() {
      func note(_ kind: TextProblem.Kind, _ key: String) {
        parsed.problems.append(TextProblem(kind, lines: place..<(place + 1), message: Text(key)))
      }
      if line.hasPrefix("#"), line.drop(while: { $0 == "#" }).first == " " {
        section = Self.section(named: line.drop { $0 == "#" }.dropFirst(), in: snapshot)
        if section == nil { note(.readOnly, "text.agendaHeadingStays") }
        continue
      }
      // An event of a calendar. It may be of another day or zone than those of this client by now.
      if line.hasPrefix("> "), line.hasSuffix(")") { continue }
      let (rest, anchor) = CardLine.written(line) { known[$0] != nil }
      if rest.allSatisfy(\.isWhitespace), anchor == nil { continue }
      guard let card = CardLine(rest), !card.title.isBlank else {
        note(.unsaved, "text.writeInCard")
        continue
      }
      let base = anchor.flatMap { known[$0] }
      var lane = section?.rawValue ?? base?.lane ?? AgendaSection.later.rawValue
      if let base, let section, !sameBytes(base.lane, lane), section.distance == nil,
        CardLine(base.content[...])?.due == card.due
      {
        note(.readOnly, "text.byDate")
        lane = base.lane
      }
      parsed.items.append(
        ParsedTextItem(anchor: anchor, lane: lane, lines: place..<(place + 1), content: String(rest)))
    }
    return parsed
  }

  /// The part that a heading names, in any language: a file is laid in the daemon's, and any client may save it.
  private static func section(named name: Substring, in snapshot: Snapshot) -> AgendaSection? {
    let (name, catalogue) = (String(name), snapshot.services.catalogue)
    return AgendaSection.allCases.first { section in
      Language.allCases.contains { sameBytes(catalogue.string(for: section.title, language: $0), name) }
    }
  }

  func add(_ item: ParsedTextItem, to path: TextPath, in transaction: Transaction) throws -> String {
    guard var line = CardLine(item.content[...]) else { throw RPCError.internalError }
    if line.due == nil, let distance = AgendaSection(rawValue: item.lane)?.distance {
      line.due = transaction.services.libraryToday.adding(days: distance).description
    }
    let id = try transaction.addCard(line, to: CardBoardRecord.defaultID, as: item.id)
    if line.isDone { _ = try transaction.tick(id, isDone: true) }
    return id
  }

  func change(_ id: String, from old: String, to new: ParsedTextItem, in transaction: Transaction) throws -> TextChange
  {
    guard let base = CardLine(old[...]), let line = CardLine(new.content[...]) else { return .unchanged }
    let change = try transaction.changeCard(id, from: (base, nil), to: (line, nil))
    let isTicked = try base.isDone != line.isDone && transaction.tick(id, isDone: line.isDone)
    return change.with(otherChange: isTicked)
  }

  func target(
    of content: String, in lane: String, formerly former: String?, on path: TextPath, in snapshot: Snapshot
  ) throws -> String { former == nil ? lane : "" }

  func content(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String? {
    try BoardEditing().content(of: id, on: path, in: snapshot)
  }

  /// A card may have come below another heading since, by its date or because a day has passed. So all of them are one
  /// lane, and a card is of another text only if it is closed.
  func lane(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String? {
    guard let record = try snapshot.find(ProjectRecord.self, id: id) else { return nil }
    let boards = try CardBoards(in: snapshot)
    return boards.isOpen(record) && boards[record.board]?.isArchived != true ? "" : nil
  }

  func move(
    _ id: String, to lane: String, after predecessor: String?, before successor: String?, on path: TextPath,
    in transaction: Transaction
  ) throws -> Bool {
    let today = transaction.services.libraryToday
    let record = try transaction.snapshot.get(ProjectRecord.self, id: id)
    guard let section = AgendaSection(rawValue: lane), let distance = section.distance else { return false }
    var planned = record
    (planned.isSomeday, planned.start) = (false, nil)
    let isDueThen = AgendaSection(planned, isWaiting: false, on: today) == section
    // A card that is due today is shown as due, whatever blocks it.
    let isHeldUp = section != .today
    if isHeldUp, try transaction.snapshot.isWaiting(record) {
      throw RPCError(.readOnly, text: Text("text.waitsForCard"))
    }
    let isForLater = isHeldUp && record.start.map { $0 > today } ?? false
    if isDueThen, !record.isSomeday, !isForLater { return false }
    var values: JSONObject = ["id": .string(id)]
    if !isDueThen { values["deadline"] = .string(today.adding(days: distance).description) }
    if record.isSomeday { values["someday"] = false }
    if isForLater { values["start"] = .string(today.description) }
    _ = try UpdateProject.run(UpdateProject.Params.decode(from: .object(values), strict: true), in: transaction)
    return true
  }

  func remove(_ id: String, in transaction: Transaction) throws {
    try BoardEditing().remove(id, in: transaction)
  }

  func written(
    _ line: String, of item: ParsedTextItem, isWhole: Bool, on path: TextPath, in snapshot: Snapshot
  ) throws -> String {
    guard let card = CardLine(line[...]) else { return line }
    return isWhole ? card.dated(in: snapshot).text : card.replacingDays(in: line, with: card.dated(in: snapshot))
  }

  func title(of id: String, in snapshot: Snapshot) throws -> String {
    try BoardEditing().title(of: id, in: snapshot)
  }
}

extension Snapshot {
  /// Whether a card waits for an open one.
  ///
  /// - Throws: `DatabaseError`.
  fileprivate func isWaiting(_ card: ProjectRecord) throws -> Bool {
    if card.blockedBy.isEmpty { return false }
    let waiting = Readiness.waiting(for: CardLanes(of: try CardBoards(in: self)).only(open: true))
    let sql = waiting.sql + " AND projectBlock.card = ? LIMIT 1"
    return try db.first(sql, waiting.values + [.text(card.id)]) { _ in true } ?? false
  }
}

extension Transaction {
  /// Moves a card to the first closed column of its board, or to the first open one.
  ///
  /// - Returns: false if it is in such a column.
  /// - Throws: `notFound`; `StoreError`, `DatabaseError`.
  fileprivate func tick(_ id: String, isDone: Bool) throws -> Bool {
    let record = try snapshot.get(ProjectRecord.self, id: id)
    let columns = try BoardColumns(in: snapshot, of: record.board)
    guard columns.isOpen(record.state) == isDone, let column = columns.all.first(where: { $0.isOpen != isDone }) else {
      return false
    }
    try move(record, to: column, on: record.board)
    return true
  }
}
