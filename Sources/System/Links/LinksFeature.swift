import Kit

/// What leads where: the links that texts of the library have to its items.
package enum LinksFeature {
  package static let feature = Feature(
    name: "links",
    routes: [Route(ListLinksTo.self), Route(ListBrokenLinks.self), Route(ResolveWrittenLink.self)])
}
