import Contract
import Exchange
import Kit
import Wire

/// The recurring tasks of a Taskwarrior file: a template with status `recurring`, which nobody does itself, and the
/// tasks made from it, each with the template's uuid as `parent` and a number as `imask`.
///
/// A card replaces the template: the last open task recurs by the template's rule. A template without tasks is a card
/// itself.
struct TaskwarriorFamilies {
  private var templates: [String: String] = [:]
  /// The last open task of each template, by its uuid.
  private var heirs: [String: (number: Int, uuid: String)] = [:]
  private var parents: Set<String> = []
  /// The numbers of the tasks of each template, in order.
  private var numbers: [String: [Int]] = [:]
  /// The uuids in the file, of tasks in any state.
  private var uuids: Set<String> = []
  /// Whether it has any template, including deleted ones. A file without any is a partial export.
  private(set) var hasTemplates = false

  /// Collects the templates and their tasks: each object and its text.
  init(_ tasks: [(object: JSONObject, text: String)]) {
    for (object, text) in tasks where Self.isTemplate(object) {
      if let uuid = object["uuid"]?.stringValue { templates[uuid] = text }
    }
    for (object, _) in tasks {
      if let uuid = object["uuid"]?.stringValue { uuids.insert(uuid) }
      if object["recur"] != nil, object["parent"] == nil { hasTemplates = true }
      guard let parent = object["parent"]?.stringValue, let uuid = object["uuid"]?.stringValue else { continue }
      parents.insert(parent)
      if object["status"]?.stringValue == "deleted" { continue }
      numbers[parent, default: []].append(Self.number(of: object) ?? 0)
      let isOpen = ["pending", "waiting"].contains(object["status"]?.stringValue ?? "")
      let number = Self.number(of: object) ?? 0
      if isOpen, number >= heirs[parent]?.number ?? 0 { heirs[parent] = (number, uuid) }
    }
    for parent in numbers.keys { numbers[parent]?.sort() }
  }

  /// The use of a template: a card of its own; none, since one of its open tasks recurs instead; or none, since it has
  /// only finished tasks.
  enum TemplateDecision {
    case card, passedOn, leftOut
  }

  func decision(on template: JSONObject) -> TemplateDecision {
    guard let uuid = template["uuid"]?.stringValue else { return .card }
    return heirs[uuid] != nil ? .passedOn : parents.contains(uuid) ? .leftOut : .card
  }

  /// The template of a task, if the task is the one that recurs.
  func template(of object: JSONObject) -> String? {
    guard let parent = object["parent"]?.stringValue, let uuid = object["uuid"]?.stringValue,
      let heir = heirs[parent], sameBytes(heir.uuid, uuid)
    else { return nil }
    return templates[parent]
  }

  /// The position of a task in its series; `names` are our own ids by uuid.
  func series(of object: JSONObject, names: [String: String]) -> TaskSeries? {
    guard let parent = object["parent"]?.stringValue, let uuid = object["uuid"]?.stringValue else { return nil }
    return TaskSeries(
      uuid: uuid, template: parent, ownTemplate: names[parent] ?? parent, hasTemplate: uuids.contains(parent),
      number: Self.number(of: object) ?? 0, numbers: numbers[parent] ?? [],
      goesOn: heirs[parent].map { sameBytes($0.uuid, uuid) } ?? false)
  }

  static func isTemplate(_ object: JSONObject) -> Bool { object["status"]?.stringValue == "recurring" }

  /// The number of a task in its series, from 0. Taskwarrior writes a number; old versions a string or a fraction.
  static func number(of object: JSONObject) -> Int? {
    guard let value = object["imask"] else { return nil }
    let number = value.doubleValue ?? value.stringValue.flatMap(Double.init)
    return number.flatMap { Int(exactly: $0.rounded()) }.flatMap { (0..<100_000).contains($0) ? $0 : nil }
  }

  /// The objects in a comma-separated text, without the members that Taskwarrior recalculates every day.
  static func lasting(_ text: String) -> [JSONValue] {
    let elements = (try? JSONElements(Array("[\(text)]".utf8)))?.elements ?? []
    return elements.map { element in
      guard case .object(var object)? = element.value else { return .null }
      object["id"] = nil
      object["urgency"] = nil
      return .object(object)
    }
  }
}

extension TaskwarriorFamilies {
  /// The recurrence as an iCalendar rule; nil if it does not fit whole days.
  static func rule(of template: JSONObject) -> String? {
    guard let recur = template["recur"]?.stringValue, let rule = rule(period: recur.lowercased()) else { return nil }
    guard case .instant(let end)? = template["until"]?.stringValue.flatMap(CompactTime.init) else { return rule }
    return rule + ";UNTIL=" + CompactTime.day(end.day).text
  }

  /// Parses Taskwarrior's periods: its words, a count with a unit, and ISO 8601 durations.
  private static func rule(period: String) -> String? {
    if period == "weekdays" { return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR" }
    let plain = period.filter { $0 != " " }
    if let (frequency, count) = words[plain] { return rule(frequency, count) }
    if let match = plain.wholeMatch(of: /p([0-9]{1,3})([dwmy])/), let count = Int(match.output.1) {
      return rule(letters[match.output.2] ?? "", count)
    }
    guard let match = plain.wholeMatch(of: /([0-9]{1,3})([a-z]+)/), let count = Int(match.output.1),
      let (frequency, unit) = words[String(match.output.2)]
    else { return nil }
    return rule(frequency, count * unit)
  }

  private static func rule(_ frequency: String, _ count: Int) -> String? {
    guard !frequency.isEmpty, (1...9_999).contains(count) else { return nil }
    return "FREQ=\(frequency)" + (count == 1 ? "" : ";INTERVAL=\(count)")
  }

  private static let letters: [Substring: String] = ["d": "DAILY", "w": "WEEKLY", "m": "MONTHLY", "y": "YEARLY"]

  private static let words: [String: (frequency: String, count: Int)] = [
    "d": ("DAILY", 1), "day": ("DAILY", 1), "days": ("DAILY", 1), "daily": ("DAILY", 1),
    "w": ("WEEKLY", 1), "wk": ("WEEKLY", 1), "wks": ("WEEKLY", 1), "week": ("WEEKLY", 1), "weeks": ("WEEKLY", 1),
    "weekly": ("WEEKLY", 1), "sennight": ("WEEKLY", 1), "biweekly": ("WEEKLY", 2), "fortnight": ("WEEKLY", 2),
    "mo": ("MONTHLY", 1), "mos": ("MONTHLY", 1), "mth": ("MONTHLY", 1), "mths": ("MONTHLY", 1), "month": ("MONTHLY", 1),
    "months": ("MONTHLY", 1), "monthly": ("MONTHLY", 1), "bimonthly": ("MONTHLY", 2), "q": ("MONTHLY", 3),
    "qtr": ("MONTHLY", 3), "qtrs": ("MONTHLY", 3), "quarter": ("MONTHLY", 3), "quarters": ("MONTHLY", 3),
    "quarterly": ("MONTHLY", 3), "semiannual": ("MONTHLY", 6), "y": ("YEARLY", 1), "yr": ("YEARLY", 1),
    "yrs": ("YEARLY", 1), "year": ("YEARLY", 1), "years": ("YEARLY", 1), "yearly": ("YEARLY", 1),
    "annual": ("YEARLY", 1),
    "biannual": ("YEARLY", 2), "biyearly": ("YEARLY", 2),
  ]
}
