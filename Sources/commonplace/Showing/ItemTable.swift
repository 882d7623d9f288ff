/// Items as rows, in columns whose width depends on the terminal.
struct ItemTable {
  private let layout: TableLayout
  private let width: Int

  /// The width for additional text on the id's line below; 0 if it is in the row.
  private let roomBelow: Int
  /// Whether it is above the id and not beside it.
  private let isRestApart: Bool

  private static let mark = 2
  private static let leastBelow = 12
  /// With less width a found passage is not recognisable.
  private static let leastFound = 24
  /// The usual widths of days, badges, titles and writers of posts.
  private static let usual = [14, 12, 32, 8]
  /// Moving an id of this width below the row would save nothing.
  private static let shortID = 12

  init(_ items: [ShownItem], width: Int) {
    self.width = width
    func widest(_ columns: (ShownItem) -> Int) -> Int { items.map(columns).max() ?? 0 }
    func widest(_ part: KeyPath<ShownItem, String>) -> Int { widest { TextWidth.columns(of: $0[keyPath: part]) } }
    let room = max(width, 20) - Self.mark
    let isShort = widest(\.id) <= Self.shortID
    // The found passages are the purpose of such a list: the id moves to another line before they do.
    let isFound = items.contains(where: \.hasFound)
    var columns: [TableLayout.Column] = [
      .init(widest: widest(\.when), atFirst: 24, needed: 24),
      .init(
        widest: widest(\.time), needed: 12, stays: items.contains(where: \.isDueThen) ? .besideID : .whileRoom),
      .init(widest: widest(\.what), atFirst: 24, needed: isShort ? 24 : 8, besideID: 24),
      .init(
        widest: widest { $0.title.columns }, needed: isShort ? 12 : 16,
        besideID: isShort ? 12 : min(32, width / 2), stays: .always),
      .init(widest: widest { $0.by.columns }, atFirst: 24, needed: 8, stays: .whileRoom),
      .init(widest: widest(\.facts), atFirst: 32, needed: 24),
      .init(widest: widest(\.opinion), atFirst: 24, needed: 24, stays: .whileSpare),
      .init(
        widest: widest { $0.rest.columns }, atFirst: 12, needed: 12, besideID: isFound ? Self.leastFound : nil,
        stays: isFound ? .besideID : .whileRoom),
    ]
    let mayBeBeside = isShort || Self.hasRoomBeside(items, id: widest(\.id), room)
    var layout = TableLayout(columns, id: widest(\.id), width: room, mayBeBeside: mayBeBeside)
    // Beside an id below the row there may be more room than in the row.
    let roomBelow = room - Self.mark - widest(\.id) - TableLayout.gap
    // A found passage has a line of its own if there is not enough room.
    let hasOwnLine = isFound && roomBelow < Self.leastFound
    if layout.isIDBelow, hasOwnLine || roomBelow >= Self.leastBelow, let last = columns.popLast() {
      // With the passage elsewhere the id might fit into the row, and the passage would have no place.
      layout = TableLayout(columns + [.init(widest: 0, needed: 0)], id: widest(\.id), width: room, mayBeBeside: false)
      self.roomBelow = last.widest == 0 ? 0 : hasOwnLine ? room - Self.mark : roomBelow
      isRestApart = hasOwnLine
    } else {
      self.roomBelow = 0
      isRestApart = false
    }
    self.layout = layout
  }

  /// A list of days and writers, such as of posts, is read page by page: the place of the ids, and thus whether there
  /// is room for the writers, is determined by the usual widths, and not by the titles of one page.
  private static func hasRoomBeside(_ items: [ShownItem], id: Int, _ room: Int) -> Bool {
    guard items.contains(where: { !$0.when.isEmpty }), items.contains(where: { $0.by.columns > 0 }) else { return true }
    return usual.reduce(id) { $0 + $1 + TableLayout.gap } <= room
  }

  /// The item's row; if there is no room for it at the end of the row, its id below; and its candidates.
  func lines(of item: ShownItem, _ ink: Ink) -> [String] {
    let isAlarm = item.mark == .alarm
    func plain(_ text: String) -> String { text }
    let cells: [(text: ShownText, draw: (String) -> String)] = [
      (ShownText(item.when), isAlarm ? ink.alarming : plain), (ShownText(item.time), plain),
      (ShownText(item.what), plain), (item.title, plain), (item.by, plain), (ShownText(item.facts), plain),
      (ShownText(item.opinion), plain), (item.rest, ink.faint),
    ]
    var row = cells.indices.filter { layout.widths[$0] > 0 }.map { index in
      let cut = cells[index].text.cut(to: layout.widths[index])
      let blanks = String(repeating: " ", count: max(0, layout.widths[index] - cut.columns))
      return (drawn: cut.drawn(ink, cells[index].draw), blanks: blanks)
    }
    if !layout.isIDBelow, !item.id.isEmpty { row.append((drawn: ink.faint(item.id), blanks: "")) }
    let mark = item.mark.rawValue
    var line = (isAlarm ? ink.alarming(mark) : mark) + " "
    for (index, cell) in row.enumerated() {
      line += cell.drawn
      // No blanks after the last non-empty cell.
      if row[(index + 1)...].contains(where: { !$0.drawn.isEmpty }) {
        line += cell.blanks + String(repeating: " ", count: TableLayout.gap)
      }
    }
    let indent = String(repeating: " ", count: 2 * Self.mark)
    let words = (item.reason.isEmpty ? [] : [item.reason]) + item.candidates.map { "– " + $0 }
    let read = words.flatMap { TerminalText.lines($0, width: width - indent.count) }
    return [line] + (lineOfID(item, ink) + read).map { indent + $0 }
  }

  private func lineOfID(_ item: ShownItem, _ ink: Ink) -> [String] {
    guard layout.isIDBelow else { return [] }
    let rest = roomBelow > 0 ? item.rest.cut(to: roomBelow).drawn(ink, ink.faint) : ""
    if isRestApart { return [rest, ink.faint(item.id)].filter { !$0.isEmpty } }
    let parts = [ink.faint(item.id), rest].filter { !$0.isEmpty }
    return parts.isEmpty ? [] : [parts.joined(separator: String(repeating: " ", count: TableLayout.gap))]
  }
}
