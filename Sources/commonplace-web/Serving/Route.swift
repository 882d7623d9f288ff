import NIOHTTP1

/// Where a request goes.
enum Route: Sendable {
  /// The APIs of apps on other devices, which have tokens of their own.
  case app(AppCall)
  case asset(path: String)
  /// A file that a method replies; `isSafe` for GET, which calls only methods that change nothing.
  case file(FileQuery, isSafe: Bool)
  /// HTML of others, which comes back for a frame.
  case frame
  /// Whether the session is valid.
  case session
  /// The token, for a cookie.
  case trade
  case upload(FileQuery)

  /// Nil with the answer for any other method or path.
  static func of(_ head: HTTPRequestHead) -> Result<Route, Refusal> {
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let (path, query) = (String(parts[0]), parts.count > 1 ? parts[1] : "")
    let isRead = head.method == .GET || head.method == .HEAD
    if let call = AppCall(path: path, query: query) {
      let names = call.methods.map(\.rawValue).joined(separator: ", ")
      return call.methods.contains(head.method) ? .success(.app(call)) : .failure(.method(names))
    }
    switch (path, head.method) {
    case ("/session", .POST): return .success(.trade)
    case ("/session", _) where isRead: return .success(.session)
    case ("/frame", .POST): return .success(.frame)
    case ("/file", _) where isRead || head.method == .POST:
      return fileQuery(query).map { .file($0, isSafe: isRead) }
    case ("/file", .PUT):
      return fileQuery(query, head.headers[FileQuery.paramsHeader].first).map { .upload($0) }
    case ("/session", _): return .failure(.method("GET, HEAD, POST"))
    case ("/frame", _): return .failure(.method("POST"))
    case ("/file", _): return .failure(.method("GET, HEAD, POST, PUT"))
    case ("/rpc", _):
      let answer = Answer.refusal(.upgradeRequired, "This is a WebSocket.")
      return .failure(Refusal(answer: answer))
    case _ where isRead: return .success(.asset(path: path))
    default: return .failure(.method("GET, HEAD"))
    }
  }

  private static func fileQuery(_ text: Substring, _ paramsHeader: String? = nil) -> Result<FileQuery, Refusal> {
    FileQuery(text, paramsHeader: paramsHeader).map { .success($0) }
      ?? .failure(Refusal(answer: .refusal(.badRequest, "Write /file?method=NAME&params=JSON.")))
  }

  struct Refusal: Error {
    var answer: Answer

    static func method(_ allowed: String) -> Refusal {
      var answer = Answer.refusal(.methodNotAllowed, "Only \(allowed) is answered here.")
      answer.headers.append(("Allow", allowed))
      return Refusal(answer: answer)
    }
  }

  var needsSession: Bool {
    switch self {
    case .app, .asset, .trade: false
    default: true
    }
  }

  /// Whether a browser sends `Origin` with it.
  var changes: Bool {
    switch self {
    case .app, .asset, .session: false
    case .file(_, let isSafe): !isSafe
    case .frame, .trade, .upload: true
    }
  }

  /// The most bytes of its body.
  var bodyLimit: Int {
    switch self {
    case .app: Limits.appForm
    case .trade: Limits.token
    case .frame: Limits.frame
    case .upload: Limits.upload
    case .asset, .file, .session: 0
    }
  }
}
