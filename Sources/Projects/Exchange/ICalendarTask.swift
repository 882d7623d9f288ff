import Contract
import Display
import Exchange
import Kit
import Wire

/// Reads a VTODO as a task, and writes a task as a VTODO.
struct ICalendarTask {
  private(set) var task = ExternalTask()

  private static let revision = "X-COMMONPLACE-REVISION"
  private static let epoch = "X-COMMONPLACE-EPOCH"
  private static let written = "X-COMMONPLACE-WRITTEN"
  static let recurrence = "X-COMMONPLACE-RECURRENCE"
  /// Our extension property of this name.
  fileprivate static func extensionName(_ key: String) -> String { "X-COMMONPLACE-\(key.uppercased())" }

  /// - Parameter moved: the RECURRENCE-ID lines of its moved occurrences.
  init(_ component: ICalendarComponent, moved: [String], zones: ICalendarZones, reader: Zone) {
    func text(_ name: String) -> String? { component[name].map { ICalendarText.unescaped($0.value) } }
    task.title = ProjectText.title(text("SUMMARY") ?? "")
    task.body = text("DESCRIPTION") ?? ""
    // A task needs no summary (3.6.2); then its description supplies the title.
    if task.title.isEmpty { task.title = Self.beginning(of: task.body) }
    // Moved occurrences of a recurring task all have the same UID.
    task.uid = text("UID").map { uid in component["RECURRENCE-ID"].map { uid + "/" + $0.value } ?? uid }
    task.revision = FileRevision(
      component[Self.revision].flatMap { Int64($0.value) }, history: component[Self.epoch]?.value)
    task.written = text(Self.written).flatMap { FileRevision(word: $0) }
    task.state = Self.state(of: component)
    for line in component.lines where line.name == "CATEGORIES" {
      task.card.tags += ICalendarText.list(line.value)
    }
    PlainField.read(into: &task, of: .ics, program: { component[$0]?.value }, ours: { text(Self.extensionName($0)) })
    let origin = ICalendarOrigin(component)
    let details = text(Self.recurrence)
    task.recurrence = (origin?.rule ?? component["RRULE"]?.value).map { Recurrence(rule: $0, details: details) }
    ColumnProperty.read(into: &task) { text(Self.extensionName($0)) }
    task.blockedBy = component.lines.filter(Self.isDependency).map(Self.name)
    let others = component.otherParents
    task.parent = component.lines.lazy.filter(Self.isParent).map(Self.name).first {
      !$0.isEmpty && $0 != task.uid && !others.contains($0)
    }
    task.created = Self.instant(component["CREATED"])
    task.modified = Self.instant(component["LAST-MODIFIED"])
    task.completedAt = Self.instant(component["COMPLETED"])
    readDue(of: component, zones: zones, reader: reader)
    if task.start == nil { task.start = component.startDay(zones: zones, reader: reader, due: task.deadline) }
    if component["RECURRENCE-ID"]?["RANGE"] != nil { task.problems.append(.onlyThisOccurrence) }
    readSeries(of: component, moved: moved, zones: zones, reader: reader)
    // The extension property has those that no alarm can state.
    task.card.reminders = component.reminders(of: task, zones: zones, reader: reader) + task.reminders
    task.settle()
  }

  private static let longestTitle = 200

