import SQLite
import SearchEngine
import Wire

/// Writes of rows by column, as undo and history need them.
extension Transaction {
  /// `values` has the order of the layout's columns.
  func insertRow(
    _ values: [SQLValue], by layout: RowLayout, into collection: Schema.Entry, id: String, found: [SearchEntry]? = nil
  ) throws {
    try deriving(from: 1) { try db.run(layout.insert) { places in for value in values { places.add(value) } } }
    writtenBytes += values.reduce(0) { $0 + $1.size }
    try deriving(from: 0) {
      for rows in collection.following(in: layout) { try rows.add({ values[$0] }, in: db) }
      try collection.links?.rowInserted(
        id, as: { layout.columns.firstIndex(of: $0).map { values[$0] } ?? .null }, in: db)
    }
    var change = ChangeNote(
      key: ItemKey(collection: collection.name, id: id), kind: .added, revision: clock, fields: [])
    change.found = found
    note(change)
  }

  /// The same by column name. A row of an earlier version lacks the columns of later ones, which get their defaults.
  func insertRow(_ values: RowValues, into collection: Schema.Entry, id: String) throws {
    let row = try collection.columns.map { column in
      try values[column] ?? collection.defaults(in: db)[column] ?? .null
    }
    try insertRow(row, by: collection.layout, into: collection, id: id)
  }

  /// Writes the columns that differ from the stored row, byte for byte; missing columns stay unchanged. False if none
  /// differ.
  func updateRow(_ values: RowValues, in collection: Schema.Entry, id: String) throws -> Bool {
    guard let old = try row(of: collection, id: id) else { throw RPCError.notFound(collection.name, id: id) }
    return try updateRow(values, of: old, in: collection, id: id)
  }

  /// The same for a row that this write has just read.
  func updateRow(_ values: RowValues, of old: RowValues, in collection: Schema.Entry, id: String) throws -> Bool {
    let columns = collection.columns
    func new(_ place: Int) -> SQLValue? { values[columns[place]] }
    func stored(_ place: Int) -> SQLValue { old[columns[place]] ?? .null }
    let places = columns.indices.filter { place in
      guard let new = new(place), collection.contentColumns.contains(columns[place]) else { return false }
      return !stored(place).isSame(as: new)
    }
    return try updateRow(
      at: places, from: stored, to: { new($0) ?? .null }, by: collection.layout, in: collection, id: id)
  }

  /// Writes the columns at these indexes. False if there are none.
  func updateRow(
    at places: [Int], from old: (Int) -> SQLValue, to new: (Int) -> SQLValue, by layout: RowLayout,
    in collection: Schema.Entry, id: String
  ) throws -> Bool {
    guard !places.isEmpty else { return false }
    let update = layout.update(places)
    try deriving(from: 1) {
      try db.run(update.statement) {
        for place in update.places { $0.add(places.contains(place) ? new(place) : old(place)) }
        $0.add(clock)
        $0.add(now.milliseconds)
        $0.add(id)
      }
    }
    try deriving(from: 0) {
      for rows in collection.following(in: layout) { try rows.change(places, from: old, to: new, in: db) }
    }
    let columns = places.map { layout.columns[$0] }
    writtenBytes += places.reduce(0) { $0 + old($1).size + new($1).size }
    note(
      ChangeNote(
        key: ItemKey(collection: collection.name, id: id), kind: .updated, revision: clock,
        // A column that is not a field: without field names clients fetch the item.
        fields: columns.filter { $0 != FormerTitles.column },
        before: RowValues(places.map { (layout.columns[$0], old($0)) })))
    try keepLinks(of: id, at: places, from: old, to: new, by: layout, in: collection)
    return true
  }

  private func keepLinks(
    of id: String, at places: [Int], from old: (Int) -> SQLValue, to new: (Int) -> SQLValue, by layout: RowLayout,
    in collection: Schema.Entry
  ) throws {
    guard let links = collection.links else { return }
    let columns = places.map { layout.columns[$0] }
    func place(_ column: String) -> Int { places[columns.firstIndex(of: column)!] }
    let former = try deriving(from: 0) {
      try links.changed(id, columns, from: { old(place($0)) }, to: { new(place($0)) }, in: db)
    }
    guard let former else { return }
    _ = try updateRow(RowValues([(FormerTitles.column, .text(former.stored))]), in: collection, id: id)
  }

  /// Adds names by which `[[name]]` finds an item while no item has it as its title, such as those by which the links
  /// of an imported folder name it. They are stored as its former titles.
  ///
  /// - Throws: `DatabaseError`.
  package func addNames(_ names: [String], to item: ItemKey) throws {
    let collection = schema.collection(item.collection)
    guard let links = collection.links, links.linking.title != nil else { return }
    var titles = try links.formerTitles(of: item.id, in: db)
    let known = Set(titles.entries.map(\.key))
    let new = names.compactMap(LinkRow.key).filter { !known.contains($0) }
    guard !new.isEmpty else { return }
    for key in new { titles.add(key, from: []) }
    _ = try updateRow(RowValues([(FormerTitles.column, .text(titles.stored))]), in: collection, id: item.id)
  }

  /// - Parameter isForgotten: whether the old values are not stored, so that undo cannot restore the item.
  func removeRow(in collection: Schema.Entry, id: String, isForgotten: Bool = false) throws {
    guard let old = try row(of: collection, id: id) else { throw RPCError.notFound(collection.name, id: id) }
    try deriving(from: 1) { try db.run(collection.layout.delete) { $0.add(id) } }
    writtenBytes += old.size
    try deriving(from: 0) {
      for rows in collection.following(in: collection.layout) {
        try rows.remove({ old[collection.columns[$0]] ?? .null }, in: db)
      }
      try collection.links?.rowDeleted(id, as: { old[$0] ?? .null }, in: db)
    }
    note(
      ChangeNote(
        key: ItemKey(collection: collection.name, id: id), kind: .removed, revision: old.revision, fields: [],
        before: isForgotten ? nil : old))
  }

  func row(of collection: Schema.Entry, id: String) throws -> RowValues? {
    let columns = collection.columns
    return try db.first(
      collection.layout.selectByID, { $0.add(id) },
      { row in RowValues(try columns.indices.map { (columns[$0], try row.value($0)) }) })
  }
}
