/// A dictionary whose entries mostly leave before the next one comes: the latest stands beside the others, and is found
/// without a hash.
struct BriefDictionary<Key: Hashable, Value> {
  private var latest: (key: Key, value: Value)?
  private var others: [Key: Value] = [:]

  init() {}

  var count: Int { others.count + (latest == nil ? 0 : 1) }

  func contains(_ key: Key) -> Bool {
    latest?.key == key || !others.isEmpty && others[key] != nil
  }

  /// Adds an entry whose key is not there.
  mutating func add(_ value: Value, for key: Key) {
    if let latest { others[latest.key] = latest.value }
    latest = (key, value)
  }

  @discardableResult
  mutating func remove(_ key: Key) -> Value? {
    if let found = latest, found.key == key {
      latest = nil
      return found.value
    }
    return others.isEmpty ? nil : others.removeValue(forKey: key)
  }
}
