import Contract
import Exchange
import Kit
import Store
import Wire

extension Instant {
  /// The newest day that has begun anywhere on earth: the one in the zone UTC+14. A user who read a book there this
  /// morning may record it in another zone, where that day is still to come.
  var newestDay: CalendarDay {
    CalendarDay(daysSince1970: Int(((milliseconds + 14 * 3_600_000) / 86_400_000)))
  }
}

extension GivenDay {
  /// A day on which a book was started or finished.
  ///
  /// - Parameter field: the field that the error names.
  /// - Throws: `invalidParams` for a text that is no day, or for a future day.
  func dayOfReading(_ field: String, in snapshot: Snapshot) throws(RPCError) -> CalendarDay {
    let day = try day(field, leaning: .back, in: snapshot)
    guard day.daysSince1970 <= snapshot.services.now().newestDay.daysSince1970 else {
      throw .invalidParams(field: field, reason: Text("books.dayToCome", ["day": day.description]))
    }
    return day
  }
}

extension BookFile {
  /// Removes future days from rows, with a note for each. The stored rows are unchanged. Earlier reads in the future
  /// are removed.
  mutating func leaveOutDays(after newest: CalendarDay) {
    for index in rows.indices {
      let place = rows[index].place
      let title = rows[index].book.facts.title ?? ""
      let earlier = rows[index].book.content.earlierReads
      for day in earlier.compactMap({ $0.finished ?? $0.started }) where day.daysSince1970 > newest.daysSince1970 {
        notes.append(
          ImportNote(
            .badValue, at: place, title: title, field: "earlierReads",
            text: Text("books.import.dayToCome", ["day": day.description])))
      }
      rows[index].book.content.earlierReads = earlier.filter { read in
        [read.started, read.finished].allSatisfy { ($0?.daysSince1970 ?? .min) <= newest.daysSince1970 }
      }
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
