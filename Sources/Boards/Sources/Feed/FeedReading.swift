import Contract
import FoundationEssentials
import Markup

/// Parses the response to a feed request, on a thread of its own.
struct FeedReading {
  enum Outcome: Sendable {
    case feed(FeedDocument, [FetchedPost])
    /// An HTML page, and the feeds that it names.
    case page([FeedDiscovery.Found])
    /// Something else; the reason is a word of the catalogue.
    case useless(String, SourceFailure.Kind)
  }

  private let body: Data
  private let contentType: String?
  private let url: String
  /// The elements of a page without a feed that are its posts.
  private let items: ElementSelector?

  init(_ body: Data, _ contentType: String?, _ url: String, items: ElementSelector? = nil) {
    self.body = body
    self.items = items
    self.contentType = contentType
    self.url = url
  }

  func outcome(_ checkCancelled: () throws -> Void) throws -> Outcome {
    do {
      let document =
        try items.map {
          try PageList.read(body, contentType: contentType, url: url, items: $0, checkCancelled: checkCancelled)
        } ?? FeedParser.parse(body, contentType: contentType, url: url, checkCancelled: checkCancelled)
      if document.format == .page, document.entries.isEmpty { return .useless("noItems", .passing) }
      var bare = document
      bare.entries = []
      return .feed(bare, try document.entries.map { try post($0, checkCancelled) })
    } catch FeedFailure.notAFeed(isPage: true) {
      return .page(
        try FeedDiscovery.feeds(in: body, contentType: contentType, url: url, checkCancelled: checkCancelled))
    } catch let failure as FeedFailure {
      switch failure {
      case .notAFeed: return .useless("notFeed", .notSource)
      case .empty: return .useless("answerEmpty", .passing)
      case .broken: return .useless("notJSON", .passing)
      }
    } catch let failure as MarkupFailure {
      switch failure {
      case .unavailable(let reason): return .useless(reason, .passing)
      case .tooLarge: return .useless("answerTooLarge", .passing)
      case .noMemory: return .useless("noMemory", .passing)
      }
    }
  }

  private func post(_ entry: FeedEntry, _ checkCancelled: () throws -> Void) throws -> FetchedPost {
    var post = FetchedPost(id: entry.id)
    post.globalID = entry.hasOwnID ? entry.id : nil
    post.link = entry.link
    post.writer = entry.author.map { FetchedPost.Writer(name: $0.name, address: $0.address) }
    if let html = entry.html {
      var body = try FetchedPost.Body.safe(html, base: entry.base, checkCancelled: checkCancelled)
      if entry.isCut { (body.isWhole, body.isCut) = (false, true) }
      post.body = body
      post.hasInlineImage = !body.images.isEmpty
    }
    // Entries without a title are normal: then their title is the beginning of their text.
    post.title = entry.title ?? Self.beginning(of: post.body?.text ?? "")
    let date = entry.published ?? entry.updated
    post.publishedAt = date?.instant
    post.publishedText = date?.text
    if let updated = entry.updated?.instant, updated != post.publishedAt { post.editedAt = updated }
    post.commentsCount = entry.commentsCount
    post.attachments = entry.enclosures.map {
      FetchedPost.Attachment(url: $0.url, title: $0.title, type: $0.type, size: $0.size, duration: $0.duration)
    }
    post.attachmentsCount = entry.enclosures.count
    post.categories = entry.categories
    return post
  }

  private static func beginning(of text: String) -> String {
    let line = text.split(separator: "\n").first.map(String.init) ?? ""
    return line.count > 100 ? line.prefix(99) + "…" : line
  }
}
