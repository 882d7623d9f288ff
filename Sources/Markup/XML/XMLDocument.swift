/// An XML document however broken, as a tree.
struct XMLDocument {
  let tree: MarkupTree
  /// Whether it ends where it says that it does.
  let isComplete: Bool
  /// Whether a limit ended it before.
  let isTruncated: Bool

  /// The element that everything is in; nil where there is none.
  var root: MarkupNode? { tree.roots.first { $0.isElement } }

  /// `dropped` names elements that are nothing where the document was cut off inside them, in lower case.
  init(
    _ text: TextDecoding, limits: MarkupLimits, dropping dropped: [String] = [], checkCancelled: () throws -> Void
  ) throws {
    guard text.bytes.count <= limits.bytes else { throw MarkupFailure.tooLarge(limit: limits.bytes) }
    try MarkupTree.load()
    let repaired = try XMLRepair.repair(
      text.bytes, depthLimit: limits.depth, dropping: dropped, checkCancelled: checkCancelled)
    // What the repair adds is not the document's.
    var room = limits
    room.bytes = max(limits.bytes, repaired.bytes.count)
    tree = try MarkupTree(repaired.bytes, as: .xml, limits: room, checkCancelled: checkCancelled)
    isComplete = repaired.isComplete
    isTruncated = repaired.isTruncated || tree.isTruncated
  }
}
