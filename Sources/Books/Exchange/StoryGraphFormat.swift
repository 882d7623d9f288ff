import Contract
import Exchange
import Kit

/// The export of The StoryGraph. It has no ids; quarter stars are rounded to halves, and stay unrounded in the stored
/// row.
enum StoryGraphFormat {
  static func isIts(_ table: NamedRows) -> Bool { table.has("Title", "Read Status", "Star Rating") }

  static func read(_ table: NamedRows) -> BookFile {
    var file = BookFile()
    for row in table.rows where !row.isBlank {
      let place = ImportNote.Place(number: row.number, line: row.line)
      var facts = BookFacts()
      facts.title = row["Title"]
      facts.authors = BookCells.list(row["Authors"], by: ",")
      let number = row["ISBN/UID"] ?? row["ISBN"]
      var cells = CellParser(at: place, title: row["Title"])
      facts.isbns = cells.isbns(number.map { [$0] } ?? [])
      facts.bound()
      var content = ShelfContent()
      content.status = cells.status(row["Read Status"])
      cells.take(stars: row["Star Rating"], into: &content)
      file.notes += cells.notes
      content.note = row.exact("Review").map(BookCells.note) ?? ""
      content.tags = TagList.possible(BookCells.list(row["Tags"], by: ","))
      if content.status == .read { content.percent = 100 }
      content.owned = BookCells.isYes(row["Owned?"])
      take(days: row, into: &content, place, &file)
      let isUnknownNumber = facts.isbns.isEmpty && number != nil
      file.rows.append(
        BookFile.Row(
          book: ImportedBook(
            origin: isUnknownNumber
              ? "storygraph/\(number ?? "")" : BookCells.origin(.storygraph, facts), facts: facts, content: content,
            addedAt: row["Date Added"].flatMap(BookCells.day).map(BookCells.instant), row: row.members),
          place: place))
    }
    return file
  }

  /// `2021/01/02-2021/01/05, 2022/03/01-2022/03/04`: the last reading is the current one, the others are
  /// earlier ones.
  private static func take(
    days row: NamedRows.Row, into content: inout ShelfContent, _ place: ImportNote.Place, _ file: inout BookFile
  ) {
    let readings = BookCells.list(row["Dates Read"], by: ",")
    let ends = readings.map { [content] reading -> (CalendarDay?, CalendarDay?) in
      // A day has separators too: the hyphen in the middle is between ten characters on each side.
      let halves = reading.utf8.count == 21 ? [String(reading.prefix(10)), String(reading.suffix(10))] : [reading]
      let days = halves.map { BookCells.day($0.hasSuffix("-") ? String($0.dropLast()) : $0) }
      // A book that is being read has a start only.
      let hasOnlyBegun = reading.hasSuffix("-") || content.status == .reading
      return days.count == 2 ? (days[0], days[1]) : hasOnlyBegun ? (days[0], nil) : (nil, days[0])
    }
    func newest(_ reading: (CalendarDay?, CalendarDay?)) -> Int { (reading.1 ?? reading.0)?.daysSince1970 ?? .min }
    let latest = ends.indices.max { newest(ends[$0]) < newest(ends[$1]) }
    let last = latest.map { ends[$0] }
    content.started = last?.0
    content.finished = last?.1 ?? row["Last Date Read"].flatMap(BookCells.day)
    if content.status == .want || content.status == .reading { content.finished = nil }
    if let started = content.started, let finished = content.finished, finished.daysSince1970 < started.daysSince1970 {
      content.started = nil
    }
    content.earlierReads = ends.enumerated().compactMap { index, days in
      guard let day = days.1 ?? days.0, index != latest else { return nil }
      let isInOrder = (days.0?.daysSince1970 ?? .min) <= day.daysSince1970
      return EarlierRead(started: isInOrder ? days.0 : nil, finished: days.1, status: .read)
    }
    content.earlierReads = BookCells.reads(row["Read Count"], beside: content)
    let isUnread = content.finished == nil && content.started == nil
    if isUnread, row["Last Date Read"] != nil || !readings.isEmpty, content.status == .read {
      file.notes.append(ImportNote(.badDate, at: place, title: row["Title"] ?? "", isSkipped: false))
    }
  }
}
