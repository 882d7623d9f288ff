import Kit
import Store
import Wire

/// Which item of the library each item of a text is.
///
/// An anchor decides, wherever its line was moved. A line without one is the item whose line it was: the same text, or a
/// similar one between the same neighbours.
struct TextBinding {
  enum Match: Equatable {
    /// An item of the version that the client edited, by its index.
    case base(Int)
    /// An item from elsewhere, or a removed one.
    case library(String)
    case new
    /// The same line once more.
    case copy
  }

  private(set) var matches: [Match]
  /// The indexes of the items of the version that the client edited which the text has no more.
  private(set) var missing: [Int] = []
  private(set) var problems: [TextProblem] = []

  private let items: [ParsedTextItem]
  private let base: [TextItem]
  private var isBound: [Bool]

  /// - Parameters:
  ///   - isSingle: whether the text is that of one item, which it stays whatever is written.
  ///   - find: the item with an anchor.
  init(
    _ items: [ParsedTextItem], to base: [TextItem], isSingle: Bool, find: (_ anchor: String) throws -> String?
  ) rethrows {
    (self.items, self.base) = (items, base)
    matches = Array(repeating: .new, count: items.count)
    isBound = Array(repeating: false, count: base.count)
    if isSingle, items.count == 1, base.count == 1 {
      bind(0, to: 0)
    } else {
      try bindByAnchor(find)
      bindSame()
      bindSimilar()
      bindMoved()
    }
    missing = base.indices.filter { !isBound[$0] }
  }

  private mutating func bind(_ item: Int, to place: Int) {
    matches[item] = .base(place)
    isBound[place] = true
  }

  // MARK: - By anchor

  private mutating func bindByAnchor(_ find: (_ anchor: String) throws -> String?) rethrows {
    let places = Dictionary(base.indices.compactMap { place in base[place].anchor.map { ($0, place) } }) { one, _ in one
    }
    let placesByID = Dictionary(base.indices.map { (base[$0].id, $0) }) { one, _ in one }
    var claims: [Int: [Int]] = [:]
    var arrivals: [String: [Int]] = [:]
    for (item, anchor) in items.indices.compactMap({ item in items[item].anchor.map { (item, $0) } }) {
      if let place = places[anchor] {
        claims[place, default: []].append(item)
      } else if let id = try find(anchor) {
        if let place = placesByID[id] {
          claims[place, default: []].append(item)
        } else {
          arrivals[id, default: []].append(item)
        }
      } else {
        note(item, Text("text.unknownAnchor", ["anchor": anchor]))
      }
    }
    for (place, claimants) in claims.sorted(by: { $0.key < $1.key }) {
      let owner = claimants.first { sameBytes(items[$0].content, base[place].content) } ?? claimants[0]
      bind(owner, to: place)
      settle(claimants, owner: owner)
    }
    for (id, claimants) in arrivals.sorted(by: { $0.value[0] < $1.value[0] }) {
      matches[claimants[0]] = .library(id)
      settle(claimants, owner: claimants[0])
    }
  }

  /// The other lines with an anchor are new items, unless they are copies of the line that keeps it.
  private mutating func settle(_ claimants: [Int], owner: Int) {
    for item in claimants where item != owner {
      matches[item] = sameBytes(items[item].content, items[owner].content) ? .copy : .new
      isDecided.insert(item)
      note(item, Text("text.doubleAnchor", ["anchor": items[item].anchor ?? ""]))
    }
  }
  /// The lines of which the anchor has decided that they are new.
  private var isDecided: Set<Int> = []

  private mutating func note(_ item: Int, _ message: Text) {
    let line = items[item].lines.lowerBound
    problems.append(TextProblem(.anchor, lines: line..<(line + 1), message: message))
  }

  // MARK: - By text

  private func isOpen(_ item: Int) -> Bool { matches[item] == .new && !isDecided.contains(item) }

  private mutating func bindSame() {
    var places: [[UInt8]: [Int]] = [:]
    for place in base.indices.reversed() where !isBound[place] {
      places[Array(base[place].content.utf8), default: []].append(place)
    }
    if places.isEmpty { return }
    for item in items.indices where isOpen(item) {
      let content = Array(items[item].content.utf8)
      guard var same = places[content], !same.isEmpty else { continue }
      // The last one is the first in the text; one of the same lane is preferred.
      let choice = same.lastIndex { base[$0].lane == items[item].lane } ?? same.endIndex - 1
      bind(item, to: same.remove(at: choice))
      places[content] = same
    }
  }

  private mutating func bindSimilar() {
    var item = 0
    while item < items.count {
      guard isOpen(item) else {
        item += 1
        continue
      }
      let end = items[item...].indices.first { !isOpen($0) } ?? items.count
      let before = item == 0 ? -1 : place(of: item - 1)
      let after = end == items.count ? base.count : place(of: end)
      if let before, let after, before < after {
        var candidates = (before + 1..<after).filter { !isBound[$0] }
        for open in item..<end {
          let scored = candidates.map { ($0, likeness(of: open, to: $0)) }
          guard let best = scored.max(by: { $0.1 < $1.1 }), best.1 >= Similarity.least else { continue }
          bind(open, to: best.0)
          candidates.removeAll { $0 <= best.0 }
        }
      }
      item = end
    }
  }

  /// A changed line that was moved too, or whose neighbours were: it is the item that it resembles most by far.
  private mutating func bindMoved() {
    let open = items.indices.filter(isOpen)
    let left = base.indices.filter { !isBound[$0] }
    guard !open.isEmpty, !left.isEmpty, open.count * left.count <= Self.mostCompared else { return }
    for item in open {
      let scored = left.filter { !isBound[$0] }.map { (place: $0, score: likeness(of: item, to: $0)) }
        .sorted { $0.score > $1.score }
      guard let best = scored.first, best.score >= Similarity.least,
        scored.count < 2 || scored[1].score < best.score - 0.1
      else { continue }
      bind(item, to: best.place)
    }
  }
  private static let mostCompared = 400

  /// How much a line resembles an item. A damaged anchor at its end does not count.
  private func likeness(of item: Int, to place: Int) -> Double {
    let (old, new) = (base[place].content, items[item].content)
    let isDamaged = new.utf8.count <= old.utf8.count + Self.longestDamage && new.utf8.starts(with: old.utf8)
    return isDamaged ? 1 : Similarity.of(old, new)
  }
  /// A blank, `^` and an anchor.
  private static let longestDamage = 2 + TextAnchor.lengths.upperBound

  private func place(of item: Int) -> Int? {
    if case .base(let place) = matches[item] { place } else { nil }
  }
}

/// How much two texts have in common, from 0 to 1.
enum Similarity {
  /// From here on, a changed line counts as the same one.
  static let least = 0.8
  /// Longer texts are compared by lines.
  private static let longest = 1_000

  static func of(_ one: String, _ other: String) -> Double {
    let isLong = max(one.utf8.count, other.utf8.count) > longest
    func pieces(_ text: String) -> [Substring] {
      isLong ? TextPieces.lines(of: text) : text.indices.map { text[$0...$0] }
    }
    let (old, new) = (pieces(one), pieces(other))
    let same = SamePieces(old[...], new[...]).pairs.reduce(0) { $0 + old[$1.old].utf8.count }
    let total = one.utf8.count + other.utf8.count
    return total == 0 ? 1 : 2 * Double(same) / Double(total)
  }
}
