import Kit
import Store
import Wire

/// Fetches the whole articles of a source's new posts in the background.
struct NewArticles: Sendable {
  let source: String
  let services: Services

  /// So many pages are requested after one refresh of a source.
  static let most = 20
  /// Older posts get their article when they are opened.
  private static let newest: Int64 = 14 * 86_400_000

  /// Fetches the articles that are missing, the newest first. A failure is noted, and ends nothing.
  func fetch() async throws {
    if services.http.isOffline { return }
    for post in try await services.library.read(as: DaemonCaller(), missing) {
      try Task.checkCancellation()
      let article = try await services.library.read(as: DaemonCaller()) { snapshot in
        try snapshot.find(PostRecord.self, id: post).flatMap {
          WholeArticle(of: $0, from: try snapshot.find(SourceRecord.self, id: source))
        }
      }
      do {
        try await article?.fetch(with: services, as: ShowPost.name, urgency: .background)
      } catch is RPCError {}
    }
  }

  private func missing(in snapshot: Snapshot) throws -> [String] {
    let record = try snapshot.find(SourceRecord.self, id: source)
    guard record?.wholeText == .always, record?.kind == .feed else { return [] }
    let now = services.now().milliseconds
    return try snapshot.db.texts(
      """
      SELECT post.id FROM board CROSS JOIN boardPost ON boardPost.board = board.id
      CROSS JOIN post ON post.id = boardPost.post
      WHERE source = ? AND boardPost.at > ? AND link IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM postAccount AS article
          WHERE article.post = post.id AND article.source = '\(PostAccount.page)')
        AND NOT EXISTS (SELECT 1 FROM articleFailure WHERE articleFailure.post = post.id AND articleFailure.nextAt > ?)
      ORDER BY boardPost.at DESC LIMIT ?
      """, [.text(source), .integer(now - Self.newest), .integer(now), .integer(Self.most)])
  }
}
