import Contract
import Display
import Kit
import Store
import Wire

/// A field in a line of a text: `due:2026-11-24`, `#errands`, `after:^p9qx`.
struct LineField: Sendable {
  enum Name: String, Sendable { case due, start, after, tag }

  var name: Name
  /// Without quotes; a time of `due:` is left out.
  var value: String
  /// The whole field, in UTF-8 bytes of the line.
  var range: Range<Int>
  /// Its value with quotes.
  var valueRange: Range<Int>

  /// Whether a position is in it; its end is too.
  func contains(_ byte: Int) -> Bool { range.lowerBound <= byte && byte <= range.upperBound }

  /// Whether its value is a day, or should be.
  var isDay: Bool {
    switch name {
    case .due: true
    // Neither `someday` nor the distance from the deadline is one.
    case .start: value != "someday" && value.wholeMatch(of: /-[0-9]{1,4}[dw]/) == nil
    case .after, .tag: false
    }
  }

  /// The day of `due:` or `start:`, also in words; nil if there is no such day.
  func day(in snapshot: Snapshot) -> CalendarDay? {
    if let day = CalendarDay(value) { return day }
    let reader = snapshot.reader
    let today = snapshot.services.today(for: reader).yearMonthDay
    return NaturalDate.read(value, today: today, leaning: .ahead, locale: reader.locale).map(CalendarDay.init)
  }
}

extension String {
  /// The fields of a line, in their order. A tag is one after a blank or at the beginning, and no heading.
  var fields: [LineField] {
    let bytes = Array(utf8)
    var fields: [LineField] = []
    var place = 0
    while place < bytes.count {
      let isAtWord = place == 0 || bytes[place - 1] == UInt8(ascii: " ") || bytes[place - 1] == UInt8(ascii: "\t")
      guard isAtWord, let (name, start) = Self.fieldName(at: place, in: bytes) else {
        place += 1
        continue
      }
      let end = Self.valueEnd(from: start, in: bytes)
      if end > start {
        var value = String(decoding: bytes[start..<end], as: UTF8.self)
        if value.first == "\"" { value = Self.unquoted(value) }
        if name == .due, let time = value.firstIndex(of: "T"), CalendarDay(String(value[..<time])) != nil {
          value = String(value[..<time])
        }
        fields.append(LineField(name: name, value: value, range: place..<end, valueRange: start..<end))
      }
      place = max(end, place + 1)
    }
    return fields
  }

  private static func fieldName(at place: Int, in bytes: [UInt8]) -> (LineField.Name, Int)? {
    for (word, name) in [("due:", LineField.Name.due), ("start:", .start), ("after:^", .after), ("#", .tag)] {
      let word = Array(word.utf8)
      guard bytes[place...].starts(with: word) else { continue }
      let start = place + word.count
      // `# A heading`, `## Another`, `#`.
      if name == .tag, start >= bytes.count || bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: "#") {
        return nil
      }
      return (name, start)
    }
    return nil
  }

  private static func valueEnd(from start: Int, in bytes: [UInt8]) -> Int {
    guard start < bytes.count else { return start }
    guard bytes[start] == UInt8(ascii: "\"") else {
      return bytes[start...].firstIndex { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } ?? bytes.count
    }
    var place = start + 1
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\\"): place += 2
      case UInt8(ascii: "\""): return place + 1
      default: place += 1
      }
    }
    return bytes.count
  }

  private static func unquoted(_ value: String) -> String {
    var result = ""
    var isQuoted = false
    for character in value.dropFirst().dropLast(value.count > 1 && value.last == "\"" ? 1 : 0) {
      if character == "\\", !isQuoted {
        isQuoted = true
      } else {
        result.append(character)
        isQuoted = false
      }
    }
    return result
  }
}

/// How far a day is from today, for users.
struct DayDistance {
  let day: CalendarDay
  /// Negative if it is past.
  let days: Int
  private let snapshot: Snapshot

  init(_ day: CalendarDay, in snapshot: Snapshot) {
    (self.day, self.snapshot) = (day, snapshot)
    days = snapshot.services.libraryToday.days(until: day)
  }

  var isOverdue: Bool { days < 0 }

  /// "tomorrow", "in 3 days", "3 days late".
  var short: String {
    switch days {
    case 0: snapshot.words(Text("day.today"))
    case 1: snapshot.words(Text("day.tomorrow"))
    case ..<0: snapshot.words(Text("text.daysLate", ["count": String(-days)]))
    default: snapshot.words(Text("text.inDays", ["count": String(days)]))
    }
  }

  /// With the weekday and the date: "Tue, Nov 24, 2026: tomorrow".
  var sentence: String {
    let date = snapshot.services.dates.string(.template("EEE d MMM yyyy"), on: day.yearMonthDay, for: snapshot.reader)
    return "\(date) · \(short)"
  }
}
