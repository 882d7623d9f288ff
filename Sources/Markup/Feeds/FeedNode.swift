/// An element of a feed, told by vocabulary and name, with the base that links in it are relative to.
struct FeedNode {
  let node: MarkupNode
  let vocabulary: FeedVocabulary
  /// In lower case: `pubDate` is written in many ways.
  let name: String
  /// What `xml:base` says here or above; nil where none does.
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

  /// The elements directly in it.
  var children: some Sequence<FeedNode> {
    node.children.lazy.filter(\.isElement).map { [base] in FeedNode($0, base: base) }
  }

  var hasElements: Bool { node.children.contains { $0.isElement } }

  /// All text in it without the blanks around it; nil where there is none.
  var text: String? { FeedText.trimmed(node.content) }

  func attribute(_ name: StaticString) -> String? { node.attribute(name).flatMap { FeedText.trimmed($0) } }
}
