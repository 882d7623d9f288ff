import Contract
import Exchange
import Kit
import Wire

/// The columns that a user of calibre has added. Those with a known meaning become fields of the book: users give them
/// names such as `#status`, `#date_read`, `#pages`. Lists become tags, `genre/fantasy`, and all others lines of the
/// note, so that search finds them.
struct CalibreColumns {
  private(set) var tags: [String] = []
  /// Texts with a meaning of their own, such as a review.
  private var texts: [String] = []
  /// `Shelf: top left`
  private var lines: [String] = []

  var note: String { (texts + (lines.isEmpty ? [] : [lines.joined(separator: "\n")])).joined(separator: "\n\n") }

  /// - Parameter day: the day of a stored date.
  mutating func take(
    _ column: CalibreLibrary.Column, _ values: [CalibreLibrary.Value], into content: inout ShelfContent,
    _ facts: inout BookFacts, _ cells: inout CellParser, day: (String) -> CalendarDay?
  ) {
    guard let value = values.first else { return }
    let label = column.label.filter { $0.isLetter || $0.isNumber }
    switch column.type {
    case Stars.name:
      guard Stars.labels.contains(label) else { break }
      return cells.take(stars: CalibreFormat.stars(value.text), into: &content)
    case "series":
      guard let series = BookSeries(value.text, value.extra) else { return }
      facts.series = BookSeries.stored((facts.series ?? []) + [series])
      return
    case "bool":
      if takeFlag(label, value.text != "0", into: &content) { return }
    case "datetime":
      if takeDay(label, day(value.text), into: &content) { return }
    case "int", "float":
      if takeNumber(label, value.text, into: &content, &facts) { return }
    case "comments":
      guard let text = CatalogueText(html: value.text).text.readable else { return }
      texts.append(Self.notes.contains(label) ? text : "\(column.name)\n\(text)")
      return
    case "text", "enumeration":
      if Self.statuses.contains(label), let status = BookCells.status(value.text) {
        content.status = status
        return
      }
      if takeCopy(label, value.text, into: &content) { return }
    default: break
    }
    if column.isMultiple {
      tags += values.map { "\(column.label)/\($0.text)" }
    } else {
      lines.append("\(column.name): \(word(value.text, of: column.type, day: day))")
    }
  }

  private func word(_ text: String, of type: String, day: (String) -> CalendarDay?) -> String {
    switch type {
    case Stars.name: CalibreFormat.stars(text) ?? text
    case "bool": text == "0" ? "–" : "✓"
    case "datetime": day(text)?.description ?? text
    default: text
    }
  }

  private static let statuses: Set = ["status", "readstatus", "readingstatus", "shelf", "readingstate"]
  private static let notes: Set = ["notes", "mynotes", "note", "review", "myreview", "comments", "mycomments"]

  private func takeFlag(_ label: String, _ isSet: Bool, into content: inout ShelfContent) -> Bool {
    switch label {
    case "read", "isread", "finished", "done": if isSet { content.status = .read }
    case "reading", "currentlyreading": if isSet, content.status == .want { content.status = .reading }
    case "wanttoread", "toread": if isSet { content.status = .want }
    case "owned", "own", "iown": content.owned = isSet
    case "abandoned", "dnf": if isSet { content.status = .abandoned }
    default: return false
    }
    return true
  }

  private func takeCopy(_ label: String, _ text: String, into content: inout ShelfContent) -> Bool {
    let text = BookCells.line(text)
    switch label {
    case "lentto", "lent", "loanedto", "loaned", "borrowedby": content.lentTo = text
    case "place", "location", "room", "bookcase": content.place = text
    default: return false
    }
    return true
  }

  private func takeDay(_ label: String, _ day: CalendarDay?, into content: inout ShelfContent) -> Bool {
    guard let day else { return false }
    switch label {
    case "read", "dateread", "readdate", "readon", "finished", "datefinished", "finishdate", "lastread":
      content.finished = day
    case "started", "datestarted", "startdate", "startedreading": content.started = day
    default: return false
    }
    return true
  }

  private func takeNumber(
    _ label: String, _ text: String, into content: inout ShelfContent, _ facts: inout BookFacts
  ) -> Bool {
    guard let number = Double(text), number.isFinite else { return false }
    switch label {
    case "pages", "pagecount", "numpages", "numberofpages":
      guard let pages = Int(exactly: number.rounded()), (1...BookProgress.mostPages).contains(pages) else {
        return false
      }
      facts.pageCount = pages
    case "progress", "percent", "percentread", "readpercent", "readingprogress":
      guard (0...100).contains(number) else { return false }
      content.percent = number
    default: return false
    }
    return true
  }
}

extension ShelfContent {
  /// Makes values of several columns agree: a book with the day of its end was read, and one that was read has no
  /// progress of another attempt.
  mutating func settle() {
    if finished != nil, status == .want { status = .read }
    if let started, let finished, finished.daysSince1970 < started.daysSince1970 { self.started = nil }
    switch status {
    case .read: (page, percent) = (nil, 100)
    case .want where percent ?? 0 > 0: status = .reading
    case .want, .reading, .abandoned: break
    }
  }
}
