import Kit
import Wire

/// Fields of other programs for which an item has no place: of each one note for all items, or they would hide what
/// is said of single ones.
package struct LeftOutFields: Sendable {
  private struct Field: Sendable {
    var name: String
    var place: ImportNote.Place
    var title: String
    var count = 1
  }

  private var fields: [Field] = []

  package init() {}

  package mutating func add(_ names: [String], at place: ImportNote.Place, title: String) {
    for name in names {
      if let index = fields.firstIndex(where: { sameBytes($0.name, name) }) {
        fields[index].count += 1
      } else if fields.count < Self.most {
        fields.append(Field(name: name, place: place, title: title))
      }
    }
  }

  /// A file can make up names without end.
  private static let most = 100

  /// At the first item that has the field.
  package var notes: [ImportNote] {
    fields.map { field in
      ImportNote(
        .badValue, at: field.place, title: field.title, field: field.name,
        text: Text("import.leftOut", ["name": field.name, "count": String(field.count)]))
    }
  }
}

extension JSONValue {
  /// The members of this object, of the named ones, that say anything.
  package func saying(_ names: [String]) -> [String] {
    names.filter { name in
      guard let value = self[name], value != .null, value != .bool(false) else { return false }
      return value.stringValue != "" && value.arrayValue?.isEmpty != true && value.objectValue?.isEmpty != true
    }
  }
}
