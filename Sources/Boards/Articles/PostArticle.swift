import Contract
import Wire

/// The whole article of a post, as clients see it.
struct PostArticle: Payload {
  var url: String
  var fetchedAt: Instant
  var excerpt: String
  static let example = PostArticle(
    url: "https://site.example/lunch", fetchedAt: Instant(milliseconds: 1_795_225_445_678), excerpt: "At noon.")
  static let fields = [
    "url": "The page that it is from.", "fetchedAt": "When it was last fetched, and had changed.",
    "excerpt": "The source's own text of the post, as plain text; `whole: false` shows the post with it.",
  ]
}
