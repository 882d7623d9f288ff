import Contract
import HTTP
import Kit
import Markup
import SQLite
import Store
import Wire

/// The whole article of a post whose source gives only a summary: extracted from the page that the post links to, and
/// stored beside the source's own text.
struct WholeArticle: Sendable {
  /// The post.
  let id: String
  let link: String
  /// The source's own text, to recognise the page by.
  let text: String
  let title: String
  /// A mark of the source's own data of the post and of the selector: another one means that the article may be out of date.
  let mark: String
  let selector: ElementSelector?
  /// Whether the link may lead to the host of the source, although that is not public.
  let isAtHome: Bool

  /// nil for a post without a link, or one that is itself a kept page.
  init?(of post: PostRecord, from source: SourceRecord?) {
    guard let link = post.head.link, let origin = Origin(link), post.head.kind != KeepPage.kind else { return nil }
    (id, text, title) = (post.id, post.text, post.head.title)
    let basis = post.text + "\n" + (source?.selector ?? "")
    mark = "\(post.head.listMark)/\(Blobs.hash(of: Array(basis.utf8)).prefix(16))"
    self.link = link
    selector = source?.selector.flatMap { ElementSelector($0) }
    isAtHome = source.map { $0.isTyped && Origin($0.address.url) == origin } ?? false
  }

  /// Whether the stored article is of the post as it is now.
  func isCurrent(in snapshot: Snapshot) throws -> Bool {
    try PostAccount.article(of: id, in: snapshot).map { $0.head.bodyMark.map { sameBytes($0, mark) } ?? false } ?? false
  }

  /// Fetches and stores it, or notes that it could not be fetched.
  ///
  /// - Parameter method: the method that it is fetched for, which the log of changes names.
  /// - Throws: `RPCError`: those of `PageFetch`; `badResponse` if the page has no article, or another one.
  func fetch(
    with services: Services, as method: String, urgency: RequestPriority.Urgency = .interactive
  ) async throws {
    do {
      let request = PageFetch(url: link, selector: selector, isNamedByContent: !isAtHome, urgency: urgency)
      let page = try await request.page(with: services)
      guard selector != nil ? !page.article.body.text.isEmpty : isOfPost(page.article) else {
        throw RPCError(.badResponse, text: Text("boards.noArticle", ["url": WebURL.masked(link)]))
      }
      try await write(with: services, as: method) { try store(page, in: $0) }
    } catch let error as RPCError {
      try await write(with: services, as: method) { try ArticleFailures.note(id, in: $0) }
      throw error
    }
  }

  private func write(
    with services: Services, as method: String, _ body: @escaping @Sendable (Transaction) throws -> Void
  ) async throws {
    try await services.library.write(as: FeatureCaller.daemon(services), label: method, body)
  }

  private func store(_ page: FetchedPage, in transaction: Transaction) throws {
    // The post may have been removed meanwhile.
    guard let post = try transaction.snapshot.find(PostRecord.self, id: id) else { return }
    var fetched = page.post(title: post.head.title)
    fetched.writer = fetched.writer ?? post.head.writer.map { FetchedPost.Writer(name: $0) }
    fetched.publishedAt = nil
    if let known = try PostAccount.article(of: id, in: transaction.snapshot) {
      try transaction.change(known) { try $0.take(fetched, at: transaction.now) }
    } else {
      var article = PostAccount(of: id, from: PostAccount.page)
      article.head.remoteID = page.url
      article.head.at = post.head.at
      try article.take(fetched, at: transaction.now)
      try transaction.insert(article)
    }
    try ArticleFailures.forget(id, in: transaction)
    try QuietColumns.write(
      [("bodyMark", .text(mark))], of: PostAccount.self, id: PostAccount.id(of: id, from: PostAccount.page),
      in: transaction)
    transaction.touch(
      collection: PostRecord.collectionName, id: id, revision: post.revision, fields: ["contents", "html", "article"])
  }

  /// The shortest text that is taken for an article, in bytes.
  private static let shortest = 300

  /// Whether the page has the article, and not a demand to log in, to pay, or to accept cookies: it is longer than the
  /// source's own text and contains most words of that; where there is no text, most words of the title.
  private func isOfPost(_ article: Article) -> Bool {
    let found = article.body.text
    guard found.utf8.count >= Self.shortest else { return false }
    let words = Self.words(of: text, most: 60)
    if words.count >= 8 {
      // A summary ends with “Read more” or the like, which is not in the article.
      guard found.utf8.count > text.utf8.count else { return false }
      return Self.share(of: words, in: found) >= 0.6
    }
    let titled = Self.words(of: title, most: 30)
    return titled.isEmpty || Self.share(of: titled, in: found + "\n" + (article.title ?? "")) >= 0.5
  }

  private static func words(of text: String, most: Int) -> Set<Substring> {
    // The address of a link follows its text in parentheses or brackets, and is not in the article's text.
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
    return Set(words.prefix(most * 2).filter { $0.count > 1 }.prefix(most))
  }

  private static func share(of words: Set<Substring>, in text: String) -> Double {
    let found = Set(text.lowercased().split { !$0.isLetter && !$0.isNumber })
    return Double(words.intersection(found).count) / Double(words.count)
  }
}

/// The posts whose whole article could not be fetched. Their pages are not requested again at each opening, nor at each
/// refresh: after a quarter of an hour, then after twice as long each time, up to a month. Part of no collection.
enum ArticleFailures {
  private static let patience: Int64 = 900_000
  private static let longest = 11

  static func note(_ post: String, in transaction: Transaction) throws {
    transaction.keepSilent()
    let known = try transaction.db.first("SELECT failures FROM articleFailure WHERE post = ?", [.text(post)]) {
      $0.int(0)
    }
    let failures = known ?? 0
    let next = transaction.now.adding(milliseconds: patience << Int64(min(failures, longest)))
    try transaction.db.run(
      "INSERT OR REPLACE INTO articleFailure SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM post WHERE id = ?1)",
      [.text(post), .integer(failures + 1), .integer(next.milliseconds)])
  }

  static func forget(_ post: String, in transaction: Transaction) throws {
    transaction.keepSilent()
    try transaction.db.run("DELETE FROM articleFailure WHERE post = ?", [.text(post)])
  }

  /// Whether the page is not requested yet, unless the user asks.
  static func isWaiting(_ post: String, in snapshot: Snapshot) throws -> Bool {
    try snapshot.db.first(
      "SELECT 1 FROM articleFailure WHERE post = ? AND nextAt > ?",
      [.text(post), .integer(snapshot.services.now().milliseconds)]
    ) { _ in true } ?? false
  }
}
