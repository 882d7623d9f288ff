import Wire

/// The data that a front end needs to show the items of a collection for which it has no code; part of their schema in
/// the reference. Everything except the name is derived from the items' shape in replies.
///
///     "x-collection": "projects", "x-item": "card", "x-title": "display.title", "x-get": "projects/get",
///     "x-columns": ["display.title", "state", "deadline", "tags", …]
package struct ItemDescription: Sendable {
  package var collection: String
  /// The shape of an item in replies.
  package var shape: Shape
  /// Whether clients are notified of changes only if they subscribe to this collection.
  package var isSilent: Bool

  package init(collection: String, shape: Shape, isSilent: Bool) {
    (self.collection, self.shape, self.isSilent) = (collection, shape, isSilent)
  }

  /// The members for the schema.
  ///
  /// - Parameters:
  ///   - methods: all methods, among them the one that gets or lists items.
  ///   - words: returns the catalogue's text for a key, in the client's language.
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
    let files = shape.membersNamingFiles.sorted()
    if !files.isEmpty { members["x-files"] = .array(files.map { .string($0) }) }
    return members
  }

  private func isGetter(_ method: MethodDescription) -> Bool {
    method.name == "\(collection)/get" && !method.effects.contains(.network)
  }

  /// Whether a method lists the items without any params and without network access.
  private func isList(_ method: MethodDescription) -> Bool {
    guard case .object(let params) = method.params, case .object(let result) = method.result else { return false }
    return !method.effects.contains(.network) && params.fields.allSatisfy { $0.presence != .required }
      && params.exactlyOne.isEmpty && result[field: "items"]?.shape == .array(shape)
  }

  /// The title, then members with a label and a value that fits into a cell, in order.
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
  /// The paths of members that may contain the title of an item, best first: display strings before the item's own
  /// members, and a text, which begins with a title, last.
  package var titles: [[String]] {
    [["display", "title"], ["title"], ["name"], ["text"]].filter { field(at: $0)?.shape == .string }
  }

  /// The field at a path of member names.
  package func field(at path: [String]) -> ObjectShape.Field? {
    guard case .object(let object) = self, let name = path.first, let field = object[field: name] else { return nil }
    return path.count == 1 ? field : field.shape.field(at: Array(path.dropFirst()))
  }

  /// Whether a value is readable in one cell of a table. An id is not, unless `display` has a text for it.
  fileprivate var isCell: Bool {
    switch self {
    case .any, .null, .dictionary, .object, .recursion, .text(.id): false
    case .array(let element):
      if case .array = element { false } else { element.isCell && element != .number }
    default: true
    }
  }
}
