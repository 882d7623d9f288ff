import Contract
import Kit
import Store
import Wire

/// `projects/card/0192.md`: the line of a card, its column, its steps, a blank line, and its body byte for byte.
///
///     - [ ] Return the book due:2026-11-24 #errands ^k3f2
///     column: DOING
///       - [x] Find the receipt
///
///     To the library, before six.
struct CardForm: LibraryTextForm {
  let collections: Set = [ProjectRecord.collectionName]
  var editing: (any TextEditing)? { CardEditing() }

  static func path(of id: String) -> TextPath? { TextPath("projects", "card", id) }

  func shows(_ path: TextPath) -> Bool { path.segments.count == 3 && path.segments.starts(with: ["projects", "card"]) }

  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    guard let record = try snapshot.find(ProjectRecord.self, id: path.segments[2]) else { return nil }
    let anchor = try snapshot.services.anchors.anchors(
      of: [record.id], in: ProjectRecord.collectionName, for: snapshot)[0]
    let shown = try CardText(record, in: snapshot)
    let text = shown.text(anchor: anchor)
    let item = TextItem(
      collection: ProjectRecord.collectionName, id: record.id, anchor: anchor, title: record.title,
      revision: record.revision, lines: 0..<TextLines.split(text).count, content: shown.text(anchor: nil))
    return RenderedText(text: text, items: [item], isReadOnly: !ShownLines.isFaithful(record.body))
  }

  func place(of target: TextTarget, in snapshot: Snapshot) throws -> LineOfText? {
    guard target.collection == ProjectRecord.collectionName, let path = Self.path(of: target.id),
      let record = try snapshot.find(ProjectRecord.self, id: target.id)
    else { return nil }
    guard target.field == "body" else { return LineOfText(path) }
    let above = CardText.linesAbove + record.steps.count
    return LineOfText(path, line: above + TextLines.count(in: record.body, upTo: target.offset))
  }
}

/// The parts of a card's text.
private struct CardText {
  var line: CardLine
  var column: String?
  var steps: [ProjectStep] = []
  /// With the line end that the text has in any case.
  var body: String

  /// The lines above the body of a card without steps.
  static let linesAbove = 3
  private static let columnPrefix = "column: "

  init(_ record: ProjectRecord, in snapshot: Snapshot) throws {
    let columns = try BoardColumns(in: snapshot, of: record.board)
    let column = columns[record.state] ?? StoredColumn(state: record.state, title: nil, isOpen: true)
    line = try CardLine(record, isDone: !column.isOpen, in: snapshot)
    self.column = BoardText.title(of: column, among: columns, in: snapshot)
    steps = record.steps
    body = ShownLines.shown(record.body)
    if !body.isEmpty, body.utf8.last != UInt8(ascii: "\n") { body += "\n" }
  }

  /// Nil for a text whose first line is no item of a list.
  init?(_ text: String) {
    let lines = TextLines.split(text)
    guard let line = CardLine(TextAnchor.split(lines[0]).rest) else { return nil }
    self.line = line
    var rest = lines.dropFirst()
    while let first = rest.first, !first.isEmpty {
      if first.hasPrefix(Self.columnPrefix) {
        column = String(first.dropFirst(Self.columnPrefix.count))
      } else if let step = Self.step(first) {
        steps.append(step)
      } else {
        break
      }
      rest = rest.dropFirst()
    }
    if rest.first?.isEmpty == true { rest = rest.dropFirst() }
    body = rest.joined(separator: "\n")
  }

  func text(anchor: String?) -> String {
    line.text + (anchor.map { " ^" + $0 } ?? "") + "\n" + (column.map { Self.columnPrefix + $0 + "\n" } ?? "")
      + steps.map { "  - [\($0.isDone ? "x" : " ")] \($0.text)\n" }.joined() + "\n" + body
  }

  /// The body for a card: one without a line end at its end is shown with one.
  func body(of record: ProjectRecord) -> String {
    let lineFeed = UInt8(ascii: "\n")
    guard record.body.utf8.last != lineFeed, body.utf8.last == lineFeed else { return body }
    return String(body.unicodeScalars.dropLast())
  }

