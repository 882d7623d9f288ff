import Contract
import Display
import Store
import Wire

extension TaskSeries {
  /// Whether a card with this stored source is this task: it has joined the card before, or is to join it now. The card
  /// of a template stands for the first task that did not exist at the time of its import, or for the next one in the
  /// file. A card that recurred here was exported as a template without tasks; it keeps the source text of the card
  /// before it.
  func isTask(of stored: TaskSource, ofOurs: Bool) -> Bool {
    guard stored.format == .taskwarrior, case .object(let object)? = try? JSONParser.parse(stored.text),
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
  /// The number of the first task that nobody has done, whether it exists or not. The template's `mask` has one
  /// character per existing task: `-` open, `W` waiting, `+` done, `X` deleted.
  static func openNumber(of template: JSONObject) -> Int {
    let mask = template["mask"]?.stringValue ?? ""
    return Array(mask.unicodeScalars).firstIndex { $0 == "-" || $0 == "W" } ?? mask.unicodeScalars.count
  }

  /// The deadline of the task with a number, or the last one if the rule ends before.
  static func day(ofNumber number: Int, by rule: RecurrenceRule, from start: CalendarDay) -> CalendarDay {
    var day = start
    for _ in 0..<min(number, 10_000) {
      guard let next = rule.day(after: day, from: start) else { break }
      day = next
    }
    return day
  }
}

extension ExternalTask {
  /// Moves the deadline of a template that is a card itself to the first task that nobody has done: the tasks before it
  /// are done, whatever file they are in.
  mutating func stepOver(madeOf template: JSONObject) {
    let number = TaskwarriorFamilies.openNumber(of: template)
    guard number > 0, let start = card.deadline, let text = card.recurrence?.rule,
      let rule = try? RecurrenceRule(text)
    else { return }
    card.deadline = TaskwarriorFamilies.day(ofNumber: number, by: rule, from: start)
    if card.recurrence?.isPlain ?? false, card.deadline != start { card.recurrence?.start = start }
  }

  /// Keeps the recurrence of a task if the file lacks its template: such a file contains no information about it.
  mutating func keepTemplate(of stored: TaskSource?, zone: Zone) {
    guard let series, !series.hasTemplate, series.goesOn, let source, source.template == nil,
      let template = stored?.template, let object = try? JSONParser.parse(template),
      sameBytes(object["uuid"]?.stringValue ?? "", series.template)
    else { return }
    var whole = source
    whole.template = template
    guard let read = whole.task(zone: zone) else { return }
    self.source = whole
    card.recurrence = read.recurrence
  }

  /// Whether it is the same card apart from the recurrence, which only the last task of a template has.
  func isSameTask(as other: ExternalTask) -> Bool {
    var (left, right) = (self, other)
    (left.recurrence, right.recurrence) = (nil, nil)
    return left.isSameCard(as: right)
  }
}
