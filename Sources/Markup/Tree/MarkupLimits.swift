/// What a document of a stranger may cost.
package struct MarkupLimits: Sendable {
  /// Bytes that go in.
  package var bytes: Int
  /// Elements and texts; of 40 bytes each.
  package var nodes: Int
  /// Elements in elements. libxml2 ends at 256 by itself.
  package var depth: Int

  package init(bytes: Int = 32 << 20, nodes: Int = 1 << 20, depth: Int = 200) {
    self.bytes = bytes
    self.nodes = nodes
    self.depth = depth
  }

  /// For the body of one entry or post.
  package static let body = MarkupLimits(bytes: 4 << 20, nodes: 200_000, depth: 200)
}
