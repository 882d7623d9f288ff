/// The newest outstanding request of each method and view: at most as many as a client may have in flight.
struct OpenViews {
  struct Key: Hashable {
    var method: String
    var view: String
  }

  private var newest: [Key: Int] = [:]
  private var keys: [Int: Key] = [:]

  var count: Int { keys.count }

  /// Returns the request that this one replaces.
  mutating func open(_ number: Int, as key: Key) -> Int? {
    keys[number] = key
    let older = newest.updateValue(number, forKey: key)
    if let older { keys[older] = nil }
    return older
  }

  mutating func close(_ number: Int) {
    guard let key = keys.removeValue(forKey: number) else { return }
    newest[key] = nil
  }
}