  private static func beginning(of text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).lazy.map { ProjectText.title(String($0)) }
    return lines.first { !$0.isEmpty }.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(longestTitle))) }
      ?? ""
  }

  /// Sets the deadline of a recurring task to its first occurrence that is not excluded; without a deadline, the start
  /// of its recurrence.
  private mutating func readSeries(
    of component: ICalendarComponent, moved: [String], zones: ICalendarZones, reader: Zone
  ) {
    func first(of component: ICalendarComponent) -> ICalendarSeries.Due? {
      ICalendarSeries(component, moved: moved, zones: zones, reader: reader)?.first
    }
    guard task.recurrence != nil else { return }
    if let origin = ICalendarOrigin(component) {
      // The first day may differ for a user in another zone.
      if origin.hasStart, let first = first(of: origin.component(of: component)) { task.restart(on: first.day) }
      return
    }
    // Another program has changed the series: it counts from the current lines.
    if component[ICalendarOrigin.name] != nil { task.restart(on: nil) }
    guard let first = first(of: component) else { return }
    if task.deadline != nil {
      (task.deadline, task.time) = first
    } else if component["DUE"] == nil, task.recurrence?.isPlain ?? false {
      task.counts(from: nil, start: first.day)
    }
  }

  private mutating func readDue(of component: ICalendarComponent, zones: ICalendarZones, reader: Zone) {
    // Without DUE, a task ends after its DURATION (3.8.2.5), and each occurrence of a series is due when it begins. Our
    // own files state the deadline of a card whose recurrence they describe, if it has one.
    let isSpan = component["DUE"] == nil && component["DURATION"] != nil
    let isSeries = component["RRULE"] != nil && component[Self.recurrence] == nil
    guard let due = component["DUE"] ?? (isSpan || isSeries ? component["DTSTART"] : nil) else { return }
    guard var time = CompactTime(due.value) else { return task.cannotRead("deadline", due.value, .badDate) }
    if isSpan {
      let text = component["DURATION"]?.value ?? ""
      guard let end = ICalendarDuration(text)?.end(of: time) else { return task.cannotRead("deadline", text, .badDate) }
      time = end
    }
    let zone = due["TZID"].flatMap { zones.zone(named: $0) }
    if let name = due["TZID"], zone == nil {
      task.problems.append(TaskProblem(reason: .badZone, field: "deadline", value: name))
    }
    guard let shown = time.shown(in: reader, writtenIn: zone) else {
      return task.cannotRead("deadline", due.value, .badDate)
    }
    task.deadline = shown.day
    task.time = shown.local?.clock
    task.isDueAtMoment = time.isMoment(writtenIn: zone)
  }

  /// CANCELLED counts as done, since nobody has to do the task any more; the status stays in the task's source text.
  private static func state(of component: ICalendarComponent) -> ExternalTask.State {
    switch component["STATUS"]?.value.uppercased() {
    case "NEEDS-ACTION": return .todo
    case "IN-PROCESS": return .doing
    case "COMPLETED", "CANCELLED": return .done
    default:
      let percent = component["PERCENT-COMPLETE"].flatMap { Int($0.value) } ?? 0
      return component["COMPLETED"] != nil || percent >= 100 ? .done : percent > 0 ? .doing : .todo
    }
  }

  private static func instant(_ line: ICalendarLine?) -> Instant? {
    guard let line, case .instant(let instant)? = CompactTime(line.value) else { return nil }
    return instant
  }

  fileprivate static func isDependency(_ line: ICalendarLine) -> Bool {
    line.name == "RELATED-TO" && line["RELTYPE"]?.uppercased() == "DEPENDS-ON"
  }

  /// Without a type it is the parent (3.8.4.5).
  fileprivate static func isParent(_ line: ICalendarLine) -> Bool {
    line.name == "RELATED-TO" && (line["RELTYPE"]?.uppercased() ?? "PARENT") == "PARENT"
  }

  /// The name of the task that a RELATED-TO line refers to.
  fileprivate static func name(of line: ICalendarLine) -> String { ICalendarText.unescaped(line.value) }

  /// The names of tasks that stay parents for other programs after the user has removed the card's parent: a card has
  /// one parent, a VTODO may have several.
  fileprivate static let otherParents = "X-COMMONPLACE-OTHER-PARENTS"
}

