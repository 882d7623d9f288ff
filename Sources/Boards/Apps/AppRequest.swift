import Kit
import Wire

/// A request of the Google Reader API.
struct AppRequest: Sendable {
  enum Call: Sendable, Equatable {
    case login, token, user, subscriptions, tags, unread, ids, items, mark, markAll, subscription, quickAdd
    /// Lists that are always empty here, such as those of friends.
    case nothing
    /// The posts of a stream, by its id.
    case contents(String)
    /// The same as Atom, as the API began and newsboat reads it.
    case atom(String)
  }

  /// The most params of a request: an app names each post by one.
  private static let mostFields = 20_000

  let call: Call
  let isPost: Bool
  let token: String?
  private let fields: [(name: String, value: String)]

  /// Nil if the path is none of the API.
  ///
  /// - Parameters:
  ///   - path: percent-encoded, also with something before it: apps add the API's paths to the URL that was given to
  ///     them, and some of those URLs end with `/api/greader.php`.
  ///   - authorization: the header `Authorization`.
  init?(method: String, path: String, query: String, form: String, authorization: String?) {
    guard let call = Self.call(path) else { return nil }
    self.call = call
    isPost = method == "POST"
    token = authorization.flatMap(Self.token)
    fields = (Self.fields(query) + Self.fields(form)).prefix(Self.mostFields).map(\.self)
  }

  func first(_ name: String) -> String? { fields.first { $0.name == name }?.value }
  func all(_ name: String) -> [String] { fields.lazy.filter { $0.name == name }.map(\.value) }

  /// Whether it changes the library. Only a POST does.
  var changes: Bool {
    switch call {
    case .mark, .markAll, .subscription, .quickAdd: true
    default: false
    }
  }

  private static let (api, feeds) = ("/reader/api/0/", "/reader/atom/")
  private static let calls: [String: Call] = [
    "token": .token, "user-info": .user, "subscription/list": .subscriptions, "tag/list": .tags,
    "unread-count": .unread, "stream/items/ids": .ids, "stream/items/contents": .items, "edit-tag": .mark,
    "mark-all-as-read": .markAll, "subscription/edit": .subscription, "subscription/quickadd": .quickAdd,
    "friend/list": .nothing, "preference/list": .nothing, "preference/stream/list": .nothing,
  ]

  private static func call(_ path: String) -> Call? {
    if path.hasSuffix("/accounts/ClientLogin") { return .login }
    if let start = path.firstRange(of: feeds)?.upperBound {
      return PercentEncoding.decoded(path[start...]).map { .atom($0) }
    }
    guard let start = path.firstRange(of: api)?.upperBound, let rest = PercentEncoding.decoded(path[start...]) else {
      return nil
    }
    if let call = calls[rest] { return call }
    let contents = "stream/contents/"
    return rest.hasPrefix(contents) ? .contents(String(rest.dropFirst(contents.count))) : nil
  }

  /// `GoogleLogin auth=TOKEN`, or the widespread `Bearer TOKEN`.
  private static func token(_ header: String) -> String? {
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2 else { return nil }
    switch parts[0].lowercased() {
    case "googlelogin": return parts[1].hasPrefix("auth=") ? String(parts[1].dropFirst("auth=".count)) : nil
    case "bearer": return String(parts[1])
    default: return nil
    }
  }

  private static func fields(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: "&").prefix(mostFields).compactMap { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentEncoding.decoded(parts[0], isForm: true),
        let value = PercentEncoding.decoded(parts.count > 1 ? parts[1] : "", isForm: true)
      else { return nil }
      return (name, value)
    }
  }
}

extension AppAnswer {
  static func text(_ text: String, status: Int = 200) -> AppAnswer {
    AppAnswer(status: status, type: "text/plain", body: text)
  }

  static let ok = text("OK")
  static let unauthorized = text("Unauthorized\n", status: 401)
  static let badMethod = text("POST this.\n", status: 405)
  static let unknown = text("There is no such call.\n", status: 404)
  static func bad(_ sentence: String) -> AppAnswer { text(sentence + "\n", status: 400) }
}
