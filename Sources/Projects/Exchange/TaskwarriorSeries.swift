import Contract
import Display
import Store
import Wire

/// Which of the tasks of a recurring one a task is.
///
/// Taskwarrior makes them when their time comes. So a template that came alone, and is a card, has tasks when its file
/// comes again: one of them is what the card stood for all along, and joins it.
struct TaskSeries: Sendable, Equatable {
  /// Its own name in the file.
  var uuid: String
  /// The template's.
  var template: String
  /// The names of ours that the template can have, where a file of ours has been there and back.
  var ownTemplate: String
  /// Whether the template stands in the file too. Where only some tasks were written out, it may not.
  var hasTemplate: Bool
  /// From 0.
  var number: Int
  /// Those that the file has, in order.
  var numbers: [Int]
  /// Whether it is the last that is open.
  var goesOn: Bool

  /// Whether a card with this text is this task: it has joined it before, or is to join it now. A card that is the
  /// template stands for the first task that was not made then, or the next of those that the file has. One that came
  /// again here went out as a template of its own, of which nothing was made then; it keeps the text of the one before.
  func isTask(of kept: ForeignSource, ofOurs: Bool) -> Bool {
    guard kept.format == .taskwarrior, case .object(let object)? = try? JSONParser.parse(kept.text),
      let name = object["uuid"]?.stringValue
    else { return false }
    if sameBytes(name, uuid) { return true }
    let isIts = sameBytes(name, template)
    guard isIts || ofOurs, TaskwarriorFamilies.isTemplate(object) else { return false }
    let due = isIts ? TaskwarriorFamilies.openNumber(of: object) : 0
    return number == numbers.first { $0 >= due } ?? numbers.last
  }
}

extension TaskwarriorFamilies {
  /// The number of the first of its tasks that nobody has done, made or not. The template's `mask` has a character for
  /// each that was made: `-` is open, `W` waits, `+` is done, `X` deleted.
  static func openNumber(of template: JSONObject) -> Int {
    let mask = template["mask"]?.stringValue ?? ""
    return Array(mask.unicodeScalars).firstIndex { $0 == "-" || $0 == "W" } ?? mask.unicodeScalars.count
  }

  /// When the task of a number is due, or the last where the rule ends before.
  static func day(ofNumber number: Int, by rule: RecurrenceRule, from start: CalendarDay) -> CalendarDay {
    var day = start
    for _ in 0..<min(number, 10_000) {
      guard let next = rule.day(after: day, from: start) else { break }
      day = next
    }
    return day
  }
}

extension ForeignTask {
  /// A template that is a card itself is due when the first of its tasks is that nobody has done: those before are done,
  /// wherever they are.
  mutating func stepOver(madeOf template: JSONObject) {
    let number = TaskwarriorFamilies.openNumber(of: template)
    guard number > 0, let start = card.deadline, let text = card.recurrence?.rule,
      let rule = try? RecurrenceRule(text)
    else { return }
    card.deadline = TaskwarriorFamilies.day(ofNumber: number, by: rule, from: start)
    if card.recurrence?.isPlain ?? false, card.deadline != start { card.recurrence?.start = start }
  }

  /// A file that has a task without its template says nothing about that: the task goes on as it did.
  mutating func keepTemplate(of kept: ForeignSource?, zone: Zone) {
    guard let series, !series.hasTemplate, series.goesOn, let source, source.template == nil,
      let template = kept?.template, let object = try? JSONParser.parse(template),
      sameBytes(object["uuid"]?.stringValue ?? "", series.template)
    else { return }
    var whole = source
    whole.template = template
    guard let read = whole.task(zone: zone) else { return }
    self.source = whole
    card.recurrence = read.recurrence
  }

  /// The same card but for whether it comes again, which of the tasks of a template only the last does.
  func isSameTask(as other: ForeignTask) -> Bool {
    var (left, right) = (self, other)
    (left.recurrence, right.recurrence) = (nil, nil)
    return left.isSameCard(as: right)
  }
}
