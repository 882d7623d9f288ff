/// The widths of a table's columns on a terminal.
///
/// An id is needed by commands, so it is never cut: if the others cannot have their needed width beside it, it is
/// below them on a line of its own. The others shrink to their needed width; then columns are dropped, first the
/// spare ones, the last first. The remaining room is then shared fairly, the narrowest first, until everything is
/// shown or the row is full: no long cell takes room from a short one, and none is cut while there is room.
struct TableLayout {
  /// In the order of display, which is that of their importance.
  struct Column {
    /// The columns of the terminal that its widest cell takes.
    var widest: Int
    /// The width up to which it grows before any other grows further: a long name must not narrow a title, nor a
    /// preview a name.
    var widestAtFirst: Int
    /// The width it needs if not all of it fits.
    var needed: Int
    /// The width it needs so that an id may be beside it.
    var neededBesideID: Int
    var stays = Stays.besideID

    /// When it is dropped if not all columns fit.
    enum Stays {
      /// It is dropped before all others.
      case whileSpare
      /// It is dropped rather than moving the id to another line.
      case whileRoom
      /// It is dropped only if it does not fit even without the id and the columns that are dropped earlier.
      case besideID
      case always
    }

    init(
      widest: Int, atFirst: Int = .max, needed: Int, besideID: Int? = nil, stays: Stays = .besideID
    ) {
      self.widest = widest
      widestAtFirst = min(widest, atFirst)
      self.needed = min(self.widest, needed)
      neededBesideID = min(self.widest, besideID ?? needed)
      self.stays = stays
    }
  }

  static let gap = 2

  /// One for each column, 0 for those without room.
  let widths: [Int]
  let isIDBelow: Bool

  /// - Parameter mayBeBeside: false for an id that is below whatever room there is beside the others.
  init(_ columns: [Column], id: Int, width: Int, mayBeBeside: Bool = true) {
    let besideID = columns.map { column in
      var column = column
      column.needed = column.neededBesideID
      return column
    }
    let beside =
      id > 0 && !mayBeBeside
      ? nil : Self.fit(besideID, in: width - (id > 0 ? id + Self.gap : 0), letting: [.whileSpare, .whileRoom])
    isIDBelow = beside == nil && id > 0
    widths =
      beside ?? Self.fit(columns, in: width, letting: [.whileSpare, .whileRoom, .besideID])
      ?? columns.map { $0.stays == .always ? max(1, min($0.widest, width)) : 0 }
  }

  /// Nil if they do not fit even without all of these.
  private static func fit(_ columns: [Column], in room: Int, letting mayGo: [Column.Stays]) -> [Int]? {
    var shown = columns.indices.filter { columns[$0].widest > 0 }
    func used() -> Int { shown.reduce(0) { $0 + columns[$1].needed } + max(0, shown.count - 1) * gap }
    while used() > room {
      let next = mayGo.lazy.compactMap { stays in shown.lastIndex { columns[$0].stays == stays } }.first
      guard let next else { return nil }
      shown.remove(at: next)
    }
    var widths = columns.map { _ in 0 }
    for index in shown { widths[index] = columns[index].needed }
    var left = room - used()
    fill(&widths, of: shown, to: columns.map(\.widestAtFirst), from: &left)
    fill(&widths, of: shown, to: columns.map(\.widest), from: &left)
    return widths
  }

  /// As water fills vessels side by side: all rise together, each until it is full.
  private static func fill(_ widths: inout [Int], of shown: [Int], to full: [Int], from left: inout Int) {
    while left > 0,
      let narrowest = shown.filter({ widths[$0] < full[$0] }).min(by: { widths[$0] < widths[$1] })
    {
      widths[narrowest] += 1
      left -= 1
    }
  }
}
