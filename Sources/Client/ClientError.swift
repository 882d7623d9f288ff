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

/// What can go wrong on this side.
package enum ClientError: Error, Sendable, Equatable {
  /// The connection ended before the reply came; whether the request was carried out is not known.
  case closed(CloseReason)
  /// Params that progress is asked of must be an object, or absent.
  case paramsNotObject
  /// Nobody took the notifications, or the record, from this client: more than `limit` waited.
  case overflow(limit: Int)
  /// The server takes no bytes, and `limit` bytes wait already.
  case tooMuchUnsent(limit: Int)
}
