import Kit
import Wire

/// Fields of other programs that no field here corresponds to. There is one note per field for all items, so that notes
/// on single items stay visible.
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

  /// A file may have any number of names.
  private static let most = 100

  /// One note per field, at the first item that has it.
  package var notes: [ImportNote] {
    fields.map { field in
      ImportNote(
        .badValue, at: field.place, title: field.title, field: field.name,
        text: Text("import.leftOut", ["name": field.name, "count": String(field.count)]))
    }
  }
}

extension JSONValue {
  /// The given names whose members in this object have a non-empty value.
  package func saying(_ names: [String]) -> [String] {
    names.filter { name in
      guard let value = self[name], value != .null, value != .bool(false) else { return false }
      return value.stringValue != "" && value.arrayValue?.isEmpty != true && value.objectValue?.isEmpty != true
    }
  }
}
