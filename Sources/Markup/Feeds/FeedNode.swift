/// An element of a feed, identified by vocabulary and name, with the base URL of its links.
struct FeedNode {
  let node: MarkupNode
  let vocabulary: FeedVocabulary
  /// In lower case: `pubDate` is written in many ways.
  let name: String
  /// The `xml:base` of this element or of one around it; nil if there is none.
  let base: WebReference?

  init(_ node: MarkupNode, base: WebReference?) {
    self.node = node
    vocabulary = .of(node.space.string)
    name = node.name.string.lowercased()
    let own = node.attributes.first { $0.name == "base" && FeedVocabulary.of($0.space.string) == .xml }
    if let text = own?.value.string, let url = WebReference.absolute(text, base: base) {
      self.base = WebReference(base: url) ?? base
    } else {
      self.base = base
    }
  }

  /// The child elements.
  var children: some Sequence<FeedNode> {
    node.children.lazy.filter(\.isElement).map { [base] in FeedNode($0, base: base) }
  }

  var hasElements: Bool { node.children.contains { $0.isElement } }

  /// All text in it without surrounding white space; nil if there is none.
  var text: String? { FeedText.trimmed(node.content) }

  func attribute(_ name: StaticString) -> String? { node.attribute(name).flatMap { FeedText.trimmed($0) } }
}
