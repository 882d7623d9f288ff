import Wire

/// The encoding of a value, as far as it follows from types.
public indirect enum Shape: Sendable, Equatable {
  /// Any JSON, interpreted by the caller.
  case any
  case null
  case boolean
  case integer
  case number
  case string
  /// A text of a named format: an id, a day, an instant.
  case text(TextForm)
  /// One of some words.
  case choice(String, [String])
  case array(Shape)
  case dictionary(Shape)
  case object(ObjectShape)
  /// The enclosing object of this name.
  case recursion(String)
}

/// An object with known fields.
public struct ObjectShape: Sendable, Equatable {
  /// The payload's name in Swift without its module, `MoveProject.Params`.
  package var name: String
  package var fields: [Field]
  package var exactlyOne: [[String]] = []
  package var atMostOne: [[String]] = []
  /// Whether the type is a `Payload`, with notes; other types only have synthesized fields.
  package var isDescribed = false
  /// Whether `recursion` with this name is somewhere in it.
  package var containsItself = false
  /// The names in the payload's notes, limits and secrets; a test compares them with the fields.
  package var declaredNames: Set<String> = []

  package init(name: String, fields: [Field]) {
    (self.name, self.fields) = (name, fields)
  }

  /// An object whose members are declared one by one, each with its note.
  package static func described(_ name: String, _ fields: [Field]) -> ObjectShape {
    var shape = ObjectShape(name: name, fields: fields)
    shape.isDescribed = true
    shape.declaredNames = Set(fields.map(\.name))
    return shape
  }

  /// Whether the member is required, alone or as one of a group such as `id` and `ids`.
  package func needs(_ name: String) -> Bool {
    self[field: name]?.presence == .required || exactlyOne.contains { $0.contains { sameBytes($0, name) } }
  }

  /// One member.
  package struct Field: Sendable, Equatable {
    package var name: String
    package var shape: Shape
    package var presence: Presence
    package var note: String
    package var limits = FieldLimits()
    package var isSecret = false
    /// The effects that the field adds to those of its method; see `Method.paramEffects`.
    package var effects: Effects = []
    /// The catalogue name of the label, if it differs from `name`; see `label`.
    package var term: String?
    /// Whether items in lists have it.
    package var isListed = true

    /// The catalogue name of the label.
    package var label: String { term ?? name }

    package init(
      name: String, shape: Shape, presence: Presence, note: String, limits: FieldLimits = FieldLimits()
    ) {
      (self.name, self.shape, self.presence, self.note, self.limits) = (name, shape, presence, note, limits)
    }
  }

  /// Whether a member must be present.
  package enum Presence: String, Sendable {
    case required
    /// May be absent; `null` is read as absent.
    case optional
    /// May be absent, which leaves the field unchanged, or null, which clears it.
    case patch
  }

  /// The shape of the items if this is a `Page`, which the reference describes only once.
  package var pageItem: Shape? {
    guard fields.map(\.name) == ["items", "offset", "limit", "total", "totalIsEstimate", "hasMore", "next"],
      case .array(let item) = fields[0].shape
    else { return nil }
    return item
  }

  package subscript(field name: String) -> Field? { fields.first { sameBytes($0.name, name) } }

  func hasField(named name: String) -> Bool { fields.contains { sameBytes($0.name, name) } }
}

extension Shape {
  /// Whether it contains a recursion to the object of this name.
  func contains(recursion wanted: String) -> Bool {
    switch self {
    case .recursion(let name): name == wanted
    case .array(let element), .dictionary(let element): element.contains(recursion: wanted)
    case .object(let object): object.fields.contains { $0.shape.contains(recursion: wanted) }
    default: false
    }
  }
}

/// A type that is one JSON value and declares its shape, so that the probe need not run its `init(from:)`.
package protocol ShapedValue: Codable {
  static var shape: Shape { get }
  /// Any value, with which the probe continues.
  static var sample: Self { get }
}

extension JSONValue: ShapedValue {
  package static var shape: Shape { .any }
  package static var sample: JSONValue { .null }
}

extension JSONObject: ShapedValue {
  package static var shape: Shape { .dictionary(.any) }
  package static var sample: JSONObject { [:] }
}
