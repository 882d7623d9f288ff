/// Parses a web page or a fragment of one, even if malformed. Names of elements and attributes are in lower case.
struct HTMLDocument {
  let tree: MarkupTree
  /// Whether a limit cut it off.
  let isTruncated: Bool

  /// Parses UTF-8 without U+0000.
  init(_ bytes: [UInt8], limits: MarkupLimits = .body, checkCancelled: () throws -> Void = {}) throws {
    let safe = HTMLGuard.safeCount(bytes)
    let count = min(safe, limits.bytes)
    let source = count < bytes.count ? Array(bytes[..<Self.characterEnd(bytes, count)]) : bytes
    tree = try MarkupTree(source, as: .html, limits: limits, checkCancelled: checkCancelled)
    isTruncated = count < bytes.count || tree.isTruncated
  }

  private static func characterEnd(_ bytes: [UInt8], _ count: Int) -> Int {
    var end = count
    while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }
}