extension ICalendarTask {
  /// The source text of a task that was imported from iCalendar, with the changed parts replaced.
  ///
  /// - Throws: `WrongFormat` if the stored source text cannot be parsed.
  static func text(
    of task: ExternalTask, in source: TaskSource, boards: CardBoards, zone: Zone, remindAt: Int
  ) throws(WrongFormat) -> String {
    let lines = try ICalendarLine.lines(of: Array((source.before + source.text).utf8))
    let nodes = try ICalendarComponent.parse(lines)
    guard case .component(var component)? = nodes.last, component.name == "VTODO" else {
      throw WrongFormat(missing: "BEGIN:VTODO")
    }
    var calendar = ICalendarComponent(name: "VCALENDAR")
    calendar.nodes = nodes
    let zones = ICalendarZones(calendar)
    let there = source.zone(for: zone)
    let old = ICalendarTask(component, moved: source.moved ?? [], zones: zones, reader: there).task
    if task.isWritten(as: old) { return component.text }
    let before = component
    // Days and times of a card are in the zone of its import, not in the exporting client's.
    component.put(task, over: old, zones: zones, reader: there, remindAt: remindAt)
    if !task.recurs(as: old) {
      component.putSeries(of: task, before: before, moved: source.moved ?? [], zones: zones, reader: there)
    }
    component.put(ColumnProperty.values(of: task, among: boards))
    if task.uid != old.uid {
      component.setValue("UID", task.uid.map { ICalendarText.escaped($0) })
      // A card of its own is no occurrence of the original series.
      component.set("RECURRENCE-ID", nil)
      component.exclude(source.moved ?? [])
    }
    if task.revision != old.revision {
      component.setValue(revision, task.revision.map { String($0.number) })
      component.setValue(epoch, task.revision?.history)
    }
    if task.written != old.written { component.setText(written, task.written?.word) }
    if let modified = task.modified.map({ CompactTime.instant($0).text }) {
      component.setValue("LAST-MODIFIED", modified)
      component.setValue("DTSTAMP", modified)
    }
    if let sequence = component["SEQUENCE"].flatMap({ Int($0.value) }) {
      component.setValue("SEQUENCE", String(sequence &+ 1))
    }
    return component.text
  }

  /// A component for a task without an iCalendar source.
  static func component(
    of task: ExternalTask, boards: CardBoards, now: Instant, remindAt: Int
  ) -> ICalendarComponent {
    var component = ICalendarComponent(name: "VTODO")
    func put(_ name: String, _ value: String?) {
      if let value { component.nodes.append(.line(ICalendarLine(name, [], value))) }
    }
    put("UID", task.uid.map { ICalendarText.escaped($0) })
    put("DTSTAMP", CompactTime.instant(task.modified ?? now).text)
    put("CREATED", task.created.map { CompactTime.instant($0).text })
    put("LAST-MODIFIED", task.modified.map { CompactTime.instant($0).text })
    put(revision, task.revision.map { String($0.number) })
    put(epoch, task.revision?.history)
    var blank = ExternalTask()
    blank.state = task.state == .todo ? .doing : .todo
    component.put(task, over: blank, zones: ICalendarZones(nil), reader: .utc, remindAt: remindAt)
    component.put(ColumnProperty.values(of: task, among: boards))
    if let moment = moment(of: task) {
      component.set("DUE", ICalendarLine("DUE", [], CompactTime.instant(moment).text))
      component.set("DTSTART", nil)
      component.settleStart(before: component, wasDue: nil, zones: ICalendarZones(nil), reader: .utc)
    }
    let bare = ICalendarComponent(name: component.name)
    component.putSeries(of: task, before: bare, moved: [], zones: ICalendarZones(nil), reader: .utc)
    return component
  }

  /// The deadline as an instant, for a card imported from Taskwarrior with a zone. Other times are local time
  /// everywhere.
  private static func moment(of task: ExternalTask) -> Instant? {
    guard let source = task.source, source.format == .taskwarrior, let zone = source.zone.flatMap({ Zone($0) }),
      let day = task.deadline, let time = task.time
    else { return nil }
    return LocalDateTime(day: day, time: time)?.instant(in: zone)
  }
}

