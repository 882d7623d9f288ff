/// A dictionary whose entries mostly leave before the next one comes: the latest stands beside the others, and is found
/// without a hash.
package struct BriefDictionary<Key: Hashable, Value> {
  private var latest: (key: Key, value: Value)?
  private var others: [Key: Value] = [:]

  package init() {}

  package var count: Int { others.count + (latest == nil ? 0 : 1) }

  package func contains(_ key: Key) -> Bool {
    latest?.key == key || !others.isEmpty && others[key] != nil
  }

  package subscript(key: Key) -> Value? {
    if let latest, latest.key == key { return latest.value }
    return others.isEmpty ? nil : others[key]
  }

  /// Adds an entry whose key is not there.
  package mutating func add(_ value: Value, for key: Key) {
    if let latest { others[latest.key] = latest.value }
    latest = (key, value)
  }

  @discardableResult
  package mutating func remove(_ key: Key) -> Value? {
    if let found = latest, found.key == key {
      latest = nil
      return found.value
    }
    return others.isEmpty ? nil : others.removeValue(forKey: key)
  }

  /// Some key whose value is meant; looks at all of them.
  package func firstKey(where isMeant: (Value) -> Bool) -> Key? {
    if let latest, isMeant(latest.value) { return latest.key }
    return others.first { isMeant($0.value) }?.key
  }
}
