import Wire

/// How a field is joined, shown and listed.
package enum SyncedField: Equatable, Sendable {
  /// The newest value; differing heads are a conflict. Columns that belong together are one object.
  case latest
  /// As `latest`, without a conflict. A write of it does not bring a removed item back: positions and ranks.
  case quiet
  /// The greatest number among the heads.
  case maximum
  /// Merged by lines and words.
  case text
  /// The union of elements, each with its own heads: an added element wins over its removal.
  case set
  /// As `latest`, an id of this collection.
  case reference(ByteKey)
  /// As `set`, ids of this collection.
  case references(ByteKey)

  /// Whether a head keeps its item alive.
  var isContent: Bool { self != .quiet }

  /// Whether the field has the value of no head.
  func isEmpty(_ value: JSONValue) -> Bool {
    switch value {
    case .null: true
    case .string(let text): self == .text && text.isEmpty
    case .array(let elements): elements.isEmpty
    default: false
    }
  }
}

/// The synced fields of a collection.
package struct SyncedCollection: Sendable {
  package var fields: [ByteKey: SyncedField]
  /// The reference to an item without which this one cannot exist: one that is alive keeps that one alive.
  package var holder: ByteKey?
  /// Holders that exist in every library.
  package var permanentHolders: Set<ByteKey> = []
  /// References that must not form a circle.
  package var acyclic: [ByteKey]
  /// A field whose equal values make two items the same one.
  package var identity: ByteKey?
  /// The members of that field that decide, if it has several.
  package var identityMembers: [String] = []
  /// The values of fields that no head has, where the library cannot store that there is none: an entry is not starred.
  package var unset: SyncedRow = [:]
  /// Whether this version can show a value: values of newer versions are stored, but not shown.
  package var isKnown: @Sendable (_ field: ByteKey, JSONValue) -> Bool = { _, _ in true }

  package init(
    _ fields: [ByteKey: SyncedField], holder: ByteKey? = nil, acyclic: [ByteKey] = [], identity: ByteKey? = nil
  ) {
    (self.fields, self.holder, self.acyclic, self.identity) = (fields, holder, acyclic, identity)
  }
}

extension SyncedCollection {
  /// What makes an item the same as others; nil if nothing does.
  func identity(of row: SyncedRow) -> JSONValue? {
    guard let identity, let value = row[identity] else { return nil }
    if identityMembers.isEmpty { return value.canonical }
    return .array(identityMembers.map { value[$0] ?? .null })
  }
}

/// The collections and fields that this version of the library syncs.
package struct SyncSchema: Sendable {
  package var version: Int64
  package var collections: [ByteKey: SyncedCollection]

  package init(version: Int64, _ collections: [ByteKey: SyncedCollection]) {
    (self.version, self.collections) = (version, collections)
  }
}

/// The values of an item as the library's row has them: texts are strings, sets lists of strings.
package typealias SyncedRow = [ByteKey: JSONValue]