extension ICalendarComponent {
  /// Writes the fields that differ from `old`.
  fileprivate mutating func put(
    _ task: ExternalTask, over old: ExternalTask, zones: ICalendarZones, reader: Zone, remindAt: Int
  ) {
    let before = self
    if !ProjectText.isSame(task.title, old.title) { setText("SUMMARY", task.title) }
    if !ProjectText.isSame(task.body, old.body) { setText("DESCRIPTION", task.body.isEmpty ? nil : task.body) }
    if task.state != old.state { put(task.state, completed: task.completedAt ?? task.modified) }
    // The start alone is the deadline only as long as the task is a series without anything of our own.
    let isUnstated = self["DUE"] == nil && self["DURATION"] == nil && !task.card.recurs(as: old.card)
    if isUnstated || task.deadline != old.deadline || task.time != old.time {
      put(due: task.deadline, time: task.time, zones: zones, reader: reader)
    }
    let (program, ours) = PlainField.properties(of: task, since: old, in: .ics) { self[$0]?.value }
    for (name, value) in program { setValue(name, value) }
    if !ProjectText.areSame(task.tags, old.tags) {
      let value = task.tags.map(ICalendarText.escaped).joined(separator: ",")
      setValue("CATEGORIES", task.tags.isEmpty ? nil : value)
    }
    if task.recurrence?.rule != old.recurrence?.rule { setValue("RRULE", task.recurrence?.rule) }
    if task.recurrenceDetails != old.recurrenceDetails || self[ICalendarTask.recurrence] != nil {
      setText(ICalendarTask.recurrence, task.recurrenceDetails)
    }
    put(blockers: task.blockedBy, over: old.blockedBy)
    if task.parent != old.parent { put(parent: task.parent, over: old.parent) }
    if task.deadline != old.deadline || task.time != old.time || task.recurrence?.rule != old.recurrence?.rule {
      settleStart(before: before, wasDue: old.deadline, zones: zones, reader: reader)
    }
    if task.start != old.start { put(startDay: task.start, zones: zones, reader: reader) }
    let isStated = startDay(zones: zones, reader: reader, due: task.deadline) == task.start
    put(ours.filter { $0.key != "start" || !isStated } + (isStated ? [("start", nil)] : []))
    let rest = putAlarms(of: task, over: old, before: before, zones: zones, reader: reader, remindAt: remindAt)
    var other = ProjectRecord()
    other.reminders = rest
    put(ours.filter { $0.key == "reminders" }.map { ($0.key, PlainField.reminders?.word(in: other)) })
  }

  /// Adds and removes the lines of single blockers. The lines of the others stay as they are, with parameters such as
  /// GAP, and so do lines that name no blocker of a card.
  private mutating func put(blockers: [String], over old: [String]) {
    let removed = Set(old).subtracting(blockers)
    let known = Set(old)
    if !removed.isEmpty {
      replace({ ICalendarTask.isDependency($0) && removed.contains(ICalendarTask.name(of: $0)) }, by: [])
    }
    for blocker in blockers where !known.contains(blocker) {
      let line = ICalendarLine("RELATED-TO", [("RELTYPE", "DEPENDS-ON")], ICalendarText.escaped(blocker))
      // No line is replaced: it goes after all others.
      replace({ _ in false }, by: [line])
    }
  }

  /// Replaces the line of the former parent alone: further parents in the file stay. Those before the line of the new
  /// one are listed in a property of our own, since the first of the others is read as the card's.
  private mutating func put(parent: String?, over old: String?) {
    func isNamed(_ name: String?, _ line: ICalendarLine) -> Bool {
      name.map { ICalendarTask.isParent(line) && sameBytes($0, ICalendarTask.name(of: line)) } ?? false
    }
    let isThere = lines.contains { isNamed(parent, $0) }
    if let parent, !isThere {
      let line = ICalendarLine("RELATED-TO", [("RELTYPE", "PARENT")], ICalendarText.escaped(parent))
      replace({ isNamed(old, $0) }, by: [line])
    } else {
      replace({ isNamed(old, $0) }, by: [])
    }
    let names = lines.filter(ICalendarTask.isParent).map(ICalendarTask.name)
    let others = names.prefix { $0 != parent }.filter { !$0.isEmpty }.map(ICalendarText.escaped)
    setValue(ICalendarTask.otherParents, others.isEmpty ? nil : others.joined(separator: ","))
  }

