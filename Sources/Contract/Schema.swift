import Wire

/// JSON Schema draft 7 of shapes, with one named schema for each object and choice.
struct Schema {
  private(set) var components: JSONObject = [:]
  /// Returns the label for a `label` key; nil if there is none.
  let label: (String) -> String?
  /// Shapes with the name under which each is in the components.
  private var known: [(shape: Shape, isClosed: Bool, name: String)] = []
  /// The enclosing objects, by their names in Swift, for shapes that contain themselves.
  private var outer: [(swift: String, name: String)] = []

  init(label: @escaping (String) -> String?) { self.label = label }

  /// Adds members to the schema of an object, unless another item type of that shape has already added them.
  mutating func describe(_ shape: Shape, _ words: JSONObject) {
    _ = schema(of: shape, isClosed: false)
    guard let name = known.first(where: { $0.shape == shape && !$0.isClosed })?.name,
      var members = components[name]?.objectValue, members["x-collection"] == nil
    else { return }
    for word in words.members { members[word.key] = word.value }
    components[name] = .object(members)
  }

  /// The schema of a shape. Objects in params are closed, as unknown members are refused there; those in results are
  /// open, so that a later level can add to them.
  mutating func schema(of shape: Shape, isClosed: Bool) -> JSONValue {
    switch shape {
    case .any: return [:]
    case .null: return ["type": "null"]
    case .boolean: return ["type": "boolean"]
    case .integer: return ["type": "integer"]
    case .number: return ["type": "number"]
    case .string: return ["type": "string"]
    case .text(let form): return ["type": "string", "pattern": .string(form.pattern)]
    case .array(let element): return ["type": "array", "items": schema(of: element, isClosed: isClosed)]
    case .dictionary(let element):
      return ["type": "object", "additionalProperties": schema(of: element, isClosed: isClosed)]
    case .choice(let name, let words):
      let reference = self.name(of: shape, isClosed: true, preferred: name)
      components[reference] = ["type": "string", "enum": .array(words.map { .string($0) })]
      return Self.reference(reference)
    case .recursion(let name):
      return Self.reference(outer.last { $0.swift == name }?.name ?? name)
    case .object(let object):
      if let known = known.first(where: { $0.shape == shape && $0.isClosed == isClosed }) {
        return Self.reference(known.name)
      }
      let name = self.name(of: shape, isClosed: isClosed, preferred: object.name)
      // Reserved first, so that the components are in order of first reference.
      components[name] = [:]
      outer.append((object.name, name))
      components[name] = self.object(object, isClosed: isClosed)
      outer.removeLast()
      return Self.reference(name)
    }
  }

  /// The schema of one field with its limits.
  mutating func schema(of field: ObjectShape.Field, isClosed: Bool) -> JSONValue {
    let schema = limited(field.shape, field.limits, isClosed: isClosed)
    return field.presence == .patch ? ["anyOf": [schema, ["type": "null"]]] : schema
  }

  private mutating func limited(_ shape: Shape, _ limits: FieldLimits, isClosed: Bool) -> JSONValue {
    var schema = self.schema(of: shape, isClosed: isClosed)
    guard case .object(var object) = schema else { return schema }
    if case .array(let element) = shape {
      object["items"] = limited(element, limits.ofElements, isClosed: isClosed)
      schema = .object(object)
    }
    let words = limits.keywords(for: shape)
    if words.isEmpty { return schema }
    for member in words.members { object[member.key] = member.value }
    // Draft 7 ignores all members beside a `$ref`.
    return object["$ref"] == nil ? .object(object) : ["allOf": [schema, .object(words)]]
  }

  static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

  private mutating func object(_ object: ObjectShape, isClosed: Bool) -> JSONValue {
    var properties: JSONObject = [:]
    for field in object.fields {
      let schema = schema(of: field, isClosed: isClosed)
      var members = schema.objectValue.flatMap { $0["$ref"] == nil ? $0 : nil } ?? ["allOf": [schema]]
      // Labels of params are those of the members that they set.
      if !isClosed { members["title"] = label(field.label).map { .string($0) } }
      if !field.note.isEmpty { members["description"] = .string(field.note) }
      let isOnlyReference = members.count == 1 && members["allOf"] != nil
      properties[field.name] = isOnlyReference ? schema : .object(members)
    }
    var members: JSONObject = ["type": "object", "properties": .object(properties)]
    let required = object.fields.filter { $0.presence == .required }
    if !required.isEmpty { members["required"] = .array(required.map { .string($0.name) }) }
    if isClosed { members["additionalProperties"] = false }
    let alternatives = Self.alternatives(object)
    if !alternatives.isEmpty { members["allOf"] = .array(alternatives) }
    return .object(members)
  }

  /// `exactlyOne` and `atMostOne` as draft 7 can express them.
  static func alternatives(_ object: ObjectShape) -> [JSONValue] {
    func needs(_ names: [String]) -> JSONValue { ["required": .array(names.map { .string($0) })] }
    let one = object.exactlyOne.map { group -> JSONValue in ["oneOf": .array(group.map { needs([$0]) })] }
    let most = object.atMostOne.flatMap { group in
      group.indices.flatMap { left in
        group[(left + 1)...].map { right -> JSONValue in ["not": needs([group[left], right])] }
      }
    }
    return one + most
  }

  /// An unused name for a shape: its own, with a number if another shape has that name.
  private mutating func name(of shape: Shape, isClosed: Bool, preferred: String) -> String {
    if let known = known.first(where: { $0.shape == shape && $0.isClosed == isClosed }) { return known.name }
    var name = preferred
    var number = 1
    while known.contains(where: { $0.name == name }) {
      number += 1
      name = "\(preferred)_\(number)"
    }
    known.append((shape, isClosed, name))
    return name
  }
}

extension FieldLimits {
  fileprivate func keywords(for shape: Shape) -> JSONObject {
    var words: JSONObject = [:]
    if case .array = shape {
      if let minimumLength { words["minItems"] = .integer(Int64(minimumLength)) }
      if let maximumLength { words["maxItems"] = .integer(Int64(maximumLength)) }
      return words
    }
    if let minimum { words["minimum"] = .number(minimum) }
    if let maximum { words["maximum"] = .number(maximum) }
    let (least, most) =
      if case .dictionary = shape { ("minProperties", "maxProperties") } else { ("minLength", "maxLength") }
    if let minimumLength { words[least] = .integer(Int64(minimumLength)) }
    if let maximumLength { words[most] = .integer(Int64(maximumLength)) }
    if let form { words["pattern"] = .string(form.pattern) } else if notBlank { words["pattern"] = #"\S"# }
    return words
  }
}
