import Contract
import Store
import Wire

/// The user's own fields of a card in Taskwarrior: its user-defined attributes (UDAs).
///
///     "estimate": "PT2H", "points": 3        estimate = PT2H, points = 3
///
/// A field whose name is none of an attribute is in an attribute of ours.
enum TaskwarriorProperties {
  /// Attributes with a meaning to Taskwarrior.
  private static let known = Set(
    [
      "annotations", "depends", "description", "due", "end", "entry", "id", "imask", "last", "mask", "modified",
      "parent", "project", "recur", "rtype", "scheduled", "start", "status", "tags", "template", "until", "urgency",
      "uuid", "wait",
    ] + PlainField.all.compactMap { $0.programProperty(in: .taskwarrior)?.name })
  private static let ours = "commonplaceproperties"

  /// Attributes of ours begin with this, but for the rule of a recurrence.
  private static let prefix = "commonplace"
  private static let rule = "rrule"

  private static func isAttribute(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return !known.contains(name) && name != rule && !name.hasPrefix(prefix)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
      }
  }

  static func read(_ object: JSONObject) -> [ProjectProperty] {
    let attributes = object.members.compactMap { member -> ProjectProperty? in
      guard isAttribute(member.key) else { return nil }
      switch member.value {
      case .string(let text): return ProjectProperty(name: member.key, value: text)
      case .integer, .number: return ProjectProperty(name: member.key, value: "\(member.value)")
      default: return nil
      }
    }
    let others = (object[ours]?.stringValue).flatMap { try? JSONParser.parse($0) }?.arrayValue ?? []
    return attributes
      + others.compactMap { other in
        guard let name = other["name"]?.stringValue, let value = other["value"]?.stringValue, !isAttribute(name) else {
          return nil
        }
        return ProjectProperty(name: name, value: value)
      }
  }

  /// Writes the properties that have changed. A number stays one, if it still is.
  static func put(_ properties: [ProjectProperty], over old: [ProjectProperty], into object: inout JSONObject) {
    for property in old where isAttribute(property.name) {
      if !properties.contains(where: { sameBytes($0.name, property.name) }) { object[property.name] = nil }
    }
    for property in properties where isAttribute(property.name) {
      if old.contains(where: { sameBytes($0.name, property.name) && sameBytes($0.value, property.value) }) { continue }
      let number = try? JSONParser.parse(property.value)
      let isNumber = object[property.name]?.doubleValue != nil && number?.doubleValue != nil
      object[property.name] = isNumber ? number : .string(property.value)
    }
    let others = properties.filter { !isAttribute($0.name) }.map { property -> JSONValue in
      ["name": .string(property.name), "value": .string(property.value)]
    }
    object[ours] = others.isEmpty ? nil : .string("\(JSONValue.array(others))")
  }

  /// Gives cards that were imported by earlier versions the attributes of their source texts. Without them an export
  /// would take the attributes for removed ones.
  static let migration = """
    ALTER TABLE project ADD COLUMN properties TEXT NOT NULL DEFAULT '[]';
    UPDATE project SET properties = (
      SELECT json_group_array(json_object('name', key, 'value', CAST(atom AS TEXT))) FROM (
        SELECT key, atom FROM json_each(json_extract(project."foreign", '$.source.text'))
        WHERE type IN ('text', 'integer', 'real') AND length(key) <= \(ProjectProperty.longestName)
          AND length(atom) BETWEEN 1 AND \(ProjectProperty.longestValue)
          AND trim(atom, char(9, 10, 11, 12, 13, 32, 133, 160, 12288)) <> ''
          AND key GLOB '[A-Za-z_]*' AND NOT key GLOB '*[^A-Za-z0-9_.]*' AND NOT key GLOB '\(prefix)*'
          AND key NOT IN (\((known.sorted() + [rule]).map { "'\($0)'" }.joined(separator: ", ")))
        LIMIT \(ProjectProperty.most)))
    WHERE json_extract("foreign", '$.source.format') = 'taskwarrior'
      AND json_valid(json_extract("foreign", '$.source.text'));
    """
}
