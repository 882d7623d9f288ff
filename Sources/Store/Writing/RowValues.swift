import SQLite
import Wire

/// Column values of a row, complete or partial, and their form in the change log.
struct RowValues {
  /// No column occurs twice.
  private var columns: [(name: String, value: SQLValue)]

  init(_ columns: [(name: String, value: SQLValue)]) {
    self.columns = columns
  }

  init(_ values: [String: SQLValue]) {
    columns = values.map { ($0.key, $0.value) }
  }

  subscript(name: String) -> SQLValue? {
    get { columns.first { $0.name == name }?.value }
    set {
      columns.removeAll { $0.name == name }
      if let newValue { columns.append((name, newValue)) }
    }
  }

  /// Adds the columns that only `other` has.
  func adding(_ other: RowValues) -> RowValues {
    RowValues(columns + other.columns.filter { self[$0.name] == nil })
  }

  /// Size of the values in bytes.
  var size: Int { columns.reduce(0) { $0 + $1.value.size } }

  var revision: Int64 {
    if case .integer(let revision) = self["revision"] { revision } else { 0 }
  }

  func text(_ column: String) -> String? {
    if case .text(let text) = self[column] { text } else { nil }
  }

  /// A JSON object with the columns in alphabetical order.
  var json: String {
    var json = JSONWriter()
    var separator = UInt8(ascii: "{")
    for (name, value) in columns.sorted(by: { $0.name < $1.name }) {
      json.write(byte: separator)
      json.write(string: name)
      json.write(byte: UInt8(ascii: ":"))
      json.write(value.json)
      separator = UInt8(ascii: ",")
    }
    json.write(literal: columns.isEmpty ? "{}" : "}")
    return String(decoding: json.bytes, as: UTF8.self)
  }

  init(json: JSONObject) {
    self.init(
      Dictionary(json.members.map { ($0.key, SQLValue(json: $0.value)) }, uniquingKeysWith: { _, last in last }))
  }
}

extension SQLValue {
  var json: JSONValue {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let double): .number(double)
    case .text(let text): .string(text)
    }
  }

  init(json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let bool): self = .bool(bool)
    case .integer(let integer): self = .integer(integer)
    case .number(let double): self = .real(double)
    case .string(let string): self = .text(string)
    case .array, .object: self = .text(String(describing: json))
    }
  }
}
