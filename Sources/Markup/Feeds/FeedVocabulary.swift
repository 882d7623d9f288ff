/// The namespaces of feeds, including undeclared usual prefixes.
enum FeedVocabulary {
  /// No namespace, or an old one of RSS.
  case plain
  case atom, content, dublinCore, slash, thread, media, podcast, syndication, xhtml, rdf, xml
  case other

  /// Podcasts write their namespace with varying capitals (`DTDs/PodCast-1.0.dtd`).
  static func of(_ space: String) -> FeedVocabulary {
    known[space] ?? (space.utf8.count == podcasts.utf8.count && space.lowercased() == podcasts ? .podcast : .other)
  }

  private static let podcasts = "http://www.itunes.com/dtds/podcast-1.0.dtd"

  private static let known: [String: FeedVocabulary] = [
    "": .plain, "http://purl.org/rss/1.0/": .plain, "http://my.netscape.com/rdf/simple/0.9/": .plain,
    "http://channel.netscape.com/rdf/simple/0.9/": .plain, "http://backend.userland.com/rss2": .plain,
    "http://backend.userland.com/rss": .plain, "http://blogs.law.harvard.edu/tech/rss": .plain,
    "http://www.w3.org/2005/Atom": .atom, "http://www.w3.org/2005/atom": .atom, "https://www.w3.org/2005/Atom": .atom,
    "http://purl.org/atom/ns#": .atom, "atom": .atom, "atom10": .atom, "a10": .atom,
    "http://purl.org/rss/1.0/modules/content/": .content, "content": .content,
    "http://purl.org/dc/elements/1.1/": .dublinCore, "http://purl.org/dc/terms/": .dublinCore, "dc": .dublinCore,
    "http://purl.org/rss/1.0/modules/slash/": .slash, "slash": .slash,
    "http://purl.org/syndication/thread/1.0": .thread, "thr": .thread,
    "http://search.yahoo.com/mrss/": .media, "http://search.yahoo.com/mrss": .media, "media": .media,
    podcasts: .podcast, "itunes": .podcast,
    "http://purl.org/rss/1.0/modules/syndication/": .syndication, "sy": .syndication,
    "http://www.w3.org/1999/xhtml": .xhtml,
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#": .rdf, "rdf": .rdf,
    "http://www.w3.org/XML/1998/namespace": .xml,
  ]
}
