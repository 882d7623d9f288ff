import SQLite
import Store
import Wire

/// Rows that need what others only give up with the same write, such as the URL of a source: which one is first depends
/// on their ids, and of two that have exchanged it neither can be.
extension SharingTransaction {
  /// Writes rows until no more can be written.
  ///
  /// - Parameter put: writes one; returns false if it is refused.
  /// - Returns: those that are refused.
  /// - Throws: `StoreError.broken`, `DatabaseError`.
  func putAll(_ keys: [ItemKey], _ collection: SharedCollection, _ put: (ItemKey) throws -> Bool) throws -> [ItemKey] {
    func refused(_ keys: [ItemKey]) throws -> [ItemKey] {
      var (rest, count) = (keys, keys.count + 1)
      while !rest.isEmpty, rest.count < count {
        count = rest.count
        rest = try rest.filter { try !put($0) }
      }
      return rest
    }
    let all = try refused(keys)
    guard let identity = collection.items.sync?.identity.first else { return all }
    // Those that are refused for another reason keep their rows as they are.
    var rest = all
    while rest.count > 1 {
      do {
        try transaction.attempt {
          for key in rest { try giveUp(identity, of: key, collection) }
          let refused = try refused(rest)
          if !refused.isEmpty { throw Refused(keys: Set(refused)) }
        }
        return all.filter { !rest.contains($0) }
      } catch let error as Refused {
        rest.removeAll(where: error.keys.contains)
      }
    }
    return all
  }

  private struct Refused: Error {
    var keys: Set<ItemKey>
  }

  /// Gives a row an identity that no other has, until it gets its own: a URL with the item's id for its fragment.
  private func giveUp(_ column: String, of key: ItemKey, _ collection: SharedCollection) throws {
    guard let present = try collection.row(key.id, in: transaction.db), let value = present[column]?.stringValue,
      let created = present["createdAt"]?.integerValue, let updated = present["updatedAt"]?.integerValue
    else { return }
    var columns = collection.columns(collection.row(present))
    columns[column] = .string("\(value)#\(key.id.text)")
    _ = try write(columns, of: key, collection, created: created, updated: updated)
  }
}
