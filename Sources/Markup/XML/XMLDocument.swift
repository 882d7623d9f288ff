/// Parses an XML document, even if malformed.
package struct XMLDocument {
  let tree: MarkupTree
  /// Whether the document has its proper end.
  package let isComplete: Bool
  /// Whether a limit cut it off.
  package let isTruncated: Bool

  /// The root element; nil if there is none.
  package var root: MarkupNode? { tree.roots.first { $0.isElement } }

  /// `dropped` are names of elements, in lower case, that are dropped if the document is cut off inside them.
  package init(
    _ text: TextDecoding, limits: MarkupLimits, dropping dropped: [String] = [],
    checkCancelled: () throws -> Void = {}
  ) throws {
    guard text.bytes.count <= limits.bytes else { throw MarkupFailure.tooLarge(limit: limits.bytes) }
    try MarkupTree.load()
    let repaired = try XMLRepair.repair(
      text.bytes, depthLimit: limits.depth, dropping: dropped, checkCancelled: checkCancelled)
    // Bytes that the repair adds do not count.
    var room = limits
    room.bytes = max(limits.bytes, repaired.bytes.count)
    tree = try MarkupTree(repaired.bytes, as: .xml, limits: room, checkCancelled: checkCancelled)
    isComplete = repaired.isComplete
    isTruncated = repaired.isTruncated || tree.isTruncated
  }
}
