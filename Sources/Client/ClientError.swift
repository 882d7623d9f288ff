import Link
import Wire

/// The error object of a reply.
package struct RemoteError: Error, Sendable, Equatable {
  package var code: Int
  package var message: String
  package var data: JSONValue?

  /// The stable name in `data.kind`.
  package var kind: String? { data?["kind"]?.stringValue }

  init(_ error: JSONObject) {
    code = error["code"]?.integerValue.map(Int.init) ?? 0
    message = error["message"]?.stringValue ?? ""
    data = error["data"]
  }
}

/// Errors of the client itself.
package enum ClientError: Error, Sendable, Equatable {
  /// The connection ended before the reply arrived; whether the request was executed is unknown.
  case closed(CloseReason)
  /// Params of a request with progress must be an object, or absent.
  case paramsNotObject
  /// The notifications, or the record, of this client were not read: more than `limit` waited.
  case overflow(limit: Int)
  /// The server accepts no bytes, and `limit` bytes wait already.
  case tooMuchUnsent(limit: Int)
}
