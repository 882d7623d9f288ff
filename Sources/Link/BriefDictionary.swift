/// A dictionary whose entries are mostly removed before the next one is added: the latest entry is stored separately,
/// and is looked up without a hash.
struct BriefDictionary<Key: Hashable, Value> {
  private var latest: (key: Key, value: Value)?
  private var others: [Key: Value] = [:]

  init() {}

  var count: Int { others.count + (latest == nil ? 0 : 1) }

  func contains(_ key: Key) -> Bool {
    latest?.key == key || !others.isEmpty && others[key] != nil
  }

  /// Adds an entry with a new key.
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
