import CXML

/// A document parsed by libxml2, in flat arrays of bounded size. Not thread-safe: use it on the thread that parses it.
package final class MarkupTree {
  /// Whether a limit ended the parsing before the end of the document.
  package let isTruncated: Bool
  fileprivate let nodes: UnsafeBufferPointer<cxml_node>
  fileprivate let attributes: UnsafeBufferPointer<cxml_attribute>
  fileprivate let bytes: UnsafeBufferPointer<UInt8>
  private let document: UnsafeMutablePointer<cxml_document>

  enum Language {
    case xml, html
  }

  /// Parses UTF-8. `checkCancelled` is called regularly, and throws to stop.
  ///
  /// - Throws: `MarkupFailure`, or the error of `checkCancelled`.
  init(_ source: [UInt8], as language: Language, limits: MarkupLimits, checkCancelled: () throws -> Void) throws {
    try Self.load()
    guard source.count <= limits.bytes else { throw MarkupFailure.tooLarge(limit: limits.bytes) }
    let bounds = cxml_limits(
      nodes: UInt32(clamping: limits.nodes), depth: UInt32(clamping: limits.depth),
      // Names are stored more than once only if libxml2's dictionary drops them.
      bytes: UInt32(clamping: limits.bytes * 2 + 4096))
    let cancellation = try withoutActuallyEscaping(checkCancelled) { check in
      let cancellation = Cancellation(check)
      let context = Unmanaged.passUnretained(cancellation).toOpaque()
      cancellation.result = source.withUnsafeBytes { buffer in
        let start = buffer.assumingMemoryBound(to: CChar.self).baseAddress
        let read = language == .xml ? cxml_read_xml : cxml_read_html
        return read(start, buffer.count, bounds, { Cancellation.isSet($0) }, context)
      }
      cancellation.check = nil
      if let failure = cancellation.failure {
        cxml_free(cancellation.result)
        throw failure
      }
      return cancellation
    }
    guard let document = cancellation.result else { throw MarkupFailure.noMemory }
    self.document = document
    isTruncated = document.pointee.end != CXML_WHOLE
    nodes = UnsafeBufferPointer(start: document.pointee.nodes, count: Int(document.pointee.node_count))
    attributes = UnsafeBufferPointer(start: document.pointee.attributes, count: Int(document.pointee.attribute_count))
    bytes = UnsafeRawBufferPointer(start: document.pointee.bytes, count: Int(document.pointee.byte_count))
      .assumingMemoryBound(to: UInt8.self)
  }

  deinit { cxml_free(document) }

  /// - Throws: `MarkupFailure.unavailable` if libxml2 cannot be used.
  static func load() throws(MarkupFailure) {
    if let failure = cxml_load() { throw .unavailable(String(cString: failure)) }
  }

  package var count: Int { nodes.count }

  /// The outermost elements; one in XML.
  package var roots: MarkupChildren { MarkupChildren(tree: self, place: 0, end: nodes.count) }

  package subscript(index: Int) -> MarkupNode { MarkupNode(tree: self, index: index) }
}

/// Passes a Swift closure through C, and the error that it threw back.
private final class Cancellation {
  var check: (() throws -> Void)?
  var failure: (any Error)?
  var result: UnsafeMutablePointer<cxml_document>?

  init(_ check: @escaping () throws -> Void) { self.check = check }

  static func isSet(_ context: UnsafeMutableRawPointer?) -> Bool {
    guard let context else { return false }
    let cancellation = Unmanaged<Cancellation>.fromOpaque(context).takeUnretainedValue()
    do {
      try cancellation.check?()
      return false
    } catch {
      cancellation.failure = error
      return true
    }
  }
}

/// An element, or a run of text.
package struct MarkupNode {
  package let tree: MarkupTree
  package let index: Int

  private var node: cxml_node { tree.nodes[index] }

  package var isElement: Bool { node.is_element }
  /// The index after its last descendant.
  package var end: Int { Int(node.end) }

  /// An element's local name.
  package var name: MarkupText { tree.text(node.name) }
  /// An element's namespace, or its prefix if that was never declared.
  package var space: MarkupText { tree.text(node.space) }
  /// A text's own bytes.
  package var text: MarkupText { tree.text(node.text) }

  package var children: MarkupChildren { MarkupChildren(tree: tree, place: index + 1, end: end) }

  package var attributes: some Sequence<MarkupAttribute> {
    let node = node
    return (node.first_attribute..<node.first_attribute + node.attribute_count).lazy.map { [tree] in
      let attribute = tree.attributes[Int($0)]
      return MarkupAttribute(
        name: tree.text(attribute.name), space: tree.text(attribute.space), value: tree.text(attribute.value))
    }
  }

  /// The value of the first attribute with this name, in any namespace; for unambiguous names only.
  package func attribute(_ name: StaticString) -> String? {
    attributes.first { $0.name == name }?.value.string
  }

  /// All text in it, without markup.
  package var content: String {
    guard isElement else { return text.string }
    var bytes: [UInt8] = []
    var index = index + 1
    while index < end {
      if !tree.nodes[index].is_element { bytes += tree.text(tree.nodes[index].text).bytes }
      index += 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

package struct MarkupAttribute {
  package let name: MarkupText
  package let space: MarkupText
  package let value: MarkupText
}

/// The child nodes of an element.
package struct MarkupChildren: Sequence, IteratorProtocol {
  fileprivate let tree: MarkupTree
  fileprivate var place: Int
  fileprivate let end: Int

  package mutating func next() -> MarkupNode? {
    guard place < end else { return nil }
    let node = MarkupNode(tree: tree, index: place)
    place = node.end
    return node
  }
}

extension MarkupTree {
  fileprivate func text(_ span: cxml_span) -> MarkupText {
    MarkupText(
      tree: self, bytes: UnsafeBufferPointer(rebasing: bytes[Int(span.offset)..<Int(span.offset) + Int(span.count)]))
  }
}

/// A part of a document's text, which retains the document: most are compared or copied, and few become strings.
package struct MarkupText {
  private let tree: MarkupTree
  package let bytes: UnsafeBufferPointer<UInt8>

  fileprivate init(tree: MarkupTree, bytes: UnsafeBufferPointer<UInt8>) {
    self.tree = tree
    self.bytes = bytes
  }

  package var isEmpty: Bool { bytes.isEmpty }
  package var string: String { withExtendedLifetime(tree) { String(decoding: bytes, as: UTF8.self) } }

  package static func == (text: MarkupText, word: StaticString) -> Bool {
    guard text.bytes.count == word.utf8CodeUnitCount else { return false }
    return UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount).elementsEqual(text.bytes)
  }
}
