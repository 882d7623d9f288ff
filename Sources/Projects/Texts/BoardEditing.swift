import Contract
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// How a board or a column is saved: lanes are the names of columns.
struct BoardEditing: TextEditing {
  let collection = ProjectRecord.collectionName
  let isOrdered = true
  let removesMissing = true

  func parse(
    _ text: String, of path: TextPath, since items: [TextItem], in snapshot: Snapshot
  ) throws -> ParsedText {
    let columns = try columns(of: path, in: snapshot)
    var parsed = ParsedText()
    let lines = TextLines.split(text)
    let headings = lines.map {
      $0.hasPrefix("## ") ? Self.column(named: $0.dropFirst(3), of: columns, in: snapshot) : nil
    }
    let present = Set(headings.compactMap { $0?.state })
    let places = items.indices.compactMap { place in items[place].anchor.map { ($0, place) } }
    let known = Dictionary(places) { first, _ in first }
    var lane = BoardPath(path)?.state ?? columns.first.state
    // Under a heading that names no column, the lines stay in the column that they had.
    var isKnown = true
    for (place, line) in lines.enumerated() {
      func note(_ kind: TextProblem.Kind, _ key: String) {
        parsed.problems.append(TextProblem(kind, lines: place..<(place + 1), message: Text(key)))
      }
      if line.hasPrefix("#"), line.drop(while: { $0 == "#" }).first == " " {
        isKnown = headings[place] != nil
        if let column = headings[place] { lane = column.state } else { note(.readOnly, "text.headingStays") }
        continue
      }
      let (rest, anchor) = CardLine.written(line) { known[$0] != nil }
      if rest.allSatisfy(\.isWhitespace), anchor == nil { continue }
      let (base, content) = (anchor.flatMap { known[$0] }, String(rest))
      // A line that has not changed is that of a card.
      if base.map({ !sameBytes(items[$0].content, content) }) ?? true {
        guard let card = CardLine(rest), !card.title.isBlank else {
          note(.unsaved, "text.writeInCard")
          continue
        }
      }
      let former = base.map { items[$0].lane }
      let stays = former.map { !isKnown || !present.contains($0) } ?? false
      parsed.items.append(
        ParsedTextItem(
          anchor: anchor, lane: stays ? former! : lane, lines: place..<(place + 1), content: content))
    }
    return parsed
  }

  /// The column that a heading names, which may have the number of its cards at its end.
  private static func column(named name: Substring, of columns: BoardColumns, in snapshot: Snapshot) -> StoredColumn? {
    let names = [String(name), name.wholeMatch(of: /(.*) \([0-9]+ of [0-9]+\)/).map { String($0.output.1) }]
    return names.compactMap(\.self).lazy.compactMap { name in
      columns.all.first { sameBytes(BoardText.title(of: $0, among: columns, in: snapshot), name) }
        ?? (try? columns.require(named: name.trimmingWhitespace(), in: snapshot))
    }.first
  }

  func target(
    of content: String, in lane: String, formerly former: String?, on path: TextPath, in snapshot: Snapshot
  ) throws -> String {
    guard let former, sameBytes(former, lane), let card = CardLine(content[...]) else { return lane }
    let columns = try columns(of: path, in: snapshot)
    let isOpen = columns.isOpen(lane)
    // A line without a box says nothing.
    guard content.utf8.contains(UInt8(ascii: "[")), card.isDone == isOpen, Self.hasBox(content) else { return lane }
    return columns.all.first { $0.isOpen != card.isDone }?.state ?? lane
  }

  static func hasBox(_ content: String) -> Bool { content.firstMatch(of: /^\S+ \[[ xX]\]( |$)/) != nil }

  func add(_ item: ParsedTextItem, to path: TextPath, in transaction: Transaction) throws -> String {
    guard let line = CardLine(item.content[...]) else { throw RPCError.internalError }
    let board = BoardPath(path)?.id ?? CardBoardRecord.defaultID
    let id = try transaction.addCard(line, to: board, as: item.id)
    _ = try move(id, to: item.lane, after: nil, before: nil, on: path, in: transaction)
    return id
  }

  func change(_ id: String, from old: String, to new: ParsedTextItem, in transaction: Transaction) throws -> TextChange
  {
    guard let base = CardLine(old[...]), let line = CardLine(new.content[...]) else { return .unchanged }
    return try transaction.changeCard(id, from: (base, nil), to: (line, nil))
  }

  func content(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String? {
    guard let record = try snapshot.find(ProjectRecord.self, id: id) else { return nil }
    let isOpen = try BoardColumns(in: snapshot, of: record.board).isOpen(record.state)
    return try CardLine(record, isDone: !isOpen, in: snapshot).text
  }

  func lane(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String? {
    guard let place = BoardPath(path), let record = try snapshot.find(ProjectRecord.self, id: id),
      sameBytes(record.board, place.id), place.state.map({ sameBytes($0, record.state) }) ?? true
    else { return nil }
    return record.state
  }

  func move(
    _ id: String, to lane: String, after predecessor: String?, before successor: String?, on path: TextPath,
    in transaction: Transaction
  ) throws -> Bool {
    let snapshot = transaction.snapshot
    let record = try snapshot.get(ProjectRecord.self, id: id)
    let board = BoardPath(path)?.id ?? record.board
    let column = try columns(of: path, in: snapshot)[lane] ?? StoredColumn(state: lane, title: nil, isOpen: true)
    let place: ColumnPlace
    if let predecessor {
      let other = try snapshot.get(ProjectRecord.self, id: predecessor)
      place = try ColumnPlace(after: other, for: id, in: snapshot.db)
    } else if let successor {
      let other = try snapshot.get(ProjectRecord.self, id: successor)
      place = try ColumnPlace(before: other, for: id, in: snapshot.db)
    } else {
      place = try ColumnPlace(endOf: lane, on: board, for: id, in: snapshot.db)
    }
    if place.holds(record) { return false }
    let rank = try place.take(in: transaction)
    // Making room for it may have changed the card itself.
    try transaction.move(snapshot.get(ProjectRecord.self, id: id), to: column, on: board, at: rank)
    return true
  }

  func remove(_ id: String, in transaction: Transaction) throws {
    try RemoveProject.remove(transaction.snapshot.get(ProjectRecord.self, id: id), in: transaction)
  }

  func written(
    _ line: String, of item: ParsedTextItem, isWhole: Bool, on path: TextPath, in snapshot: Snapshot
  ) throws -> String {
    guard let card = CardLine(line[...]) else { return line }
    var dated = card.dated(in: snapshot)
    if !isWhole { return card.replacingDays(in: line, with: dated) }
    // A line without a box leaves the card where it is.
    if !Self.hasBox(line) { dated.isDone = try !columns(of: path, in: snapshot).isOpen(item.lane) }
    return dated.text
  }

  func title(of id: String, in snapshot: Snapshot) throws -> String {
    try snapshot.find(ProjectRecord.self, id: id)?.title ?? ""
  }

  private func columns(of path: TextPath, in snapshot: Snapshot) throws -> BoardColumns {
    try BoardColumns(in: snapshot, of: BoardPath(path)?.id ?? CardBoardRecord.defaultID)
  }
}
