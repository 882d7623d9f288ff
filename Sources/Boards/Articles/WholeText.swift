import Contract
import Store

/// When the whole articles of a source's posts are fetched.
enum WholeText: String, Choice, StoredWord {
  /// Only if a client requests it.
  case never
  /// When a post is opened.
  case auto
  /// In the background, as the posts arrive.
  case always
}
