import Contract
import Wire

/// An RRULE of RFC 5545 over calendar days.
///
/// Foundation has `Calendar.RecurrenceRule`, which parses no text. In Swift 6.2 on Linux it also takes the last weekday
/// of a month (`BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1`) for the last of a week, skips years of `BYWEEKNO`, and never returns
/// from `BYDAY=20MO`. So the days are computed here.
struct RecurrenceRule: Equatable, Sendable {
  enum Frequency: String, CaseIterable {
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"
  }

  struct Weekday: Equatable, Sendable {
    /// The first, second … of its month or year, -1 for the last; nil for every.
    var ordinal: Int?
    /// 1 for Monday to 7 for Sunday.
    var day: Int
  }

  var frequency = Frequency.daily
  var interval = 1
  var count: Int?
  var until: CalendarDay?
  var months: [Int] = []
  var weeks: [Int] = []
  var yearDays: [Int] = []
  var monthDays: [Int] = []
  var weekdays: [Weekday] = []
  var positions: [Int] = []
  /// The weekday on which a week begins.
  var weekStart = 1
}

extension RecurrenceRule {
  /// Parses a rule.
  ///
  /// - Throws: `invalidParams` that names the part which is unknown, useless for whole days, or invalid.
  init(_ text: String) throws(RPCError) {
    var seen: Set<String> = []
    var body = Substring(text)
    if body.prefix(6).uppercased() == "RRULE:" { body = body.dropFirst(6) }
    for part in body.split(separator: ";", omittingEmptySubsequences: false) {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = pair[0].uppercased()
      guard pair.count == 2 else { throw Self.refusal(part.isEmpty ? ";" : String(part)) }
      guard seen.insert(name).inserted else { throw Self.clash(String(part)) }
      try read(name, pair[1].uppercased(), part: String(part))
    }
    guard seen.contains("FREQ") else { throw Self.missing("FREQ") }
    try requireSense(seen)
  }

  private static func refusal(_ part: String) -> RPCError { refusal(Text("projects.badRule", ["part": shown(part)])) }

  private static func missing(_ part: String) -> RPCError { refusal(Text("projects.ruleMissing", ["part": part])) }

  /// The refusal of a part that is valid by itself, but not with the others.
  private static func clash(_ part: String) -> RPCError { refusal(Text("projects.ruleClash", ["part": shown(part)])) }

  /// The refusal of a word that is none of the choices of a part.
  private static func refusal(_ word: some StringProtocol, of name: String, choices: [String]) -> RPCError {
    let words = ["found": shown(word), "name": name, "choices": choices.joined(separator: ", ")]
    return refusal(Text("projects.ruleWord", words))
  }

  private static func refusal(_ number: some StringProtocol, of name: String, range: String) -> RPCError {
    refusal(Text("projects.ruleNumber", ["found": shown(number), "name": name, "choices": range]))
  }

  private static func refusal(_ reason: Text) -> RPCError { .invalidParams(field: "recurrence.rule", reason: reason) }

  private static func shown(_ text: some StringProtocol) -> String { String(String(text).unicodeScalars.prefix(64)) }

  private mutating func read(_ name: String, _ value: String, part: String) throws(RPCError) {
    if value.isEmpty { throw Self.missing(Self.shown(name)) }
    func numbers(_ range: ClosedRange<Int>, signed: Bool = true) throws(RPCError) -> [Int] {
      let choices = "\(range.lowerBound)…\(range.upperBound)"
      var numbers: [Int] = []
      for text in value.split(separator: ",", omittingEmptySubsequences: false) {
        guard let number = Int(text), range.contains(signed ? Int(clamping: number.magnitude) : number) else {
          let both = signed ? "\(choices), -\(range.upperBound)…-\(range.lowerBound)" : choices
          throw Self.refusal(text, of: name, range: both)
        }
        numbers.append(number)
      }
      return numbers
    }
    func number(_ range: ClosedRange<Int>) throws(RPCError) -> Int {
      let numbers = try numbers(range, signed: false)
      guard numbers.count == 1 else { throw Self.refusal(part) }
      return numbers[0]
    }
    switch name {
    case "FREQ":
      guard let frequency = Frequency(rawValue: value) else {
        throw Self.refusal(value, of: name, choices: Frequency.allCases.map(\.rawValue))
      }
      self.frequency = frequency
    case "INTERVAL": interval = try number(1...9_999)
    case "COUNT": count = try number(1...100_000)
    case "UNTIL":
      guard let day = Self.day(value) else { throw Self.refusal(part) }
      until = day
    case "BYMONTH": months = try numbers(1...12, signed: false)
    case "BYWEEKNO": weeks = try numbers(1...53)
    case "BYYEARDAY": yearDays = try numbers(1...366)
    case "BYMONTHDAY": monthDays = try numbers(1...31)
    case "BYSETPOS": positions = try numbers(1...366)
    case "WKST":
      guard let day = Self.names.firstIndex(of: value) else {
        throw Self.refusal(value, of: name, choices: Self.names)
      }
      weekStart = day + 1
    case "BYDAY":
      for text in value.split(separator: ",", omittingEmptySubsequences: false) {
        guard let weekday = Weekday(text) else { throw Self.refusal(text, of: name, choices: Self.names) }
        weekdays.append(weekday)
      }
    default: throw Self.refusal(part)
    }
  }

  fileprivate static let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

  /// `20261121`, or with a time, which is ignored.
  private static func day(_ text: String) -> CalendarDay? {
    let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let digits = Array(parts[0])
    guard digits.count == 8 else { return nil }
    if parts.count == 2 {
      let time = parts[1].hasSuffix("Z") ? parts[1].dropLast() : parts[1]
      guard time.count == 6, time.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    }
    return CalendarDay("\(String(digits[0..<4]))-\(String(digits[4..<6]))-\(String(digits[6..<8]))")
  }

  /// Checks the combinations that RFC 5545 forbids (section 3.3.10).
  private func requireSense(_ seen: Set<String>) throws(RPCError) {
    if count != nil, until != nil { throw Self.clash("COUNT;UNTIL") }
    if !weeks.isEmpty, frequency != .yearly { throw Self.clash("BYWEEKNO") }
    if !yearDays.isEmpty, frequency != .yearly { throw Self.clash("BYYEARDAY") }
    if !monthDays.isEmpty, frequency == .weekly { throw Self.clash("BYMONTHDAY") }
    let hasOrdinals = weekdays.contains { $0.ordinal != nil }
    if hasOrdinals, frequency == .daily || frequency == .weekly || !weeks.isEmpty { throw Self.clash("BYDAY") }
    let others = ["BYMONTH", "BYWEEKNO", "BYYEARDAY", "BYMONTHDAY", "BYDAY"]
    if !positions.isEmpty, seen.isDisjoint(with: others) { throw Self.clash("BYSETPOS") }
  }
}

extension RecurrenceRule.Weekday {
  /// `MO`, `2MO`, `-1FR`.
  fileprivate init?(_ text: Substring) {
    guard let day = RecurrenceRule.names.firstIndex(of: String(text.suffix(2))) else { return nil }
    self.day = day + 1
    let number = text.dropLast(2)
    if !number.isEmpty {
      guard let ordinal = Int(number), (1...53).contains(ordinal.magnitude) else { return nil }
      self.ordinal = ordinal
    }
  }
}
