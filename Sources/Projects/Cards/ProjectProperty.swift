import Contract
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// A field of the user's own on a card, such as an estimate; in Taskwarrior a user-defined attribute.
struct ProjectProperty: Payload, Equatable {
  var name: String
  var value: String

  static let example = ProjectProperty(name: "estimate", value: "3h")
  static let fields = ["name": "Its name, in one line; each once.", "value": "Its value, as a text."]
  static let limits: [String: FieldLimits] = [
    "name": .length(1...longestName, notBlank: true), "value": .length(1...longestValue, notBlank: true),
  ]

  static let longestName = 100
  static let longestValue = 10_000
  /// The most properties of a card.
  static let most = 100

  /// Whether a card can have it.
  private var isPossible: Bool {
    !name.isBlank && !value.isBlank && name.unicodeScalars.count <= Self.longestName
      && value.unicodeScalars.count <= Self.longestValue && !value.hasNUL
      && !name.unicodeScalars.contains(where: \.isLineEndOrControl)
  }

  /// - Parameter field: the name of the param that contains them.
  /// - Throws: `invalidParams` for a name with a line end or a control character, and for one that is there twice.
  static func checked(_ properties: [ProjectProperty], field: String) throws(RPCError) -> [ProjectProperty] {
    var names: Set<[UInt8]> = []
    for (index, property) in properties.enumerated() {
      let place = "\(field)[\(index)].name"
      try ProjectText.requireOneLine(.string(property.name), field: place)
      guard names.insert(Array(property.name.utf8)).inserted else {
        throw .invalidParams(field: place, reason: Text("projects.propertyTwice", ["name": property.name]))
      }
    }
    return properties
  }

  /// The condition for cards with a property, ignoring case, width and composition.
  static func condition(_ name: String, _ value: String) -> (sql: String, values: [SQLValue]) {
    func member(_ key: String) -> String { "fold(json_extract(property.value, '$.\(key)')) = ?" }
    return (
      """
      EXISTS (SELECT 1 FROM json_each(project.properties) AS property WHERE \(member("name")) AND \(member("value")))
      """, [.text(foldedText(name)), .text(foldedText(value))]
    )
  }

  /// Those of a file that a card can have.
  static func possible(_ properties: [ProjectProperty]) -> [ProjectProperty] {
    var names: Set<[UInt8]> = []
    let possible = properties.filter { $0.isPossible && names.insert(Array($0.name.utf8)).inserted }
    return Array(possible.prefix(most))
  }
}

extension [ProjectProperty] {
  /// The same properties in any order count as equal: programs sort them.
  func isAlike(_ other: [ProjectProperty]) -> Bool {
    count == other.count
      && allSatisfy { property in
        other.contains { sameBytes($0.name, property.name) && sameBytes($0.value, property.value) }
      }
  }
}
