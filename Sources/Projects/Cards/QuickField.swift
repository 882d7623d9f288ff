import Contract
import Display
import Kit
import Store
import Wire

/// A word of a line that names its field, as Taskwarrior, todo.txt and a search do.
///
///     due:friday   due:2026-12-01T14:30   due:3d        the deadline, with its time
///     start:monday   wait:2026-12-10   scheduled:1w     the start
///     pri:5   pri:H                                     a field that has a sign (``CardSign``)
///     project:home.garden   +garden                     a tag that begins with `+`
///     recur:weekly                                      the recurrence
struct QuickField {
  /// The param of `projects/add`.
  let param: String
  private let word: Substring
  private let text: Substring

  private static let params: [String: String] = [
    "due": "deadline", "start": "start", "wait": "start", "scheduled": "start", "sched": "start",
    "project": "tags", "proj": "tags", "pro": "tags", "recur": "recurrence",
  ].merging(CardSign.all.flatMap { sign in sign.names.map { ($0, sign.name) } }) { own, _ in own }

  /// Nil for a word that names no field.
  init?(_ word: Substring) {
    self.word = word
    if word.first == "+" {
      text = word.dropFirst()
      // "+1" and "+49 1234" are numbers.
      guard text.first?.isLetter == true, !text.contains("+") else { return nil }
      param = "tags"
      return
    }
    guard let colon = word.firstIndex(of: ":"), let param = Self.params[word[..<colon].lowercased()] else { return nil }
    text = word[word.index(after: colon)...]
    // "due: friday" has the day in the next word, and "start://" is a URL.
    guard let first = text.first, first != "/" else { return nil }
    self.param = param
  }

  /// Whether it is read beside params of these names: neither a param of its own nor one that its day contradicts.
  func isRead(beside given: Set<String>) -> Bool {
    switch param {
    case "deadline": given.isDisjoint(with: ["deadline", "time", "someday"])
    // A card with a start has no default deadline, which a time needs.
    case "start":
      given.isDisjoint(with: ["start", "someday"]) && (given.contains("deadline") || !given.contains("time"))
    default: !given.contains(param)
    }
  }

  /// The value as params of `projects/add`; for a tag `tags` is the tag itself. Nil if it cannot be read.
  func value(in snapshot: Snapshot) -> JSONObject? {
    switch param {
    case "tags": return ["tags": .string("+" + text)]
    case "recurrence":
      let rule = TaskwarriorFamilies.rule(of: ["recur": .string(text.lowercased())])
      return rule.map { ["recurrence": ["rule": .string($0)]] as JSONObject }
    case "start": return day(text, snapshot).map { ["start": .string($0.description)] as JSONObject }
    default:
      if let sign = CardSign.all.first(where: { $0.name == param }) {
        return sign.parse(String(text)).map { [param: $0] as JSONObject }
      }
      if let day = day(text, snapshot) { return ["deadline": .string(day.description)] }
      guard let cut = text.lastIndex(of: "T"), let day = day(text[..<cut], snapshot),
        let time = DayAndTime.time(String(text[text.index(after: cut)...]))
      else { return nil }
      return ["deadline": .string(day.description), "time": .string(time)]
    }
  }

  /// What a word says about itself that cannot be read; nil if its field is no day.
  var mistake: Text? {
    ["deadline", "start"].contains(param) ? Text("projects.noSuchDay", ["text": String(word)]) : nil
  }

  /// `friday`, `2026-12-01`, or a distance from today: `3d`, `2w`.
  private func day(_ text: Substring, _ snapshot: Snapshot) -> CalendarDay? {
    guard let match = text.wholeMatch(of: /([0-9]{1,3})([dw])/), let count = Int(match.output.1) else {
      return DayAndTime.day(String(text), snapshot)
    }
    let today = snapshot.services.today(for: snapshot.reader)
    return today.adding(days: match.output.2 == "w" ? 7 * count : count)
  }
}