  /// A step in an indented line, `  - [x] Find the receipt`; nil for any other line.
  private static func step(_ line: Substring) -> ProjectStep? {
    guard let match = line.wholeMatch(of: /[ \t]+[-*+] \[([ xX])\] (.*\S.*)/) else { return nil }
    return ProjectStep(text: String(match.output.2), done: match.output.1 != " ")
  }
}

/// How the text of one card is saved.
private struct CardEditing: TextEditing {
  let collection = ProjectRecord.collectionName
  // An emptied text is no removal.
  let removesMissing = false

  func parse(
    _ text: String, of path: TextPath, since items: [TextItem], in snapshot: Snapshot
  ) throws -> ParsedText {
    let lines = TextLines.split(text)
    let (rest, anchor) = CardLine.split(lines[0]) { $0 == items.first?.anchor }
    guard CardText(text) != nil else {
      return ParsedText(problems: [
        TextProblem(.unsaved, lines: 0..<lines.count, message: Text("text.noCard"), item: items.first?.key)
      ])
    }
    let content = ([rest] + lines.dropFirst()).joined(separator: "\n")
    return ParsedText(items: [ParsedTextItem(anchor: anchor, lines: 0..<lines.count, content: content)])
  }

  func add(_ item: ParsedTextItem, to path: TextPath, in transaction: Transaction) throws -> String {
    throw RPCError.notFound(ProjectRecord.collectionName, id: path.segments[2])
  }

  func change(_ id: String, from old: String, to new: ParsedTextItem, in transaction: Transaction) throws -> TextChange
  {
    guard let base = CardText(old), let text = CardText(new.content) else { return .unchanged }
    let record = try transaction.snapshot.get(ProjectRecord.self, id: id)
    let (before, after) = (base.body(of: record), text.body(of: record))
    let change = try transaction.changeCard(
      id, from: (base.line, before), to: (text.line, after), steps: (base.steps, text.steps))
    if case .conflict = change { return change }
    return change.with(otherChange: try move(id, from: base, to: text, in: transaction))
  }

  /// Moves a card whose column or box was changed. Returns whether it was.
  private func move(_ id: String, from base: CardText, to text: CardText, in transaction: Transaction) throws -> Bool {
    let snapshot = transaction.snapshot
    let record = try snapshot.get(ProjectRecord.self, id: id)
    let columns = try BoardColumns(in: snapshot, of: record.board)
    var column: StoredColumn?
    if let name = text.column, name != base.column {
      column = try columns.require(named: name, in: snapshot, field: "column")
    } else if text.line.isDone != base.line.isDone {
      column = columns.all.first { $0.isOpen != text.line.isDone }
    }
    guard let column, !sameBytes(column.state, record.state) else { return false }
    try transaction.move(record, to: column, on: record.board)
    return true
  }

  func content(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String? {
    try snapshot.find(ProjectRecord.self, id: id).map { try CardText($0, in: snapshot).text(anchor: nil) }
  }

  func lane(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String? {
    sameBytes(id, path.segments[2]) ? "" : nil
  }

  func move(
    _ id: String, to lane: String, after predecessor: String?, before successor: String?, on path: TextPath,
    in transaction: Transaction
  ) throws -> Bool { false }

  func remove(_ id: String, in transaction: Transaction) throws {
    try RemoveProject.remove(transaction.snapshot.get(ProjectRecord.self, id: id), in: transaction)
  }

  func written(
    _ line: String, of item: ParsedTextItem, isWhole: Bool, on path: TextPath, in snapshot: Snapshot
  ) throws -> String {
    guard let card = CardLine(line[...]) else { return line }
    let dated = card.dated(in: snapshot)
    // Without a box it says nothing about the column.
    return isWhole && BoardEditing.hasBox(line) ? dated.text : card.replacingDays(in: line, with: dated)
  }

  var drafts: DraftTable? { .projects }

  func draftContent(
    of text: ParsedTextItem, since item: TextItem, in transaction: Transaction
  ) throws -> String? {
    guard let base = CardText(item.content), let card = CardText(text.content) else { return nil }
    let record = try transaction.snapshot.get(ProjectRecord.self, id: item.id)
    return try transaction.draftContent(
      of: record, from: (base.line, base.body(of: record)), to: (card.line, card.body(of: record)),
      steps: (base.steps, card.steps))
  }

  func title(of id: String, in snapshot: Snapshot) throws -> String {
    try snapshot.find(ProjectRecord.self, id: id)?.title ?? ""
  }
}
