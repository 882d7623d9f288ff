/// Maps the pages of an old version to those of a new one, by their texts.
///
///     old   A  B  B  C  D            A and D occur once: they are the same pages wherever they are now
///           │  │  │     ╲            B B: each goes with its neighbour
///     new   A  B  B  E  C'  D        C' has most of C's text
///
/// Marks go with their page: so the same line on three pages, with the same characters around it, can still be
/// distinguished.
struct PageSuccession: Sendable {
  enum Successor: Equatable, Sendable {
    /// The same folded text.
    case same(Int)
    /// Much of the same text, with the shared part, 0 to 1.
    case similar(Int, Double)

    var page: Int {
      switch self {
      case .same(let page), .similar(let page, _): page
      }
    }
  }

  private(set) var successors: [Int: Successor] = [:]

  /// No page is mapped, such as when the old bytes no longer exist.
  init() {}

  init(from old: AnchorText, to new: AnchorText) {
    var taken: Set<Int> = []
    var found: [Int: Int] = [:]
    func isSame(_ left: Int, _ right: Int) -> Bool {
      guard old.pages.indices.contains(left), new.pages.indices.contains(right), let hash = old.pages[left].hash,
        found[left] == nil, !taken.contains(right)
      else { return false }
      return new.pages[right].hash == hash
    }
    func join(_ left: Int, _ right: Int) {
      found[left] = right
      taken.insert(right)
    }
    // The unchanged pages at the beginning and at the end.
    var start = 0
    while isSame(start, start) {
      join(start, start)
      start += 1
    }
    var end = 1
    while isSame(old.pages.count - end, new.pages.count - end) {
      join(old.pages.count - end, new.pages.count - end)
      end += 1
    }
    // Pages whose text occurs once in each version.
    let (single, others) = (Self.singles(old, but: Set(found.keys)), Self.singles(new, but: taken))
    for (hash, left) in single {
      if let right = others[hash] { join(left, right) }
    }
    // The remaining pages next to mapped ones, forwards and backwards.
    for left in old.pages.indices.dropFirst() {
      if let previous = found[left - 1], isSame(left, previous + 1) { join(left, previous + 1) }
    }
    for left in old.pages.indices.dropLast().reversed() {
      if let next = found[left + 1], isSame(left, next - 1) { join(left, next - 1) }
    }
    successors = found.mapValues(Successor.same)
    addSimilar(old, new, taken: taken)
  }

  /// Pages by their hashes, without texts that occur twice.
  private static func singles(_ text: AnchorText, but known: Set<Int>) -> [String: Int] {
    var pages: [String: Int?] = [:]
    for (number, page) in text.pages.enumerated() where !known.contains(number) {
      guard let hash = page.hash else { continue }
      pages[hash] = pages[hash] == nil ? .some(number) : .some(nil)
    }
    return pages.compactMapValues(\.self)
  }

  /// How much two pages must have in common, and by how much they must have more than any other two.
  private static let leastCommon = 0.5
  private static let lead = 0.1
  /// Parts of text on more pages than this, such as a heading of all pages, do not identify a page.
  private static let mostPages = 16

  /// Changed pages: by the proportion of short parts of text (shingles) that both have (Jaccard).
  private mutating func addSimilar(_ old: AnchorText, _ new: AnchorText, taken: Set<Int>) {
    var places: [UInt64: [Int]] = [:]
    var sizes: [Int: Int] = [:]
    for page in new.pages.indices where !taken.contains(page) {
      let shingles = Self.shingles(of: page, in: new)
      sizes[page] = shingles.count
      for shingle in shingles { places[shingle, default: []].append(page) }
    }
    guard !places.isEmpty else { return }
    var claims: [Int: (page: Int, common: Double, isClear: Bool)] = [:]
    for page in old.pages.indices where successors[page] == nil {
      let shingles = Self.shingles(of: page, in: old)
      var votes: [Int: Int] = [:]
      for shingle in shingles {
        guard let pages = places[shingle], pages.count <= Self.mostPages else { continue }
        for candidate in pages { votes[candidate, default: 0] += 1 }
      }
      let ranked = votes.map { candidate, count in
        (page: candidate, common: Double(count) / Double(shingles.count + (sizes[candidate] ?? 0) - count))
      }.sorted { ($0.common, $1.page) > ($1.common, $0.page) }
      guard let best = ranked.first, best.common >= Self.leastCommon,
        best.common - (ranked.dropFirst().first?.common ?? 0) >= Self.lead
      else { continue }
      // Two old pages that claim one new page: neither has it.
      if let other = claims[best.page] {
        claims[best.page] = (other.page, other.common, false)
      } else {
        claims[best.page] = (page, best.common, true)
      }
    }
    for (page, claim) in claims where claim.isClear { successors[claim.page] = .similar(page, claim.common) }
  }

  private static let shingleLength = 8

  /// A quarter of the page's runs of eight characters, always the same ones wherever they are (winnowed by their
  /// hashes); of a short page all of them.
  private static func shingles(of page: Int, in text: AnchorText) -> Set<UInt64> {
    let range = text.pages[page].range
    guard range.count >= shingleLength else { return [] }
    let isShort = range.count < 512
    var shingles: Set<UInt64> = []
    for start in range.lowerBound...range.upperBound - shingleLength {
      // FNV-1a, since Swift's own hashes differ from run to run.
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for place in start..<start + shingleLength { hash = (hash ^ UInt64(text.scalars[place])) &* 0x100_0000_01B3 }
      if isShort || (hash >> 32).isMultiple(of: 4) { shingles.insert(hash) }
    }
    return shingles
  }
}
