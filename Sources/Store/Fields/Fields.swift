import Contract
import SQLite
import SearchEngine
import Wire

/// The fields of an item, in the order of its columns.
public struct Fields<Root: Sendable>: Sendable {
  package let all: [Field<Root>]
  /// Combined closures of all fields, chained one to the next: iterating over an array of generic values asks the
  /// runtime for their type at each step.
  let read: @Sendable (_ row: Columns, _ item: inout Root) throws -> Void
  let append: @Sendable (_ item: Root, _ values: inout [SQLValue]) throws -> Void
  /// Calls back with the text of each searched field that has one (`Field.searched`), and whether it is JSON. Each write
  /// of an item reads them.
  package typealias EachText =
    @Sendable (
      _ item: Root, _ found: (_ part: SearchPart, _ text: String, _ isJSON: Bool) throws -> Void
    ) throws -> Void
  package let eachText: EachText
  /// The fields that are followed (`isFollowed`), computed once, since an import reads them for each item.
  package let followed: [Field<Root>]
  /// The declarations of the fields, by column name.
  let columns: ColumnTraits

  public init(@FieldsBuilder<Root> _ fields: () -> [Field<Root>]) {
    let all = fields()
    self.all = all
    var read: @Sendable (_ row: Columns, _ item: inout Root) throws -> Void = { _, _ in }
    var append: @Sendable (_ item: Root, _ values: inout [SQLValue]) throws -> Void = { _, _ in }
    var eachText: EachText = { _, _ in }
    for (place, field) in all.enumerated().reversed() {
      let column = Schema.commonColumns.count + place
      let (name, readColumn, readNext) = (field.name, field.read, read)
      read = { row, item in
        do { try readColumn(row.value(column), &item) } catch { throw StoreError(reading: error, of: name) }
        try readNext(row, &item)
      }
      let (value, appendNext) = (field.value, append)
      append = { item, values in
        values.append(try value(item))
        try appendNext(item, &values)
      }
      guard let part = field.searchPart else { continue }
      let (isJSON, nextText) = (field.traits.contains(.isJSON), eachText)
      eachText = { item, found in
        if case .text(let text) = try value(item), !text.isEmpty { try found(part, text, isJSON) }
        try nextText(item, found)
      }
    }
    (self.read, self.append, self.eachText) = (read, append, eachText)
    followed = all.filter { $0.traits.contains(.isFollowed) }
    columns = ColumnTraits(all)
  }

  /// Refuses an item that no write of ours would store: numbers outside the limits of their fields, and JSON that its
  /// field does not accept. For values from files, which skip the checks of params.
  ///
  /// - Throws: `StoreError.broken` with the column's name, or `RPCError.invalidParams` with the field's.
  package func check(_ item: Root) throws {
    for field in all {
      _ = try field.value(item)
      do { try field.check(item) } catch { throw StoreError(reading: error, of: field.name) }
    }
  }

  /// The column names of the fields that have all of `traits`.
  package func names(of traits: Field<Root>.Traits) -> [String] {
    all.filter { $0.traits.isSuperset(of: traits) }.map(\.name)
  }

  /// A field with its companions and followers.
  func group(of field: Field<Root>) -> [Field<Root>] {
    [field] + (field.companions + field.followers).compactMap { self[$0] }
  }

  /// Whether two items have equivalent values in a field and its companions.
  ///
  /// - Throws: the error of a value that cannot be encoded as JSON.
  package func isAlike(_ field: Field<Root>, _ one: Root, _ other: Root) throws -> Bool {
    if let likeness = field.likeness { return try likeness(one, other) }
    return try field.isSame(one, other) && field.companions.allSatisfy { try self[$0]?.isSame(one, other) ?? true }
  }

  /// Copies a field, its companions and its followers from one item to another.
  package func copy(_ field: Field<Root>, of item: Root, to other: inout Root) {
    // Not through `group(of:)`, which costs more than all of this: most fields have no companions.
    field.copy(item, &other)
    for name in field.companions { self[name]?.copy(item, &other) }
    for name in field.followers { self[name]?.copy(item, &other) }
  }

  package subscript(name: String) -> Field<Root>? { all.first { sameBytes($0.name, name) } }

  /// The field with this wire name.
  package func member(_ name: String) -> Field<Root>? { all.first { sameBytes($0.wireName, name) } }

  /// The limits of these members, for params that contain them beside others.
  package func limits(_ members: String...) -> [String: FieldLimits] {
    members.reduce(into: [:]) { limits, name in
      limits[name] = member(name).map { $0.input?.limits ?? $0.limits }
    }
  }
}

@resultBuilder
package enum FieldsBuilder<Root: Sendable> {
  public static func buildExpression(_ field: Field<Root>) -> [Field<Root>] { [field] }
  public static func buildExpression(_ fields: [Field<Root>]) -> [Field<Root>] { fields }
  public static func buildBlock(_ fields: [Field<Root>]...) -> [Field<Root>] { fields.flatMap(\.self) }
}

extension Fields {
  /// The fields of a part, as fields of the whole that contains it in a property.
  package func of<Whole: Sendable>(_ path: any WritableKeyPath<Whole, Root> & Sendable) -> [Field<Whole>] {
    all.map { $0.of(path) }
  }
}
