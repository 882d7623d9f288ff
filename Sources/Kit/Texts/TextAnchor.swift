import Store
import Wire

/// The identification of an item at the end of its line: `- [ ] Return the book ^k3f2`.
///
/// It stands at the end, where editing the line does not damage it, is the same in every session, and never changes.
/// Its characters are the first of a hash of the collection and the id in Crockford's base 32: four, or as many as tell
/// the item from the others of the collection.
package enum TextAnchor {
  package static let lengths = 4...8
  private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

  /// A line without its anchor and the blank before it, and the anchor. Blanks after it are nothing.
  package static func split(_ line: Substring) -> (rest: Substring, anchor: String?) {
    let bytes = line.utf8
    guard let sign = bytes.lastIndex(of: UInt8(ascii: "^")), sign > bytes.startIndex,
      bytes[bytes.index(before: sign)] == UInt8(ascii: " ")
    else { return (line, nil) }
    var name = bytes[bytes.index(after: sign)...]
    while let last = name.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { name.removeLast() }
    guard isAnchor(name) else { return (line, nil) }
    return (line[..<bytes.index(before: sign)], String(Substring(name)))
  }

  /// Whether characters have the form of an anchor.
  package static func isAnchor(_ name: Substring.UTF8View) -> Bool {
    lengths.contains(name.count) && name.allSatisfy(digits.contains)
  }

  /// The candidates for an item, the shortest first.
  static func candidates(collection: String, id: String) -> [String] {
    let hash = Blobs.hash(of: Array("\(collection)\0\(id)".utf8))
    // Ten hexadecimal digits are 40 bits, eight of base 32.
    let bits = UInt64(hash.prefix(10), radix: 16) ?? 0
    let all = (0..<lengths.upperBound).map { digits[Int(bits >> UInt64(5 * (7 - $0)) & 31)] }
    return lengths.map { String(decoding: all.prefix($0), as: UTF8.self) }
  }
}
