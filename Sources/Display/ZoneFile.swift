/// The offsets of one time zone in the system's database (TZif, RFC 9636).
///
/// Parsed here because ICU's zones load ICU, megabytes that a daemon whose clients show no dates never needs.
struct ZoneFile: Sendable {
  /// The times, in seconds since 1970, at which each offset begins to apply, ascending.
  private let transitions: [Int64]
  /// The offset after each transition, in seconds east of UTC.
  private let offsets: [Int]
  private let offsetBeforeAll: Int
  /// Whether a yearly rule, which is not parsed here, applies after the last transition.
  private let endsWithRule: Bool

  init(offset: Int, changes: [(at: Int64, offset: Int)]) {
    transitions = changes.map(\.at)
    offsets = changes.map(\.offset)
    offsetBeforeAll = offset
    endsWithRule = false
  }

  /// `nil` if the bytes are not a zone file of version 2 or later.
  init?(_ bytes: [UInt8]) {
    // The first block has 32-bit times and is skipped; the second one is used.
    guard let old = Header(bytes, at: 0), old.version >= UInt8(ascii: "2") else { return nil }
    let start = Header.size + old.bodySize(timeSize: 4)
    guard let header = Header(bytes, at: start) else { return nil }
    let times = start + Header.size
    let indices = times + header.timeCount * 8
    let types = indices + header.timeCount
    let end = start + Header.size + header.bodySize(timeSize: 8)
    guard header.typeCount > 0, end <= bytes.count else { return nil }

    let typeOffsets = (0..<header.typeCount).map { index in
      Int(Int32(truncatingIfNeeded: Self.integer(bytes, at: types + index * 6, size: 4)))
    }
    var offsets: [Int] = []
    for index in 0..<header.timeCount {
      let type = Int(bytes[indices + index])
      guard type < typeOffsets.count else { return nil }
      offsets.append(typeOffsets[type])
    }
    transitions = (0..<header.timeCount).map { Self.integer(bytes, at: times + $0 * 8, size: 8) }
    guard zip(transitions, transitions.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
    self.offsets = offsets
    offsetBeforeAll = typeOffsets[0]
    endsWithRule = bytes[end...].contains(UInt8(ascii: ","))
  }

  /// The offset at a time, or nil if only the yearly rule at the file's end covers it.
  func offset(at seconds: Int64) -> Int? {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    if low == transitions.count, endsWithRule { return nil }
    return low == 0 ? offsetBeforeAll : offsets[low - 1]
  }

  private static func integer(_ bytes: [UInt8], at start: Int, size: Int) -> Int64 {
    bytes[start..<start + size].reduce(0) { $0 << 8 | Int64($1) }
  }

  private struct Header {
    static let size = 44
    let version: UInt8
    let isUTCCount: Int
    let isStandardCount: Int
    let leapCount: Int
    let timeCount: Int
    let typeCount: Int
    let nameSize: Int

    init?(_ bytes: [UInt8], at start: Int) {
      guard start + Self.size <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8) else { return nil }
      version = bytes[start + 4]
      let counts = (0..<6).map { Int(ZoneFile.integer(bytes, at: start + 20 + $0 * 4, size: 4)) }
      (isUTCCount, isStandardCount, leapCount) = (counts[0], counts[1], counts[2])
      (timeCount, typeCount, nameSize) = (counts[3], counts[4], counts[5])
      guard counts.allSatisfy({ $0 <= bytes.count }) else { return nil }
    }

    func bodySize(timeSize: Int) -> Int {
      timeCount * (timeSize + 1) + typeCount * 6 + nameSize + leapCount * (timeSize + 4) + isStandardCount + isUTCCount
    }
  }
}
