import Contract
import Display
import Exchange
import Kit
import Wire

/// The tasks of a Taskwarrior file on their way out, with the templates that recurring ones are made from.
///
/// Taskwarrior makes the next task of a template when the template's `mask` has no character for its number yet. So a
/// card that came again here goes out as the template's next task, and its number into the mask: or there would be two.
struct TaskwarriorLines {
  private var texts: [String] = []
  /// Where each template stands in `texts`.
  private var templates: [String: Int] = [:]
  /// The tasks that have a template, and where they stand.
  private var children: [(place: Int, object: JSONObject, zone: Zone)] = []

  mutating func add(templates text: String) {
    for element in (try? JSONElements(Array("[\(text)]".utf8)))?.elements ?? [] {
      guard case .object(let object)? = element.value, let uuid = object["uuid"]?.stringValue, templates[uuid] == nil
      else { continue }
      templates[uuid] = texts.count
      texts.append(String(decoding: element.bytes, as: UTF8.self))
    }
  }

  /// `zone` is the one in which its moments are days.
  mutating func add(_ text: String, zone: Zone) {
    // Only a task with a parent needs a second look.
    if text.contains("\"parent\""), case .object(let object)? = try? JSONParser.parse(text), object["parent"] != nil {
      children.append((texts.count, object, zone))
    }
    texts.append(text)
  }

  /// `[`, an object a line, `]`.
  consuming func file() -> String {
    for (uuid, place) in templates { settle(uuid, at: place) }
    return "[\n" + texts.joined(separator: ",\n") + (texts.isEmpty ? "]\n" : "\n]\n")
  }

  private mutating func settle(_ uuid: String, at place: Int) {
    guard case .object(var template)? = try? JSONParser.parse(texts[place]) else { return }
    var mask = Array(template["mask"]?.stringValue ?? "")
    let before = mask
    let family = children.filter { $0.object["parent"]?.stringValue == uuid }
    // Those that Taskwarrior made keep their numbers, whatever stands before them.
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

  /// Counted from the template's own day; nil where the day is none of its.
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
