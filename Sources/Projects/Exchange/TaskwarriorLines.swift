import Contract
import Display
import Exchange
import Kit
import Wire

/// Writes the tasks of a Taskwarrior file, with the templates of recurring tasks.
///
/// Taskwarrior makes the next task of a template if the template's `mask` has no character for its number yet. So a
/// card that has recurred here is exported as the template's next task, and the mask includes its number: otherwise
/// there would be two.
struct TaskwarriorLines {
  private var texts: [String] = []
  /// The index of each template in `texts`.
  private var templates: [String: Int] = [:]
  /// The tasks that have a template, with their indices in `texts`.
  private var children: [(place: Int, object: JSONObject, zone: Zone)] = []

  mutating func add(templates text: String) {
    for element in (try? JSONElements(Array("[\(text)]".utf8)))?.elements ?? [] {
      guard case .object(let object)? = element.value, let uuid = object["uuid"]?.stringValue, templates[uuid] == nil
      else { continue }
      templates[uuid] = texts.count
      texts.append(String(decoding: element.bytes, as: UTF8.self))
    }
  }

  /// `zone` is the zone in which its instants are days.
  mutating func add(_ text: String, zone: Zone) {
    // Only a task with a parent has to be parsed.
    if text.contains("\"parent\""), case .object(let object)? = try? JSONParser.parse(text), object["parent"] != nil {
      children.append((texts.count, object, zone))
    }
    texts.append(text)
  }

  /// `[`, one object per line, `]`.
  consuming func file() -> String {
    for (uuid, place) in templates { settle(uuid, at: place) }
    return "[\n" + texts.joined(separator: ",\n") + (texts.isEmpty ? "]\n" : "\n]\n")
  }

  private mutating func settle(_ uuid: String, at place: Int) {
    guard case .object(var template)? = try? JSONParser.parse(texts[place]) else { return }
    var mask = Array(template["mask"]?.stringValue ?? "")
    let before = mask
    let family = children.filter { $0.object["parent"]?.stringValue == uuid }
    // Tasks that Taskwarrior made keep their numbers, whatever precedes them.
    var taken = Set(family.filter { !$0.object.isOurs }.compactMap { TaskwarriorFamilies.number(of: $0.object) })
    for child in family {
      var object = child.object
      var number = TaskwarriorFamilies.number(of: object) ?? mask.count
      if object.isOurs, !taken.insert(number).inserted {
        number = Self.number(of: object, from: template, zone: child.zone) ?? mask.count
        while !taken.insert(number).inserted { number += 1 }
        object["imask"] = .integer(Int64(number))
        texts[child.place] = "\(JSONValue.object(object))"
      }
      while mask.count <= number { mask.append("-") }
      if object["status"]?.stringValue == "completed" { mask[number] = "+" }
    }
    guard mask != before else { return }
    template["mask"] = .string(String(mask))
    texts[place] = "\(JSONValue.object(template))"
  }

  /// The number, counted from the template's deadline; nil if the template has no such day.
  private static func number(of object: JSONObject, from template: JSONObject, zone: Zone) -> Int? {
    func day(_ object: JSONObject) -> CalendarDay? {
      object["due"]?.stringValue.flatMap(CompactTime.init)?.shown(in: zone, writtenIn: nil)?.day
    }
    guard let start = day(template), let due = day(object), let text = TaskwarriorFamilies.rule(of: template),
      let rule = try? RecurrenceRule(text)
    else { return nil }
    var at: CalendarDay? = start
    for number in 0..<10_000 {
      guard let here = at, here <= due else { return nil }
      if here == due { return number }
      at = rule.day(after: here, from: start)
    }
    return nil
  }
}

extension JSONObject {
  /// Whether it is a card that Taskwarrior has not made.
  fileprivate var isOurs: Bool { self[TaskwarriorFormat.revision] != nil }
}
