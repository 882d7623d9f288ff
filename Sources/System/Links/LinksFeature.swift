import Kit

/// The links from texts of the library to its items.
package enum LinksFeature {
  package static let feature = Feature(
    name: "links",
    routes: [
      Route(ListLinksTo.self), Route(ListLinksFrom.self), Route(ListMentions.self), Route(ShowLinkGraph.self),
      Route(ListBrokenLinks.self), Route(ResolveWrittenLink.self),
    ])
}
