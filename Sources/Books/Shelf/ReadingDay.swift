import Contract
import Exchange
import Kit
import Store
import Wire

extension Instant {
  /// The newest day that has begun anywhere on earth: that of the zone farthest ahead, UTC+14. Who read a book there this
  /// morning may write it down elsewhere, where that day is still to come.
  var newestDay: CalendarDay {
    CalendarDay(daysSince1970: Int(((milliseconds + 14 * 3_600_000) / 86_400_000)))
  }
}

extension GivenDay {
  /// A day on which a book was begun or finished, which is none to come.
  ///
  /// - Parameter field: what the error names.
  func dayOfReading(_ field: String, in snapshot: Snapshot) throws(RPCError) -> CalendarDay {
    let day = try day(field, leaning: .back, in: snapshot)
    guard day.daysSince1970 <= snapshot.services.now().newestDay.daysSince1970 else {
      throw .invalidParams(field: field, reason: Text("books.dayToCome", ["day": day.description]))
    }
    return day
  }
}

extension BookFile {
  /// Leaves out the days of rows that are still to come, and notes it. The rows themselves are kept as they are.
  mutating func leaveOutDays(after newest: CalendarDay) {
    for index in rows.indices {
      let place = rows[index].place
      let title = rows[index].book.facts.title ?? ""
      for (field, path) in [("started", \ShelfContent.started), ("finished", \ShelfContent.finished)] {
        guard let day = rows[index].book.content[keyPath: path], day.daysSince1970 > newest.daysSince1970 else {
          continue
        }
        rows[index].book.content[keyPath: path] = nil
        notes.append(
          ImportNote(
            .badValue, at: place, title: title, field: field,
            text: Text("books.import.dayToCome", ["day": day.description])))
      }
    }
  }
}
