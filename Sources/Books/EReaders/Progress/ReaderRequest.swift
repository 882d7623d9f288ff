import Kit
import Wire

/// A request by the protocol with which KOReader shares how far a document is read (its plug-in kosync).
struct ReaderRequest: Sendable {
  enum Call: Sendable {
    case register
    case logIn
    case position(of: String)
    /// Nil for a body that states none.
    case update(ReaderPosition?)
    /// A known path with another method.
    case otherMethod
  }

  let call: Call

  /// - Returns: nil for an unknown path. The API may be below another one.
  init?(method: String, path: String, body: String) {
    let isRead = method == "GET" || method == "HEAD"
    let progress = "/syncs/progress"
    if path.hasSuffix("/users/create") {
      call = method == "POST" ? .register : .otherMethod
    } else if path.hasSuffix("/users/auth") {
      call = isRead ? .logIn : .otherMethod
    } else if path.hasSuffix(progress) {
      call = method == "PUT" ? .update(ReaderPosition(body)) : .otherMethod
    } else if let end = path.firstRange(of: progress + "/")?.upperBound,
      let document = PercentEncoding.decoded(path[end...]), ReaderPosition.isDocument(document)
    {
      call = isRead ? .position(of: document) : .otherMethod
    } else {
      return nil
    }
  }
}

extension AppAnswer {
  /// The codes are those of KOReader's own server.
  private static func refusal(_ status: Int, code: Int64, _ message: String) -> AppAnswer {
    json(["code": .integer(code), "message": .string(message)], status: status)
  }

  static let unauthorized = refusal(401, code: 2_001, "Unauthorized")
  static let badRequest = refusal(400, code: 2_003, "Invalid request")
  static let otherMethod = refusal(405, code: 2_003, "Invalid request")
  static let unknown = refusal(404, code: 2_003, "There is no such call.")

  /// - Parameter sentence: what to do instead of registering, which KOReader shows.
  static func notRegistered(_ sentence: String) -> AppAnswer { refusal(402, code: 2_005, sentence) }
}
