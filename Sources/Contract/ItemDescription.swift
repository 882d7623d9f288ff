import Wire

/// What a front end needs to show the items of a collection that it has no code for; part of their schema in the
/// reference. All but the name follows from how the items look in replies.
///
///     "x-collection": "projects", "x-item": "card", "x-title": "display.title", "x-get": "projects/get",
///     "x-columns": ["display.title", "state", "deadline", "tags", …]
package struct ItemDescription: Sendable {
  package var collection: String
  /// An item in replies.
  package var shape: Shape
  /// Whether people are notified of changes only if they ask for this collection.
  package var isSilent: Bool

  package init(collection: String, shape: Shape, isSilent: Bool) {
    (self.collection, self.shape, self.isSilent) = (collection, shape, isSilent)
  }

  /// The members of the schema.
  ///
  /// - Parameters:
  ///   - methods: those of the protocol, among which is the one that gets or lists items.
  ///   - words: the catalogue's word of a key, in the client's language.
  func members(_ methods: [MethodDescription], _ words: (String) -> String?) -> JSONObject {
    var members: JSONObject = ["x-collection": .string(collection)]
    members["x-item"] = .string(words("item.\(collection)") ?? collection)
    members["x-title"] = shape.titles.first.map { .string($0.joined(separator: ".")) }
    members["x-columns"] = .array(columns(words).map { .string($0) })
    if let method = methods.first(where: { isGetter($0) }) {
      members["x-get"] = .string(method.name)
    } else if let method = methods.first(where: { isList($0) }) {
      members["x-list"] = .string(method.name)
    }
    if isSilent { members["x-silent"] = true }
    return members
  }

  private func isGetter(_ method: MethodDescription) -> Bool {
    method.name == "\(collection)/get" && !method.effects.contains(.network)
  }

  /// Whether a method lists the items without any param, and asks nobody outside for them.
  private func isList(_ method: MethodDescription) -> Bool {
    guard case .object(let params) = method.params, case .object(let result) = method.result else { return false }
    return !method.effects.contains(.network) && params.fields.allSatisfy { $0.presence != .required }
      && params.exactlyOne.isEmpty && result[field: "items"]?.shape == .array(shape)
  }

  /// The title, then what has a label and fits into a cell, in the order of the members.
  private func columns(_ words: (String) -> String?) -> [String] {
    guard case .object(let object) = shape else { return [] }
    let title = shape.titles.first
    let others = object.fields.filter { field in
      field.isListed && (field.shape.isCell || shape.field(at: ["display", field.name]) != nil)
        && words("field.\(field.label)") != nil
        && !["id", "revision", "title", "createdAt", "updatedAt"].contains { sameBytes($0, field.name) }
        && title != [field.name]
    }
    return (title.map { [$0.joined(separator: ".")] } ?? []) + others.map(\.name)
  }
}

extension Shape {
  /// Where the title of an item may stand, by the paths of members, the best first: strings for people before what the
  /// item itself has, and a text, which begins with a title, last.
  package var titles: [[String]] {
    [["display", "title"], ["title"], ["name"], ["text"]].filter { field(at: $0)?.shape == .string }
  }

  /// The field to which a path of member names leads.
  package func field(at path: [String]) -> ObjectShape.Field? {
    guard case .object(let object) = self, let name = path.first, let field = object[field: name] else { return nil }
    return path.count == 1 ? field : field.shape.field(at: Array(path.dropFirst()))
  }

  /// Whether people read a value in one cell of a table. An id is for calls, unless `display` has a word for it.
  fileprivate var isCell: Bool {
    switch self {
    case .any, .null, .dictionary, .object, .recursion, .text(.id): false
    case .array(let element):
      if case .array = element { false } else { element.isCell && element != .number }
    default: true
    }
  }
}
