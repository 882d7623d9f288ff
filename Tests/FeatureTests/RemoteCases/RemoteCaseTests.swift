import Testing

/// What a naive client fails: section 9 of the remote contracts, numbered as there.
enum RemoteCase: Int, CaseIterable, Sendable, CustomTestStringConvertible {
  case blankQuery = 1
  case pastTheEnd
  case unstableTotals
  case ratings
  case yearOnly
  case covers
  case googleKey
  case malformedID
  case shortTitle
  case dotCover
  case isbn
  case descriptionObject
  case moreTopics
  case pinned
  case bumpedBetweenPages
  case longTopic
  case tooMany
  case errorInSuccess
  case sharedLimit
  case wrongToken
  case counts
  case zones
  case switching
  case halfGzip
  case bombs
  case slow
  case broken
  case wrongLength
  case redirects
  case flaky
  case notModified
  case loginPage
  case koreanEncodings
  case resume
  case restart
  case cancel
  case together
  case brokenToken
  case evilName
  case manyFeeds

  /// What it asserts lies with the cases of its kind.
  private var row: (name: String, run: @Sendable () async throws -> Void) {
    switch self {
    case .blankQuery: ("a query of spaces asks nobody", { try await BookCases.blankQuery() })
    case .pastTheEnd: ("a page past the end has no items", { try await BookCases.pastTheEnd() })
    case .unstableTotals: ("totals shrink and pages overlap: every book once", { try await BookCases.unstableTotals() })
    case .ratings: ("a rating of 4 and one of 4.5", { try await BookCases.ratings() })
    case .yearOnly: ("a date of a year alone", { try await BookCases.yearOnly() })
    case .covers: ("a volume without pictures, and pictures over https", { try await BookCases.covers() })
    case .googleKey: ("no key: one request, a clear word, no retry", { try await BookCases.googleKey() })
    case .malformedID: ("a malformed id is refused here", { try await BookCases.malformedID() })
    case .shortTitle: ("two syllables are looked for as a title", { try await BookCases.shortTitle() })
    case .dotCover: ("a picture of 43 bytes is no cover", { try await BookCases.dotCover() })
    case .isbn: ("an ISBN is answered with a redirect", { try await BookCases.isbn() })
    case .descriptionObject: ("a description that is an object", { try await BookCases.descriptionObject() })
    case .moreTopics: ("the next page is named without .json", { try await BoardCases.moreTopics() })
    case .pinned: ("pinned topics come first", { try await BoardCases.pinned() })
    case .bumpedBetweenPages: ("a topic moves between two pages", { try await BoardCases.bumpedBetweenPages() })
    case .longTopic: ("a topic of 61 posts, 20 at a time, in its order", { try await BoardCases.longTopic() })
    case .tooMany: ("no request before the time that a 429 names", { try await BoardCases.tooMany() })
    case .errorInSuccess: ("an error inside of a 200", { try await BoardCases.errorInSuccess() })
    case .sharedLimit: ("a limit holds all boards of a site", { try await BoardCases.sharedLimit() })
    case .wrongToken: ("a wrong token is one request", { try await BoardCases.wrongToken() })
    case .counts: ("boards of 0, 1, 30, 61 and 137 posts", { try await BoardCases.counts() })
    case .zones: ("+0900 and +09:00 around midnight", { try await BoardCases.zones() })
    case .switching: ("another board during a slow page", { try await BoardCases.switching() })
    case .halfGzip: ("half a gzip stream fails and leaves no ETag", { try await NetworkCases.halfGzip() })
    case .bombs: ("bombs and endless bodies are bounded", { try await NetworkCases.bombs() })
    case .slow: ("slow bodies, slow heads and silence are bounded", { try await NetworkCases.slow() })
    case .broken: ("a broken connection is tried again, then an error", { try await NetworkCases.broken() })
    case .wrongLength: ("a wrong Content-Length is no success", { try await NetworkCases.wrongLength() })
    case .redirects:
      ("redirects in circles, to files, private addresses and strangers", { try await NetworkCases.redirects() })
    case .flaky: ("two failures: three requests with growing gaps", { try await NetworkCases.flaky() })
    case .notModified: ("304, and its validators", { try await NetworkCases.notModified() })
    case .loginPage: ("a page with 200 keeps the old entries", { try await NetworkCases.loginPage() })
    case .koreanEncodings:
      ("EUC-KR declared, undeclared and contradicted", { try await NetworkCases.koreanEncodings() })
    case .resume: ("a download after two resets", { try await DownloadCases.resume() })
    case .restart: ("no range, a wrong range, another file: a clean restart", { try await DownloadCases.restart() })
    case .cancel: ("a cancel during a hang", { try await BookCases.cancel() })
    case .together: ("two identical searches are one request", { try await BookCases.together() })
    case .brokenToken: ("a token with a line break is refused", { try await NetworkCases.brokenToken() })
    case .evilName: ("a Content-Disposition that leads elsewhere", { try await DownloadCases.evilName() })
    case .manyFeeds: ("sixty feeds of one host, two at a time", { try await NetworkCases.manyFeeds() })
    }
  }

  var testDescription: String { "\(rawValue): \(row.name)" }

  func run() async throws { try await row.run() }
}

/// The daemon as it is, against the stand-in of the real services, where that lies beside the package.
@Suite("Remote services: the cases that a naive client fails") struct RemoteCaseTests {
  @Test(
    "every case holds, as seen in the server's log and in the replies", .enabled(if: CatalogueServer.shared != nil),
    .timeLimit(.minutes(10)), arguments: RemoteCase.allCases)
  func holds(_ remoteCase: RemoteCase) async throws {
    try await remoteCase.run()
  }
}