  fileprivate var otherParents: [String] {
    self[ICalendarTask.otherParents].map { ICalendarText.list($0.value) } ?? []
  }

  fileprivate mutating func put(_ extensions: [(key: String, value: String?)]) {
    for (key, value) in extensions { setText(ICalendarTask.extensionName(key), value) }
  }

  /// Excludes the moved occurrences of the old UID from a series that continues under a new UID.
  fileprivate mutating func exclude(_ moved: [String]) {
    guard self["RRULE"] != nil,
      let lines = try? ICalendarLine.lines(of: Array(moved.joined(separator: "\r\n").utf8))
    else { return }
    let there = Set(self.lines.filter { $0.name == "EXDATE" }.map(\.value))
    for line in lines where !there.contains(line.value) {
      let parameters = line.parameters.filter { $0.name != "RANGE" }.map { ($0.name, $0.value) }
      let place = nodes.lastIndex { if case .line = $0 { true } else { false } }.map { $0 + 1 } ?? 0
      nodes.insert(.line(ICalendarLine("EXDATE", parameters, line.value)), at: place)
    }
  }

  /// Keeps the parameters of the property: its language, and parameters of other programs.
  mutating func setValue(_ name: String, _ value: String?) {
    let parameters = (self[name]?.parameters ?? []).map { ($0.name, $0.value) }
    set(name, value.map { ICalendarLine(name, parameters, $0) })
  }

  fileprivate mutating func setText(_ name: String, _ text: String?) {
    setValue(name, text.map { ICalendarText.escaped($0) })
  }

  private mutating func put(_ state: ExternalTask.State, completed: Instant?) {
    let status: String
    switch state {
    case .todo: status = "NEEDS-ACTION"
    case .doing: status = "IN-PROCESS"
    case .done: status = "COMPLETED"
    }
    setValue("STATUS", status)
    let moment = state == .done ? completed : nil
    setValue("COMPLETED", moment.map { CompactTime.instant($0).text })
    if let percent = self["PERCENT-COMPLETE"].flatMap({ Int($0.value) }) {
      if state == .done { setValue("PERCENT-COMPLETE", "100") }
      if state != .done, percent >= 100 { set("PERCENT-COMPLETE", nil) }
    }
  }

  /// A deadline with a time keeps the zone in which it was written.
  private mutating func put(due day: CalendarDay?, time: String?, zones: ICalendarZones, reader: Zone) {
    let line = self["DUE"] ?? (self["DURATION"] == nil && self["RRULE"] == nil ? nil : self["DTSTART"])
    // Only one of the two may be present (3.6.2).
    set("DURATION", nil)
    guard let day else { return set("DUE", nil) }
    let others = (line?.parameters ?? []).filter { !["VALUE", "TZID"].contains($0.name) }.map { ($0.name, $0.value) }
    guard let time else {
      return set("DUE", ICalendarLine("DUE", [("VALUE", "DATE")] + others, CompactTime.day(day).text))
    }
    let old = line.flatMap { CompactTime($0.value) } ?? .day(day)
    let zone = line?["TZID"].flatMap { zones.zone(named: $0) }
    guard let new = old.moved(to: day, time, in: reader, writtenIn: zone) else { return }
    // Without VALUE it is a date with time; whole days need VALUE.
    let parameters = (line?.parameters ?? []).filter { $0.name != "VALUE" }.map { ($0.name, $0.value) }
    set("DUE", ICalendarLine("DUE", parameters, new.text))
  }
}
