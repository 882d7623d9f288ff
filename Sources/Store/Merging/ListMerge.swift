import Wire

/// Three-way merge of an ordered list of objects that have no ids, such as the steps of a checklist.
///
/// An element of the base is matched with the element of a side that has the same name, wherever it is, or else with
/// the one of the most similar name: it was renamed. Members of an element are merged one by one, so an element that
/// one side renamed and the other ticked has both changes. An element that one side removed and the other changed
/// stays, and one that both added appears once. The order is that of the side that moved elements, ours if both did;
/// an added element follows the one that it follows on its side.
package struct ListMerge {
  package private(set) var elements: [JSONValue] = []
  /// Whether both sides gave a member of an element different values, of which ours was taken.
  package private(set) var overlaps = false

  /// - Parameters:
  ///   - name: the member that names an element.
  ///   - base: the common base; empty if it is unknown, and then the lists are united.
  package init(ours: [JSONValue], theirs: [JSONValue], base: [JSONValue], name: String) {
    let names = [base, ours, theirs].map { $0.map { $0.objectValue?[name]?.stringValue ?? $0.description } }
    let ourIDs = Self.ids(of: names[1], base: names[0], next: base.count)
    var theirIDs = Self.ids(of: names[2], base: names[0], next: base.count + ours.count)
    // What both added.
    var added: [String: [Int]] = [:]
    for (place, id) in ourIDs.enumerated().reversed() where id >= base.count {
      added[names[1][place], default: []].append(id)
    }
    for (place, id) in theirIDs.enumerated() where id >= base.count {
      if let same = added[names[2][place]]?.popLast() { theirIDs[place] = same }
    }
    let inOurs = Dictionary(uniqueKeysWithValues: zip(ourIDs, ours))
    let inTheirs = Dictionary(uniqueKeysWithValues: zip(theirIDs, theirs))
    func merged(_ id: Int) -> JSONValue? {
      let before = id < base.count ? base[id] : nil
      switch (inOurs[id], inTheirs[id]) {
      case (let one?, let other?): return merge(one, other, since: before)
      // `nil` alone would be the JSON null.
      case (let one?, nil): return one == before ? JSONValue?.none : one
      case (nil, let other?): return other == before ? JSONValue?.none : other
      case (nil, nil): return .none
      }
    }
    var byID: [Int: JSONValue] = [:]
    for id in Set(ourIDs + theirIDs) { byID[id] = merged(id) }
    elements = Self.order(ourIDs, theirIDs, baseCount: base.count).compactMap { byID[$0] }
  }

  /// Merges the members of an element.
  private mutating func merge(_ ours: JSONValue, _ theirs: JSONValue, since base: JSONValue?) -> JSONValue {
    guard var merged = ours.objectValue, let theirs = theirs.objectValue else { return ours }
    let ours = merged
    let before = base?.objectValue ?? [:]
    for key in Set(ours.keys + theirs.keys) where ours[key] != theirs[key] {
      if ours[key] == before[key] {
        merged[key] = theirs[key]
      } else if theirs[key] != before[key] {
        overlaps = true
      }
    }
    return .object(merged)
  }

  // MARK: - Identity

  /// The ids of a side's elements: the place of the matched element of the base, or a number from `next` on.
  private static func ids(of names: [String], base: [String], next: Int) -> [Int] {
    var ids = [Int?](repeating: nil, count: names.count)
    var places: [String: [Int]] = [:]
    for (place, name) in base.enumerated().reversed() { places[name, default: []].append(place) }
    for (place, name) in names.enumerated() { ids[place] = places[name]?.popLast() }
    let matched = Set(ids.compactMap(\.self))
    let rest = base.indices.filter { !matched.contains($0) }
    let new = names.indices.filter { ids[$0] == nil }
    if !rest.isEmpty, !new.isEmpty {
      let pairs = base.isEmpty ? [] : similar(rest.map { ($0, base[$0]) }, new.map { ($0, names[$0]) })
      var used: Set<Int> = []
      for pair in pairs where ids[pair.new] == nil && used.insert(pair.old).inserted { ids[pair.new] = pair.old }
    }
    return ids.enumerated().map { $1 ?? next + $0 }
  }

  /// The pairs of similar names, the most similar first.
  private static func similar(
    _ old: [(place: Int, name: String)], _ new: [(place: Int, name: String)]
  ) -> [(old: Int, new: Int)] {
    let (olds, news) = (old.map { ($0.place, pairs(of: $0.name)) }, new.map { ($0.place, pairs(of: $0.name)) })
    var found: [(old: Int, new: Int, likeness: Int)] = []
    for (place, pairs) in olds {
      for (newPlace, newPairs) in news {
        let likeness = pairs.intersection(newPairs).count * 200 / max(1, pairs.count + newPairs.count)
        if likeness >= leastLikeness { found.append((place, newPlace, likeness)) }
      }
    }
    found.sort { ($1.likeness, $0.old, $0.new) < ($0.likeness, $1.old, $1.new) }
    return found.map { ($0.old, $0.new) }
  }

  /// The share of common character pairs, in percent, from which on a name counts as a changed one: `Rice` and
  /// `Brown rice`, but not `Call Ann` and `Buy milk`.
  private static let leastLikeness = 45

  /// The pairs of adjacent characters of a name, of its beginning if it is long: all pairs of names are compared.
  private static func pairs(of name: String) -> Set<String> {
    let scalars = Array((" " + name.lowercased().prefix(80) + " ").unicodeScalars)
    return Set(zip(scalars, scalars.dropFirst()).map { "\($0)\($1)" })
  }

  // MARK: - Order

  private static func order(_ ours: [Int], _ theirs: [Int], baseCount: Int) -> [Int] {
    let inTheirs = Set(theirs)
    let common = ours.filter { $0 < baseCount && inTheirs.contains($0) }
    let isOurs = zip(common, common.dropFirst()).contains { $0 > $1 }
    let (spine, other) = isOurs ? (ours, theirs) : (theirs, ours)
    let inSpine = Set(spine)
    // The other side's elements, by the element of the spine that they follow.
    var followers: [Int?: [Int]] = [:]
    var last: Int?
    for id in other {
      if inSpine.contains(id) { last = id } else { followers[last, default: []].append(id) }
    }
    var order: [Int] = []
    var waiting = followers[nil] ?? []
    for id in spine {
      // Of elements that both sides added at one place, ours are first.
      let isAddedByUs = isOurs && id >= baseCount && !inTheirs.contains(id)
      order += isAddedByUs ? [id] : waiting + [id]
      waiting = (isAddedByUs ? waiting : []) + (followers[id] ?? [])
    }
    return order + waiting
  }
}
