/// Sort keys with room between them: texts that sort by their bytes, with always another one between two of them.
///
/// So moving an item changes no other item. A rank is a whole number and a fraction, both in base 62. The first
/// character says how many digits the whole number has (`a` two characters in total, `b` three, and so on; `Z` and down
/// for numbers before `a0`), so that appending makes ranks longer only logarithmically. The scheme is David Greenspan's
/// "Implementing Fractional Indexing" (2020).
package enum Rank {
  private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
  private static let values: [UInt8: Int] = Dictionary(uniqueKeysWithValues: digits.enumerated().map { ($1, $0) })
  private static let zero = UInt8(ascii: "0")

  /// A rank between two others; nil as a bound is before the first or after the last. Returns nil if there is none: the
  /// bounds are equal, in the wrong order, or no valid ranks.
  package static func between(_ lower: String?, _ upper: String?) -> String? {
    let (lower, upper) = (lower.map { Array($0.utf8) }, upper.map { Array($0.utf8) })
    if let lower, let upper, !precedes(lower, upper) { return nil }
    let made: [UInt8]?
    switch (lower, upper) {
    case (nil, nil): made = Array("a0".utf8)
    case (nil, let upper?): made = before(upper)
    case (let lower?, nil): made = after(lower)
    case (let lower?, let upper?): made = middle(lower, upper)
    }
    return made.map { String(decoding: $0, as: UTF8.self) }
  }

  /// Longer ranks arise from always inserting between the same two items, which then get new ranks.
  package static let longest = 40

  /// Whether an imported text is a valid rank, and short enough that there is room around it.
  package static func isSound(_ text: String) -> Bool { text.utf8.count <= longest && between(text, nil) != nil }

  /// `count` ranks in order between two others.
  package static func between(_ lower: String?, _ upper: String?, count: Int) -> [String]? {
    if count == 0 { return [] }
    guard let upper else {
      var ranks: [String] = []
      for _ in 0..<count {
        guard let next = between(ranks.last ?? lower, nil) else { return nil }
        ranks.append(next)
      }
      return ranks
    }
    guard let middle = between(lower, upper), let left = between(lower, middle, count: count / 2),
      let right = between(middle, upper, count: count - count / 2 - 1)
    else { return nil }
    return left + [middle] + right
  }

  private static func before(_ upper: [UInt8]) -> [UInt8]? {
    guard let (whole, fraction) = parts(upper) else { return nil }
    if !fraction.isEmpty {
      // The whole number alone sorts before it.
      return isLeast(whole) ? whole + midpoint([], fraction) : whole
    }
    return step(whole, by: -1)
  }

  private static func after(_ lower: [UInt8]) -> [UInt8]? {
    guard let (whole, fraction) = parts(lower) else { return nil }
    return step(whole, by: 1) ?? whole + midpoint(fraction, nil)
  }

  private static func middle(_ lower: [UInt8], _ upper: [UInt8]) -> [UInt8]? {
    guard let (low, lowFraction) = parts(lower), let (high, highFraction) = parts(upper) else { return nil }
    if low == high { return low + midpoint(lowFraction, highFraction) }
    if let next = step(low, by: 1), precedes(next, upper) { return next }
    return low + midpoint(lowFraction, nil)
  }

  /// The whole number and the fraction, which does not end in a zero.
  private static func parts(_ rank: [UInt8]) -> (whole: [UInt8], fraction: [UInt8])? {
    guard let head = rank.first, let count = length(head), rank.count >= count,
      rank.dropFirst().allSatisfy({ values[$0] != nil }), rank.count == count || rank.last != zero
    else { return nil }
    return (Array(rank[..<count]), Array(rank[count...]))
  }

  private static func length(_ head: UInt8) -> Int? {
    switch head {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(head - UInt8(ascii: "a")) + 2
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(UInt8(ascii: "Z") - head) + 2
    default: nil
    }
  }

  private static func isLeast(_ whole: [UInt8]) -> Bool {
    whole.first == UInt8(ascii: "A") && whole.dropFirst().allSatisfy { $0 == zero }
  }

  /// The next or preceding whole number; nil after the last and before the first.
  private static func step(_ whole: [UInt8], by step: Int) -> [UInt8]? {
    var whole = whole
    for index in whole.indices.dropFirst().reversed() {
      let value = (values[whole[index]] ?? 0) + step
      if digits.indices.contains(value) {
        whole[index] = digits[value]
        return whole
      }
      whole[index] = step > 0 ? zero : digits[digits.count - 1]
    }
    let head: UInt8
    switch (whole[0], step) {
    case (UInt8(ascii: "Z"), 1): head = UInt8(ascii: "a")
    case (UInt8(ascii: "a"), -1): head = UInt8(ascii: "Z")
    case (UInt8(ascii: "z"), 1), (UInt8(ascii: "A"), -1): return nil
    default: head = step > 0 ? whole[0] + 1 : whole[0] - 1
    }
    guard let count = length(head) else { return nil }
    return [head] + Array(repeating: step > 0 ? zero : digits[digits.count - 1], count: count - 1)
  }

  /// A fraction between two fractions; nil as the upper bound is 1.
  private static func midpoint(_ lower: [UInt8], _ upper: [UInt8]?) -> [UInt8] {
    var common: [UInt8] = []
    var (lower, upper) = (lower, upper)
    while true {
      if let next = upper?.first, next == lower.first ?? zero {
        common.append(next)
        lower = Array(lower.dropFirst())
        upper = upper.map { Array($0.dropFirst()) }
        continue
      }
      let low = lower.first.flatMap { values[$0] } ?? 0
      let high = upper.flatMap { $0.first.flatMap { values[$0] } } ?? digits.count
      if high - low > 1 { return common + [digits[(low + high + 1) / 2]] }
      if let upper, upper.count > 1 { return common + [upper[0]] }
      common.append(digits[low])
      lower = Array(lower.dropFirst())
      upper = nil
    }
  }

  private static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }
}
