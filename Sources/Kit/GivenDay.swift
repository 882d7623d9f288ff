import Contract
import Display
import Store
import Wire

/// A day in a client's request: `2026-11-21`, or a natural-language date in any language that `NaturalDate` supports.
///
/// It depends on the client and the time, so a method resolves it when it has both. Replies and stored data contain the
/// resolved day.
package struct GivenDay: ShapedValue, Sendable, Hashable, ExpressibleByStringLiteral {
  package let text: String

  package init(stringLiteral text: String) { self.text = text }

  /// - Throws: `InvalidValue` for a text that is too long for a date or has line ends, `DecodingError`.
  package init(from decoder: any Decoder) throws {
    text = try decoder.singleValueContainer().decode(String.self)
    guard TextForm.givenDay.accepts(text) else { throw InvalidValue(Text(TextForm.givenDay.textKey)) }
  }

  /// - Throws: the encoder's error.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  package static var shape: Shape { .text(.givenDay) }
  package static var sample: GivenDay { "2026-11-21" }

  /// The first day of the week, weekend, month or year that the text means, else the day: “next week” is its Monday, as
  /// in a query, and not the day a week from today.
  ///
  /// - Parameter field: the field's name for the error.
  /// - Throws: `RPCError.invalidParams` of `field`.
  package func firstDay(_ field: String, in snapshot: Snapshot) throws(RPCError) -> CalendarDay {
    let reader = snapshot.reader
    let today = snapshot.services.today(for: reader).yearMonthDay
    if let days = NaturalDate.deadlines(in: text, today: today, locale: reader.locale), let first = days.first,
      CalendarDay(first) != CalendarDay(days.last)
    {
      return CalendarDay(first)
    }
    return try day(field, leaning: .ahead, in: snapshot)
  }

  /// The days of the week, weekend, month or year that the text means; for a limit, such as "until friday", those from
  /// today on; nil for a day, or a limit that is past.
  package func period(in snapshot: Snapshot) -> (first: CalendarDay, last: CalendarDay)? {
    let today = snapshot.services.today(for: snapshot.reader)
    let locale = snapshot.reader.locale
    guard let days = NaturalDate.deadlines(in: text, today: today.yearMonthDay, locale: locale) else { return nil }
    let (first, last) = (days.first.map { CalendarDay($0) } ?? today, CalendarDay(days.last))
    return first < last || (days.first == nil && first == last) ? (first, last) : nil
  }

  /// The day for the client, relative to `Services.today(for:)`.
  ///
  /// - Parameter field: the field's name for the error.
  /// - Throws: `RPCError.invalidParams` of `field`.
  package func day(
    _ field: String, leaning: DayLeaning, in snapshot: Snapshot
  ) throws(RPCError) -> CalendarDay {
    if let day = CalendarDay(text) { return day }
    if text.allSatisfy(\.isWhitespace) { throw .invalidParams(field: field, reason: Text("param.blank")) }
    let (reader, services) = (snapshot.reader, snapshot.services)
    let today = services.today(for: reader).yearMonthDay
    if let day = NaturalDate.read(text, today: today, leaning: leaning, locale: reader.locale) {
      return CalendarDay(day)
    }
    let misread = NaturalDate.misreading(of: text, today: today, leaning: leaning, locale: reader.locale) {
      likelyName(for: $0, among: $1)
    }
    var arguments = ["value": text]
    if text.wholeMatch(of: /-?[0-9]{4,6}-[0-9]{2}-[0-9]{2}/) != nil {
      throw .invalidParams(field: field, reason: Text("param.noSuchDay", arguments))
    }
    switch misread {
    case .withTime(let time):
      arguments["time"] = time
      arguments["examples"] = NaturalDate.examples(for: reader.locale).joined(separator: ", ")
      throw .invalidParams(field: field, reason: Text("param.dayWithTime", arguments))
    case .misspelled(let likely):
      arguments["nearest"] = likely
      throw .invalidParams(field: field, reason: Text("param.unknownDayNearest", arguments))
    case nil:
      arguments["examples"] = NaturalDate.examples(for: reader.locale).joined(separator: ", ")
      throw .invalidParams(field: field, reason: Text("param.unknownDay", arguments))
    }
  }
}
