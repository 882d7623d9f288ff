/// The limits for an untrusted document.
package struct MarkupLimits: Sendable {
  /// Bytes of input.
  package var bytes: Int
  /// Elements and texts, of 40 bytes each.
  package var nodes: Int
  /// Nesting depth of elements. libxml2 itself stops at 256.
  package var depth: Int

  package init(bytes: Int = 32 << 20, nodes: Int = 1 << 20, depth: Int = 200) {
    self.bytes = bytes
    self.nodes = nodes
    self.depth = depth
  }

  /// For the body of one entry or post.
  package static let body = MarkupLimits(bytes: 4 << 20, nodes: 200_000, depth: 200)
}
