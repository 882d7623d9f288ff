import Kit

/// The supported kinds of sources. Tests replace them before the first request.
final class BoardSources: Sendable {
  typealias Maker = @Sendable (SourceAddress, Services) -> any BoardSource

  private let makers: [SourceKind: Maker]

  init(_ makers: [SourceKind: Maker]) {
    self.makers = makers
  }

  /// A line for each kind.
  static let usual = BoardSources([
    .discourse: { DiscourseSource($0, SourceNetwork($1)) },
    .feed: { FeedSource($0, SourceNetwork($1)) },
    .greader: { ReaderSource($0, SourceNetwork($1), $1.readerSessions) },
    .mailplug: { MailplugSource($0, SourceNetwork($1)) },
  ])

  /// The source at an address. Creating one is cheap and makes no request.
  func source(at address: SourceAddress, _ services: Services) -> (any BoardSource)? {
    makers[address.kind]?(address, services)
  }
}

extension Services {
  var boardSources: BoardSources { memory.object(BoardSources.self) { .usual } }
}

extension SourceKind {
  /// The URL that every request to the service at `url` begins with: the same for all addresses of one service.
  func service(at url: String) -> String {
    switch self {
    case .mailplug: MailplugSource.base(url)
    case .discourse: DiscourseSource.base(url)
    case .feed: url
    case .greader: ReaderSource.base(url)
    }
  }
}
