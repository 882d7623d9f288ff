/// An entry's title and text in other vocabularies, used if the format's own elements are missing: old podcasts only
/// have `itunes:summary`, photo sites `media:title`, formats based on RDF `dc:description`.
struct EntrySubstitutes {
  /// In order of reliability.
  private enum Rank: Int {
    case dublinCore, media, podcast, podcastSubtitle
  }

  private var titles: [(rank: Rank, text: String)] = []
  private var texts: [(rank: Rank, html: String)] = []

  /// The title, which may be HTML.
  var title: String? { titles.min { $0.rank.rawValue < $1.rank.rawValue }?.text }
  var html: String? { texts.min { $0.rank.rawValue < $1.rank.rawValue }?.html }

  mutating func add(_ node: FeedNode) {
    // Checked before the text, which needs a scan of the whole element.
    guard [.dublinCore, .media, .podcast].contains(node.vocabulary), let text = node.text else { return }
    switch (node.vocabulary, node.name) {
    case (.dublinCore, "title"): titles.append((.dublinCore, text))
    case (.media, "title"): titles.append((.media, text))
    case (.podcast, "title"): titles.append((.podcast, text))
    case (.dublinCore, "description"): add(text, .dublinCore)
    case (.media, "description"): add(text, .media)
    case (.podcast, "summary"): add(text, .podcast)
    case (.podcast, "subtitle"): add(text, .podcastSubtitle)
    default: break
    }
  }

  /// Whether they are HTML is not stated reliably: tags decide.
  private mutating func add(_ text: String, _ rank: Rank) {
    texts.append((rank, FeedText.looksLikeHTML(text) ? text : FeedText.html(ofPlain: text)))
  }
}
