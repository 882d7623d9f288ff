/// Crashes and missed deadlines by document.
struct Strikes {
  /// A document that has done this to so many workers is dangerous.
  private static let most = 3
  /// So many documents are remembered; among more, those with the fewest strikes are forgotten.
  private static let mostDocuments = 1_024

  private var counts: [String: Int] = [:]

  /// Returns true if the document is dangerous now.
  mutating func add(_ key: String) -> Bool {
    if counts.count >= Self.mostDocuments, counts[key] == nil,
      let least = counts.min(by: { $0.value < $1.value })
    {
      counts[least.key] = nil
    }
    counts[key, default: 0] += 1
    return isDangerous(key)
  }

  func isDangerous(_ key: String) -> Bool {
    counts[key, default: 0] >= Self.most
  }

  mutating func forget(_ key: String) {
    counts[key] = nil
  }

  var dangerous: [String] {
    counts.filter { $0.value >= Self.most }.keys.sorted()
  }
}
