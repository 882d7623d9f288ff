import Wire

/// Short forms of ids for people: the end of each, which is its random part, as long as it has to be to be
/// unique among the ids of one list.
///
///     019ac0f2-7b1e-7000-8000-3c5d9a1e9f3a    9f3a
///     019ac0f2-7b1e-7001-8000-77aa01e24b20    4b20
///     book                                    book
enum ShortIDs {
  /// The number of characters of a short id.
  static let lengths = 4...8
  /// A client-chosen id up to this length is shown whole.
  private static let longestOwn = 12

  /// The short form of each id.
  static func labels(of ids: [String]) -> [String: String] {
    var labels: [String: String] = [:]
    let ids = Set(ids)
    let uuids = ids.filter(isUUID)
    let others = ids.subtracting(uuids).filter { $0.utf8.count <= longestOwn }
    let length = lengths.first { length in
      let ends = Set(uuids.map { $0.suffix(length) })
      return ends.count == uuids.count && ends.allSatisfy { end in !others.contains { $0.hasSuffix(end) } }
    }
    for id in ids {
      labels[id] = uuids.contains(id) ? length.map { String(id.suffix($0)) } ?? id : id
    }
    return labels
  }

  /// Whether an id has the form of the daemon's own ids, or of those that it derives from a file's entries, 32 digits
  /// without hyphens. These are never a part of another one.
  static func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    if bytes.count == 32 { return bytes.allSatisfy(isHexDigit) }
    guard bytes.count == 36 else { return false }
    return bytes.indices.allSatisfy { index in
      [8, 13, 18, 23].contains(index) ? bytes[index] == UInt8(ascii: "-") : isHexDigit(bytes[index])
    }
  }

  private static func isHexDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }

  /// Whether a text may be the beginning or the end of an id.
  static func mayBePart(_ text: String) -> Bool {
    text.utf8.count >= lengths.lowerBound && text.utf8.allSatisfy { isHexDigit($0) || $0 == UInt8(ascii: "-") }
  }

  /// Whether a handle is the beginning or the end of an id. A handle with fewer characters than a short id is
  /// neither.
  static func matches(_ handle: String, _ id: String) -> Bool {
    guard mayBePart(handle), isUUID(id) else { return sameBytes(handle, id) }
    let (handle, id) = (handle.lowercased(), id.lowercased())
    return id.hasPrefix(handle) || id.hasSuffix(handle)
  }

  /// Whether a text is the beginning of an id in any form: that of a client-chosen id may itself be an id, so items
  /// with exactly this id or title have precedence. A text with fewer characters than a short id is none.
  static func isBeginning(_ text: String, of id: String) -> Bool {
    text.utf8.count >= lengths.lowerBound && id.utf8.starts(with: text.utf8)
  }
}
